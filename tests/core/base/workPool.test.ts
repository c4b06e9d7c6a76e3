import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, onTestFinished, test, vi } from 'vitest';

import { writeEntriesWork } from '../../../src-core/features/chat/chatFileWork.ts';
import { resultWork } from '../../../src-core/features/collections/resultReader.ts';
import { readingWork, readReplyFully, smallText } from '../../../src-core/protocols/readReplyFully.ts';
import { argumentsWork } from '../../../src-core/schema/checkFully.ts';
import { createWorkBudget, TooMuchWorkError } from '../../../src-core/base/workBudget.ts';
import { createWorkAllowance, workPool, WorkPool, type PoolLimits } from '../../../src-core/base/workPool.ts';
import { countProcesses } from '../../helpers/countProcesses.ts';

const endless = { text: '{'.repeat(8_000_000), dialect: 'json' } as const;
/** A check that does not end. */
const slow = {
  args: JSON.stringify({ text: `${'a'.repeat(60)}!` }),
  schema: JSON.stringify({ properties: { text: { pattern: '^(a+)+$' } } }),
  source: 'json',
} as const;
const plain = { text: 'plain', dialect: 'json' } as const;
const limits = { limitMs: 60_000 };
const wholeId = '{"lookup":{"path":"$.a"}}';
const hasEnded = 'The process has ended.';

/** A pool of one process; what it does is ended with the test. */
function openPool(options: Partial<PoolLimits> = {}): { pool: WorkPool; busy: () => Promise<unknown> } {
  const pool = new WorkPool({ processes: 1, ...options });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  return {
    pool,
    /** Asks what takes a process until the test ends. */
    busy: () => pool.run(readingWork, endless, { ...limits, signal: stop.signal }).catch(() => undefined),
  };
}

test('100 texts at once are read by two processes, which other texts use again', async () => {
  const processes = countProcesses();
  const text = 'The lamp is on. '.repeat(1_041);
  expect(text.length).toBeGreaterThan(smallText);
  const readings = Array.from({ length: 100 }, () => readReplyFully(text, { dialect: 'standard' }));
  expect(workPool).toMatchObject({
    processes: 2,
    waiting: 98,
    waitingCharacters: 98 * (text.length + 'standard'.length),
  });
  for (const { length } of await Promise.all(readings)) expect(length).toBe(text.length);
  await readReplyFully(text, { dialect: 'standard' });
  expect(processes).toMatchObject({ started: 2, live: 2, most: 2 });
  expect(workPool).toMatchObject({ processes: 2, waiting: 0, waitingCharacters: 0 });
});

test('a process without work ends', async () => {
  const processes = countProcesses();
  const { pool } = openPool({ idleMs: 1 });
  await pool.run(readingWork, plain, limits);
  await expect.poll(() => processes.live).toBe(0);
  expect(pool.processes).toBe(0);
  await pool.run(readingWork, plain, limits);
  expect(processes.started).toBe(2);
});

test('work that takes more processor time than it may ends its process, and the next one has another', async () => {
  const processes = countProcesses();
  const { pool } = openPool();
  const stopped = pool.run(readingWork, endless, { limitMs: 60 });
  const next = pool.run(readingWork, plain, limits);
  await expect(stopped).rejects.toThrow(new TooMuchWorkError('it takes more than 60 ms of processor time'));
  expect(await next).toMatchObject({ length: 5 });
  expect(processes).toMatchObject({ started: 2, most: 1 });
});

test('a process that runs out of memory makes room for the next one', async () => {
  const processes = countProcesses();
  const { pool } = openPool({ heapMb: 24 });
  const fences = { text: '```\n'.repeat(2_000_000), dialect: 'standard' } as const;
  const stopped = pool.run(readingWork, fences, limits);
  const next = pool.run(readingWork, plain, limits);
  await expect(stopped).rejects.toThrow(new TooMuchWorkError('it takes more than 24 MB of memory'));
  expect(await next).toMatchObject({ length: 5 });
  expect(processes).toMatchObject({ started: 2, most: 1 });
});

test('V8 gives up a process whose one large array no longer fits, and this process goes on', async () => {
  const { pool } = openPool({ heapMb: 48 });
  const args = `{"a":[${Array(600_000).fill('[[[]]]').join(',')}]}`;
  const stopped = pool.run(argumentsWork, { args, schema: '{"type":"object"}', source: 'json' }, limits);
  await expect(stopped).rejects.toThrow(new TooMuchWorkError('it takes more than 48 MB of memory'));
  expect(await pool.run(readingWork, plain, limits)).toMatchObject({ length: 5 });
});

