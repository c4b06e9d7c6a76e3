import { expect, test } from 'vitest';

import { openTestStore } from '../../helpers/testStore.ts';

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

test('a finished call is kept in the same turn, since its answer waits for it', async () => {
  const store = openTestStore();
  let isLater = false;
  setImmediate(() => (isLater = true));
  await store.history.append({
    callId: '1',
    toolId: 'lamp',
    methodName: 'set',
    qualifiedName: 'lamp_set',
    source: { kind: 'device', id: 'd1', label: 'Lamp' },
    origin: 'host',
    argsJson: '{}',
    startedAt: 0,
    timeoutMs: 1_000,
    result: { requestId: '1', toolName: 'lamp_set', status: 'success', result: 'ok', durationMs: 1 },
  });
  expect(isLater).toBe(false);
});

test('a request sees what an earlier one wrote, also if the earlier one is not awaited', async () => {
  const store = openTestStore();
  const kept = store.savedRuns.append('/f', 'a', { at: 1, verdict: 'passed' });
  expect(await store.savedRuns.list('/f', 'a', 1)).toMatchObject([{ at: 1, verdict: 'passed' }]);
  await kept;
});
