import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

import type { HistorySeries } from '../../../../../src-core/store/historySeries.ts';
import { openStore } from '../../../../../src-core/store/openStore.ts';
import type { Store } from '../../../../../src-core/store/types.ts';
import { createRecentCalls, type RecentCalls } from '../../../../../src-core/features/calls/series/recentCalls.ts';
import { dataFolder } from '../../../workbench/openWorkbench.ts';

const qualifiedName = 'lamp_set';

/** The list over a real history, and how many rows it has read there. */
function bench(): { store: Store; recent: RecentCalls; rowsRead: () => number; add: (callId: string) => void } {
  const store = openStore({ path: join(dataFolder(), 'toolwire.db') });
  onTestFinished(() => store.close());
  let rows = 0;
  const counted = <T>(read: T): T => {
    rows += Array.isArray(read) ? read.length : 1;
    return read;
  };
  const series: HistorySeries = {
    before: (...asked) => counted(store.series.before(...asked)),
    after: (...asked) => counted(store.series.after(...asked)),
    places: (...asked) => counted(store.series.places(...asked)),
    call: (seq) => counted(store.series.call(seq)),
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
    for (let call = 1; call <= 100; call += 1) [series, series + 1].forEach((each) => add(`s${each}.${call}`));
  }
  const first = await look();
  expect(first.map(({ figures }) => [figures?.seriesId, figures?.count])).toEqual(
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((each) => [`s${each}`, 100]),
  );
  rowsRead();
  expect(await look()).toEqual(first);
  expect(rowsRead()).toBe(0);

  add('s11.101');
  const [newest, ...others] = await look();
  expect(newest).toMatchObject({ call: { callId: 's11.101' }, figures: { count: 101 } });
  expect(others).toEqual(first.slice(1));
  // The id of the method, the place in the series, the call.
  expect(rowsRead()).toBe(3);

  add('alone');
  expect((await look()).map(({ call }) => call.callId).slice(0, 2)).toEqual(['alone', 's11.101']);
  expect(rowsRead()).toBe(1);
});

test('yields while it reads, and a concurrent reader counts no call twice', async () => {
  const { recent, add } = bench();
  for (let call = 1; call <= 1_500; call += 1) add(`long.${call}`);
  let turns = 0;
  let ended = false;
  const others = (async () => {
    for (; !ended; turns += 1) await nextTurn();
  })();
  const looks = [1, 10, 10].map((limit) => recent({ qualifiedName, limit }));
  for (const [row] of await Promise.all(looks)) expect(row?.figures).toMatchObject({ count: 1_500, ended: 1_500 });
  ended = true;
  await others;
  // Some 3,000 rows, of which the three looks share turns: on the quickest machine, where none is for the time it took, 2.
  expect(turns).toBeGreaterThanOrEqual(2);
});

test('what is forgotten of a list of hundreds is found again, and what has left the history is not listed', async () => {
  const { store, recent, add } = bench();
  for (let call = 1; call <= 3; call += 1) add(`old.${call}`);
  expect(await recent({ qualifiedName, limit: 1 })).toHaveLength(1);
  for (let call = 1; call <= 450; call += 1) {
    add(`one ${call}`);
    if (call % 100 === 0) await recent({ qualifiedName, limit: 10 });
  }
  const listed = (await recent({ qualifiedName, limit: 100 })).map(({ call }) => call.callId);
  expect(listed).toEqual(Array.from({ length: 100 }, (_, index) => `one ${450 - index}`));

  store.history.setLimits({ calls: 20, bytes: 1_000_000 });
  const left = (await recent({ qualifiedName, limit: 100 })).map(({ call }) => call.callId);
  expect(left).toEqual(store.history.list({ limit: 100 }).map(({ callId }) => callId));
});
