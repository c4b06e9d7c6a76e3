import { expect, test } from 'vitest';

import type { Store } from '../../../src-core/store/types.ts';
import type { HistoryRow } from '../../../src-core/store/historyTypes.ts';
import { openStore, openTestStore } from '../../helpers/testStore.ts';
import { databasePath } from './frames.ts';

test('other work runs between two requests that follow one another', async () => {
  const store = openTestStore();
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  for (let at = 0; at < 20; at += 1) await store.history.names();
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(20);
});

const ended = (callId: string): HistoryRow => ({
  callId,
  toolId: 'lamp',
  methodName: 'set',
  qualifiedName: 'lamp_set',
  source: { kind: 'device', id: 'd1', label: 'Lamp' },
  origin: 'host',
  argsJson: '{}',
  startedAt: 0,
  timeoutMs: 1_000,
  result: { requestId: callId, toolName: 'lamp_set', status: 'success', result: 'ok', durationMs: 1 },
});

const callIds = async (store: Store): Promise<string[]> =>
  (await store.history.list({ limit: 10 })).map(({ callId }) => callId);

test('calls that end in one turn are recorded in order, each before its promise resolves', async () => {
  const store = openTestStore();
  const first = store.history.append(ended('1'));
  const second = store.history.append(ended('2'));
  await first;
  expect(await callIds(store)).toEqual(['2', '1']);
  await second;
  await store.history.append(ended('3'));
  expect(await callIds(store)).toEqual(['3', '2', '1']);
});

test('a call that ends as the store closes is recorded', async () => {
  const path = databasePath();
  const store = openStore({ path });
  const kept = store.history.append(ended('1'));
  await store.close();
  await kept;
  const later = openStore({ path });
  expect(await callIds(later)).toEqual(['1']);
  await later.close();
});

test('a request sees what an earlier one wrote, also if the earlier one is not awaited', async () => {
  const store = openTestStore();
  const kept = store.savedRuns.append('/f', 'a', { at: 1, verdict: 'passed' });
  expect(await store.savedRuns.list('/f', 'a', 1)).toMatchObject([{ at: 1, verdict: 'passed' }]);
  await kept;
});
