import { afterEach, expect, test } from 'vitest';

import { resultWork } from '../../../src-core/collections/resultReader.ts';
import { readingWork } from '../../../src-core/protocols/readReplyFully.ts';
import { createWorkBudget, TooMuchWorkError } from '../../../src-core/tools/workBudget.ts';
import { runWork, startWork } from '../../../src-core/tools/workThread.ts';

const endless = { text: '{'.repeat(8_000_000), dialect: 'json' } as const;

let open: { close: () => void }[] = [];
afterEach(() => {
  for (const thread of open) thread.close();
  open = [];
});

function start(options?: { heapMb: number }) {
  const thread = startWork(readingWork, undefined, options);
  open.push(thread);
  return thread;
}

test('work that takes more processor time than it may is stopped, and the thread can be asked again', async () => {
  const thread = start();
  const stopped = new TooMuchWorkError('it takes more than 60 ms of processor time');
  await expect(thread.ask(endless, { limitMs: 60 })).rejects.toThrow(stopped);
  expect(await thread.ask({ text: 'plain', dialect: 'json' }, { limitMs: 1_000 })).toMatchObject({ length: 5 });
  expect(thread.usedMs).toBeGreaterThan(40);
});

test('work that takes more memory than it may ends the thread with the reason', async () => {
  const thread = start({ heapMb: 24 });
  const reason = 'it takes more than 24 MB of memory';
  const fences = { text: '```\n'.repeat(2_000_000), dialect: 'standard' } as const;
  await expect(thread.ask(fences, { limitMs: 60_000 })).rejects.toThrow(new TooMuchWorkError(reason));
  await expect(thread.ask({ text: '', dialect: 'json' }, { limitMs: 1_000 })).rejects.toThrow(reason);
});

test('an abort ends the thread at once, with the reason of the signal', async () => {
  const stop = new AbortController();
  const thread = start();
  const asked = thread.ask(endless, { limitMs: 60_000, signal: stop.signal });
  setTimeout(() => stop.abort(new Error('The chat was closed.')), 200);
  await expect(asked).rejects.toThrow('The chat was closed.');
  await expect(thread.ask(endless, { limitMs: 60_000 })).rejects.toThrow('The chat was closed.');
});

test('nothing is started for a signal that has aborted', async () => {
  const signal = AbortSignal.abort(new Error('too late'));
  await expect(runWork(readingWork, endless, { limitMs: 1_000, signal })).rejects.toThrow('too late');
});

test('an error of the work is the answer to its question, and of no other', async () => {
  const thread = startWork(resultWork, '{"a":1}');
  open.push(thread);
  const limits = { limitMs: 1_000 };
  await expect(thread.ask('no JSON', limits)).rejects.toThrow(/JSON/);
  await expect(thread.ask('no JSON', limits)).rejects.not.toBeInstanceOf(TooMuchWorkError);
  expect(await thread.ask('{"lookup":{"path":"$.a"}}', limits)).toBe('{"isEmpty":false,"value":1}');
});

test('an input that cannot be opened, and a close, reject the question that waits', async () => {
  const wrong = startWork({ ...resultWork, name: 'nothing' }, '');
  await expect(wrong.ask('{}', { limitMs: 1_000 })).rejects.toThrow('There is no work "nothing".');
  const closed = start();
  const asked = closed.ask(endless, { limitMs: 60_000 });
  closed.close();
  await expect(asked).rejects.toThrow('The thread has ended.');
});

test('the answer is the one that the same work has here, whatever its keys are called', async () => {
  const call = '<tool_call>{"name":"a","id":"1","arguments":{"__proto__":"x","b":"y"}}</tool_call>\n';
  const question = { text: `${call}${call}`, dialect: 'json' } as const;
  const here = readingWork.open(undefined)(question, createWorkBudget(1_000));
  const there = await runWork(readingWork, question, { limitMs: 1_000 });
  expect(there).toEqual(here);
  expect(Object.keys(there.requests[0]?.args ?? {})).toEqual(['__proto__', 'b']);
});