test('a process that crashes rejects what it works on, and what waits has another', async () => {
  const processes = countProcesses();
  const { pool } = openPool();
  const asked = pool.run(readingWork, endless, limits);
  const next = pool.run(readingWork, plain, limits);
  processes.last?.kill('SIGSEGV');
  await expect(asked).rejects.toThrow('The process that did the work ended: SIGSEGV');
  await expect(asked).rejects.not.toBeInstanceOf(TooMuchWorkError);
  expect(await next).toMatchObject({ length: 5 });
  expect(processes).toMatchObject({ started: 2, most: 1 });
});

test('a process that the system does not start rejects its work with the reason, and is tried again', async () => {
  const { pool } = openPool();
  const { startChild } = pool;
  pool.startChild = () => {
    throw new Error('spawn ENOMEM');
  };
  await expect(pool.run(readingWork, plain, limits)).rejects.toThrow('The process could not be started: spawn ENOMEM');
  pool.startChild = startChild;
  const { execPath } = process;
  process.execPath = '/nonexistent/node';
  onTestFinished(() => void (process.execPath = execPath));
  const asked = [plain, plain].map((question) => pool.run(readingWork, question, limits));
  for (const each of asked) await expect(each).rejects.toThrow(/ended: spawn \/nonexistent\/node ENOENT$/);
  process.execPath = execPath;
  expect(await pool.run(readingWork, plain, limits)).toMatchObject({ length: 5 });
});

test('a process that does not start is given up, and its place is free', async () => {
  vi.useFakeTimers();
  const { pool } = openPool();
  const { startChild } = pool;
  const kill = vi.fn();
  pool.startChild = () => ({ send: () => undefined, setNeeded: () => undefined, kill });
  const asked = pool.run(readingWork, plain, limits);
  const refused = expect(asked).rejects.toThrow('The process did not start within 60 s.');
  await vi.advanceTimersByTimeAsync(60_000);
  await refused;
  expect(kill).toHaveBeenCalled();
  vi.useRealTimers();
  pool.startChild = startChild;
  expect(await pool.run(readingWork, plain, limits)).toMatchObject({ length: 5 });
});

test('a question that cannot be copied is refused with the reason', async () => {
  const { pool } = openPool();
  const question = { ...plain, text: (() => 'text') as unknown as string };
  await expect(pool.run(readingWork, question, limits)).rejects.toThrow(/could not be cloned/);
  expect(await pool.run(readingWork, plain, limits)).toMatchObject({ length: 5 });
});

test('the characters of a list of texts count, too', async () => {
  const { pool, busy } = openPool({ waitingCharacters: 19 });
  void busy();
  const question = { records: ['0123456789', '0123456789'], from: 1 };
  const refused = pool.run(writeEntriesWork, question, limits);
  await expect(refused).rejects.toThrow(new TooMuchWorkError('too much other work is waiting'));
});

test.skipIf(process.platform !== 'linux')(
  'a process has nothing of the environment of this one (read from /proc, which only Linux has)',
  async () => {
    const processes = countProcesses();
    const { pool } = openPool();
    await pool.run(readingWork, plain, limits);
    const names = readFileSync(`/proc/${processes.last?.pid}/environ`, 'utf8').match(/[^\0=]+(?==)/g);
    expect(process.env).toHaveProperty('PATH');
    // The first are Node's own, the other is set by compileCache.ts.
    expect(names?.filter((name) => !/^NODE_(?:CHANNEL|COMPILE_CACHE$)/.test(name))).toEqual(['TOOLWIRE_WORK']);
  },
);

test('an abort ends the process at once, with the reason of the signal', async () => {
  const processes = countProcesses();
  const stop = new AbortController();
  const { pool } = openPool();
  const asked = pool.run(readingWork, endless, { ...limits, signal: stop.signal });
  setTimeout(() => stop.abort(new Error('The chat was closed.')), 200);
  await expect(asked).rejects.toThrow('The chat was closed.');
  await expect.poll(() => processes.live).toBe(0);
});

