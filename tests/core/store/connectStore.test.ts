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

test('a request sees what an earlier one wrote, also if the earlier one is not awaited', async () => {
  const store = openTestStore();
  const kept = store.savedRuns.append('/f', 'a', { at: 1, verdict: 'passed' });
  expect(await store.savedRuns.list('/f', 'a', 1)).toMatchObject([{ at: 1, verdict: 'passed' }]);
  await kept;
});
