import { expect, test } from 'vitest';

import { collectionWith } from '../features/collections/folders.ts';
import { openWorkbench } from './openWorkbench.ts';

const two = { first: { tool: 'clock_get_time' }, second: { tool: 'clock_get_time' } };

async function openedWith(folder: string) {
  const workbench = await openWorkbench();
  const { collections } = workbench.services;
  await collections.open({ folder });
  return { workbench, collections };
}

test('announces a stored run alone, so that no window reads the files again', async () => {
  const folder = collectionWith(two);
  const { workbench, collections } = await openedWith(folder);
  expect(await collections.latestRuns()).toEqual({ [folder]: {} });
  const events = workbench.services.workbench.events();
  await events.next();
  const last = { at: 1, verdict: 'failed', durationMs: 2 } as const;
  await collections.record({ folder, file: 'first.call.json', run: last });
  expect((await events.next()).value).toEqual({ topics: ['savedRuns'] });
  expect(await collections.latestRuns()).toEqual({ [folder]: { 'first.call.json': last } });
  await events.return();
});

test('what the history kept only the beginning of is not said to be wrong', async () => {
  const { workbench, collections } = await openedWith(collectionWith(two));
  const value = { ok: true, text: 'x'.repeat(150_000) };
  workbench.toolRegistryManager.register({
    id: 'big',
    name: 'big',
    description: '',
    source: { kind: 'builtin', id: 'big', label: 'big' },
    getMetadata: () => ({
      methods: [
        { name: 'get', description: 'x', agentCallable: false, inputSchema: { type: 'object', properties: {} } },
      ],
    }),
    invoke: () => Promise.resolve({ value }),
  });
  const callId = 'a-long-answer';
  await workbench.services.calls.execute({ callId, toolName: 'big_get', argsJson: '{}', origin: 'executor' });
  const verdicts = await collections.check({
    callId,
    assertions: [
      { check: 'path', path: '$.ok', op: 'equals', value: true },
      { check: 'schema', schema: { type: 'object' } },
      { check: 'softFailure', is: false },
    ],
  });
  const notKnown = { outcome: 'skipped', reason: 'cannot-check' };
  expect(verdicts).toMatchObject([{ outcome: 'passed' }, notKnown, notKnown, { outcome: 'passed' }]);
});

test('a time is compared with runs that passed, however often it failed since', async () => {
  const assertions = [{ check: 'duration', atMostTimesMedian: 2 }];
  const folder = collectionWith({ slow: { tool: 'clock_get_time', assertions } });
  const { workbench, collections } = await openedWith(folder);
  const file = 'slow.call.json';
  const record = (verdict: 'passed' | 'failed', durationMs: number): Promise<void> =>
    collections.record({ folder, file, run: { at: 1, verdict, durationMs } });
  for (let i = 0; i < 5; i++) await record('passed', 3_600_000);
  for (let i = 0; i < 150; i++) await record('failed', 9_000_000);
  expect(await collections.passedDurations({ folder, file })).toEqual(Array(5).fill(3_600_000));
  for await (const { checks } of workbench.features.collections.runCalls({ folder }))
    expect(checks.at(-1)).toMatchObject({ outcome: 'passed', assertion: { check: 'duration' } });
  expect(await collections.passedDurations({ folder, file })).toHaveLength(6);
});

test('a run that is stopped half-way says that the others were not run', async () => {
  const folder = collectionWith(two);
  const { workbench } = await openedWith(folder);
  const stop = new AbortController();
  const verdicts: string[] = [];
  for await (const { verdict } of workbench.features.collections.runCalls({ folder }, stop.signal)) {
    verdicts.push(verdict);
    stop.abort();
  }
  expect(verdicts).toEqual(['passed', 'skipped']);
});
