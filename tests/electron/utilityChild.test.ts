import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { expect, onTestFinished, test } from 'vitest';

import { createUtilityChildren } from '../../electron/utilityChild.ts';
import { readingWork } from '../../src-core/protocols/readReplyFully.ts';
import { argumentsWork } from '../../src-core/schema/checkFully.ts';
import { TooMuchWorkError } from '../../src-core/base/workBudget.ts';
import { WorkPool, type PoolLimits } from '../../src-core/base/workPool.ts';
import { countProcesses } from '../helpers/countProcesses.ts';
import { FakeElectron } from './fakeElectron.ts';

const limits = { limitMs: 60_000 };
const plain = { text: 'plain', dialect: 'json' } as const;
const endless = { text: '{'.repeat(8_000_000), dialect: 'json' } as const;

async function openPool(options: Partial<PoolLimits> = {}): Promise<WorkPool> {
  const electron = new FakeElectron();
  await electron.app.whenReady();
  const pool = new WorkPool({ processes: 1, idleMs: 50, ...options });
  pool.startChild = createUtilityChildren(electron.utilityProcess);
  return pool;
}

test('the desktop app does work in a utility process, which ends without work', async () => {
  const processes = countProcesses();
  const pool = await openPool();
  expect(await pool.run(readingWork, plain, limits)).toMatchObject({ length: 5 });
  await expect.poll(() => processes.live).toBe(0);
  expect(processes.started).toBe(1);
  expect(pool.processes).toBe(0);
});

test.each([
  ['before it is there', (): undefined => undefined],
  ['once it is there', (child: ChildProcess) => once(child, 'message')],
])('an abort ends a utility process %s, and other work has its place', async (_when, wait) => {
  const processes = countProcesses();
  const pool = await openPool();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const asked = pool.run(readingWork, endless, { ...limits, signal: stop.signal });
  await wait(processes.last!);
  stop.abort(new Error('The chat was closed.'));
  await expect(asked).rejects.toThrow('The chat was closed.');
  expect(await pool.run(readingWork, plain, limits)).toMatchObject({ length: 5 });
  expect(processes).toMatchObject({ started: 2, most: 1 });
});

test('a utility process that runs out of memory leaves the app running', async () => {
  const pool = await openPool({ heapMb: 48 });
  const args = `{"a":[${Array(600_000).fill('[[[]]]').join(',')}]}`;
  const stopped = pool.run(argumentsWork, { args, schema: '{"type":"object"}', source: 'json' }, limits);
  await expect(stopped).rejects.toThrow(new TooMuchWorkError('it takes more than 48 MB of memory'));
  expect(await pool.run(readingWork, plain, limits)).toMatchObject({ length: 5 });
});

test('a utility process that crashes says so', async () => {
  const processes = countProcesses();
  const pool = await openPool();
  const asked = pool.run(readingWork, endless, limits);
  processes.last?.kill('SIGSEGV');
  await expect(asked).rejects.toThrow(/ended: exit code \d+; it crashed, or needed more than 512 MB of memory$/);
});

test('work before the app is ready is refused with the reason', async () => {
  const pool = new WorkPool();
  pool.startChild = createUtilityChildren(new FakeElectron().utilityProcess);
  await expect(pool.run(readingWork, plain, limits)).rejects.toThrow(
    /could not be started: .*before the app was ready/,
  );
});
