import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import type { Remote } from '../../../../../src-core/store/remote.ts';
import type { HistorySeries } from '../../../../../src-core/store/historySeries.ts';
import { openStore } from '../../../../helpers/testStore.ts';
import type { Store } from '../../../../../src-core/store/types.ts';
import { createRecentCalls, type RecentCalls } from '../../../../../src-core/features/calls/series/recentCalls.ts';
import { dataFolder } from '../../../workbench/openWorkbench.ts';

const qualifiedName = 'lamp_set';

/** The list over a real history, and how many rows it has read there. */
function bench(): {
  store: Store;
  recent: RecentCalls;
  rowsRead: () => number;
  add: (callId: string) => Promise<void>;
} {
  const store = openStore({ path: join(dataFolder(), 'toolwire.db') });
  onTestFinished(() => store.close());
  let rows = 0;
  const counted = <T>(read: T): T => {
    rows += Array.isArray(read) ? read.length : 1;
    return read;
  };
  const series: Remote<HistorySeries> = {
    before: async (...asked) => counted(await store.series.before(...asked)),
    after: async (...asked) => counted(await store.series.after(...asked)),
    async calls(...asked) {
      const found = await store.series.calls(...asked);
      counted(found.calls);
      return found;
    },
  };
  return {
    store,
    recent: createRecentCalls({ history: store.history, series }),
    rowsRead() {
      const read = rows;
      rows = 0;
      return read;
    },
    add: (callId) =>
      store.history.append({
        callId,
        qualifiedName,
        toolId: 'lamp',
        methodName: 'set',
        origin: 'executor',
        source: { kind: 'builtin', id: 'lamp', label: 'Lamp' },
        argsJson: '{}',
        startedAt: 1,
        timeoutMs: 1_000,
        result: { requestId: callId, toolName: qualifiedName, status: 'success', result: 'ok', durationMs: 2 },
      }),
  };
}

test('of many long series no call is read twice, however often somebody looks', async () => {
  const { recent, rowsRead, add } = bench();
  const look = (): ReturnType<RecentCalls> => recent({ qualifiedName, limit: 10 });
  // Two series at a time, their calls one after the other.
  for (let series = 0; series < 12; series += 2) {
    for (let call = 1; call <= 100; call += 1) for (const each of [series, series + 1]) await add(`s${each}.${call}`);
  }
  const first = await look();
  expect(first.map(({ figures }) => [figures?.seriesId, figures?.count])).toEqual(
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((each) => [`s${each}`, 100]),
  );
  rowsRead();
  expect(await look()).toEqual(first);
  expect(rowsRead()).toBe(0);

  await add('s11.101');
  const [newest, ...others] = await look();
  expect(newest).toMatchObject({ call: { callId: 's11.101' }, figures: { count: 101 } });
  expect(others).toEqual(first.slice(1));
  // The id of the method, the call.
  expect(rowsRead()).toBe(2);

  await add('alone');
  expect((await look()).map(({ call }) => call.callId).slice(0, 2)).toEqual(['alone', 's11.101']);
  expect(rowsRead()).toBe(1);
});

test('whoever looks while it reads counts no call twice', async () => {
  const { recent, add } = bench();
  for (let call = 1; call <= 1_500; call += 1) await add(`long.${call}`);
  const looks = [1, 10, 10].map((limit) => recent({ qualifiedName, limit }));
  for (const [row] of await Promise.all(looks)) expect(row?.figures).toMatchObject({ count: 1_500, ended: 1_500 });
});

test('a cancelled look reads no further', async () => {
  const { recent, rowsRead, add } = bench();
  for (let call = 1; call <= 1_500; call += 1) await add(`long.${call}`);
  const stop = new AbortController();
  const look = recent({ qualifiedName, limit: 10 }, stop.signal);
  stop.abort();
  await expect(look).rejects.toMatchObject({ name: 'AbortError' });
  expect(rowsRead()).toBeLessThan(1_500);
  expect(await recent({ qualifiedName, limit: 10 })).toMatchObject([{ figures: { count: 1_500 } }]);
});

test('what is forgotten of a list of hundreds is found again, and what has left the history is not listed', async () => {
  const { store, recent, add } = bench();
  for (let call = 1; call <= 3; call += 1) await add(`old.${call}`);
  expect(await recent({ qualifiedName, limit: 1 })).toHaveLength(1);
  for (let call = 1; call <= 450; call += 1) {
    await add(`one ${call}`);
    if (call % 100 === 0) await recent({ qualifiedName, limit: 10 });
  }
  const listed = (await recent({ qualifiedName, limit: 100 })).map(({ call }) => call.callId);
  expect(listed).toEqual(Array.from({ length: 100 }, (_, index) => `one ${450 - index}`));

  await store.history.setLimits({ calls: 20, bytes: 1_000_000 });
  // The oldest leave step by step.
  await expect.poll(async () => (await store.history.list({ limit: 100 })).length).toBe(20);
  const left = (await recent({ qualifiedName, limit: 100 })).map(({ call }) => call.callId);
  expect(left).toEqual((await store.history.list({ limit: 100 })).map(({ callId }) => callId));
});
