import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { openStore, type Tables } from './tables.ts';

function open(): Tables {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-runs-'));
  const store = openStore({ path: join(dir, 'toolwire.db') });
  onTestFinished(() => {
    store.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return store;
}

test('runs of a saved call that passed outlast any number that failed, the newest 20 of them', () => {
  const { savedRuns } = open();
  for (let i = 0; i < 30; i++) savedRuns.append('/a', 'x.call.json', { at: i, verdict: 'passed', durationMs: i });
  savedRuns.append('/a', 'x.call.json', { at: 30, verdict: 'passed' });
  const newest = Array.from({ length: 20 }, (_, i) => 29 - i);
  expect(savedRuns.passedDurations('/a', 'x.call.json')).toEqual(newest);
  for (let i = 0; i < 200; i++) savedRuns.append('/a', 'x.call.json', { at: i, verdict: 'failed', durationMs: 9_000 });
  expect(savedRuns.passedDurations('/a', 'x.call.json')).toEqual(newest);
  expect(savedRuns.list('/a', 'x.call.json', 1_000)).toHaveLength(120);
  expect(savedRuns.passedDurations('/b', 'x.call.json')).toEqual([]);
});

test('runs of a saved call: the newest 100, and the last of each', () => {
  const { savedRuns } = open();
  for (let i = 0; i < 105; i++) savedRuns.append('/a', 'x.call.json', { at: i, verdict: 'passed', durationMs: i });
  savedRuns.append('/a', 'y.call.json', { at: 1, verdict: 'failed' });
  savedRuns.append('/b', 'x.call.json', { at: 2, verdict: 'skipped' });
  expect(savedRuns.list('/a', 'x.call.json', 1_000)).toHaveLength(100);
  expect(savedRuns.list('/a', 'x.call.json', 2).map(({ at }) => at)).toEqual([104, 103]);
  expect([...savedRuns.latest('/a')]).toEqual([
    ['x.call.json', { at: 104, verdict: 'passed', durationMs: 104 }],
    ['y.call.json', { at: 1, verdict: 'failed' }],
  ]);
});
