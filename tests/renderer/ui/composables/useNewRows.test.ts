import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { effectScope, nextTick, ref } from 'vue';

import { useNewRows } from '../../../../renderer/ui/composables/useNewRows.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('tells the rows that were just added, unless they are many or follow one another quickly', async () => {
  const keys = ref<number[]>([]);
  const scope = effectScope();
  const isNew = scope.run(() => useNewRows(() => keys.value))!;
  const show = async (...next: number[]): Promise<number[]> => {
    keys.value = next;
    await nextTick();
    return next.filter(isNew);
  };
  expect(await show(1, 2)).toEqual([]);
  vi.runAllTimers();
  expect(await show(1, 2, 3)).toEqual([3]);
  expect(await show(1, 2, 3, 4)).toEqual([]);
  vi.runAllTimers();
  expect(await show(1, 2, 3, 4, 5, 6, 7, 8)).toEqual([]);
  vi.runAllTimers();
  expect(await show(9, 1, 2)).toEqual([9]);
  vi.runAllTimers();
  expect(keys.value.filter(isNew)).toEqual([]);
  scope.stop();
});