test('an abort takes what waits out of the queue, and nothing is started for a signal that has aborted', async () => {
  const { pool, busy } = openPool();
  void busy();
  const stop = new AbortController();
  const asked = pool.run(readingWork, plain, { ...limits, signal: stop.signal });
  expect(pool).toMatchObject({ waiting: 1, waitingCharacters: 9 });
  stop.abort(new Error('The chat was closed.'));
  await expect(asked).rejects.toThrow('The chat was closed.');
  const late = pool.run(readingWork, plain, { ...limits, signal: AbortSignal.abort(new Error('too late')) });
  await expect(late).rejects.toThrow('too late');
  expect(pool).toMatchObject({ processes: 1, waiting: 0, waitingCharacters: 0 });
});

test.each<[string, Partial<PoolLimits>]>([
  ['pieces of work', { waiting: 2 }],
  ['characters', { waitingCharacters: 26 }],
])('more than so many %s may not wait', async (_what, options) => {
  const { pool, busy } = openPool(options);
  void busy();
  const stop = new AbortController();
  const waits = [1, 2].map(() => pool.run(readingWork, plain, { ...limits, signal: stop.signal }));
  const refused = pool.run(readingWork, plain, limits);
  await expect(refused).rejects.toThrow(new TooMuchWorkError('too much other work is waiting'));
  expect(pool).toMatchObject({ waiting: 2, waitingCharacters: 18 });
  stop.abort();
  expect(await Promise.allSettled(waits)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
});

test('an input that is open holds no process, and is opened again after other work', async () => {
  const processes = countProcesses();
  const { pool } = openPool();
  const readers = [1, 2, 3].map((a) => pool.open(resultWork, JSON.stringify({ a })));
  for (let round = 0; round < 2; round += 1) {
    const answers = await Promise.all(readers.map((reader) => reader.ask(wholeId, limits)));
    expect(answers.map((answer) => JSON.parse(answer).value)).toEqual([1, 2, 3]);
    expect(await pool.run(readingWork, plain, limits)).toMatchObject({ length: 5 });
  }
  expect(processes).toMatchObject({ started: 1, most: 1 });
});

test('a close rejects the questions that run and those that wait', async () => {
  const { pool, busy } = openPool({ processes: 2 });
  void busy();
  const open = pool.open(readingWork, undefined);
  const asked = [open.ask(endless, limits), open.ask(plain, limits)];
  expect(pool).toMatchObject({ processes: 2, waiting: 1 });
  open.close();
  for (const each of asked) await expect(each).rejects.toThrow(hasEnded);
  await expect(open.ask(plain, limits)).rejects.toThrow(hasEnded);
  expect(pool.waiting).toBe(0);
});

test('work that shares an allowance takes one process, and is refused once nothing is left', async () => {
  const processes = countProcesses();
  const { pool } = openPool({ processes: 2 });
  const allowance = createWorkAllowance(150, 'the turn has used its time');
  const asked = Array.from({ length: 20 }, () => pool.run(argumentsWork, slow, { limitMs: 100, allowance }));
  const other = pool.run(readingWork, plain, limits);
  expect(pool).toMatchObject({ processes: 2, waiting: 19 });
  const results = await Promise.allSettled(asked);
  const [first, ...others] = results.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)));
  expect(first).toContain('it takes more than 100 ms of processor time');
  expect(new Set(others)).toEqual(new Set(['Error: the turn has used its time']));
  expect(await other).toMatchObject({ length: 5 });
  expect(processes.most).toBe(2);
});

test('an error of the work is the answer to its question, and of no other', async () => {
  const { pool } = openPool();
  const reader = pool.open(resultWork, '{"a":1}');
  await expect(reader.ask('no JSON', limits)).rejects.toThrow(/JSON/);
  await expect(reader.ask('no JSON', limits)).rejects.not.toBeInstanceOf(TooMuchWorkError);
  expect(await reader.ask(wholeId, limits)).toBe('{"isEmpty":false,"value":1}');
  const wrong = pool.open({ ...resultWork, name: 'nothing' }, '');
  await expect(wrong.ask('{}', limits)).rejects.toThrow('There is no work "nothing".');
  await nextTurn();
  expect(pool.processes).toBe(1);
});

test('the answer is the one that the same work has here, whatever its keys are called', async () => {
  const call = '<tool_call>{"name":"a","id":"1","arguments":{"__proto__":"x","b":"y"}}</tool_call>\n';
  const question = { text: `${call}${call}`, dialect: 'json' } as const;
  const here = readingWork.open(undefined)(question, createWorkBudget(1_000));
  const there = await workPool.run(readingWork, question, { limitMs: 1_000 });
  expect(there).toEqual(here);
  expect(Object.keys(there.requests[0]?.args ?? {})).toEqual(['__proto__', 'b']);
});
