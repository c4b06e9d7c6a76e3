import { nextTick, effectScope, ref } from 'vue';
import { expect, it, onTestFinished } from 'vitest';

import { useMarkedRow } from '../../../../renderer/ui/composables/useMarkedRow.ts';

function listOf(...keys: string[]) {
  const marksFirst = ref(true);
  const rows = ref(keys.map((key) => ({ key })));
  const shown: number[] = [];
  const scope = effectScope();
  onTestFinished(() => scope.stop());
  const marked = scope.run(() =>
    useMarkedRow({ rows: () => rows.value, show: (index) => shown.push(index), marksFirst: () => marksFirst.value }),
  );
  if (marked === undefined) throw new Error('The scope has ended');
  const become = async (...now: string[]): Promise<void> => {
    rows.value = now.map((key) => ({ key }));
    await nextTick();
    await nextTick();
  };
  return { ...marked, marksFirst, shown, become, key: () => marked.row.value?.key };
}

it('marks the first row, whichever it is, until the mark is moved', async () => {
  const { key, become, move, reset } = listOf('b', 'c');
  expect(key()).toBe('b');
  await become('a', 'b', 'c');
  expect(key()).toBe('a');
  await move(1);
  await become('a2', 'a', 'b', 'c');
  expect(key()).toBe('b');
  await reset();
  expect(key()).toBe('a2');
});

it('goes from the last row to the first and back, and marks nothing in an empty list', async () => {
  const { key, at, become, move } = listOf('a', 'b', 'c');
  await move(-1);
  expect(key()).toBe('c');
  await move(1);
  expect(key()).toBe('a');
  await become();
  await move(1);
  await move(-1);
  expect([at.value, key()]).toEqual([-1, undefined]);
  await become('d', 'e');
  expect(key()).toBe('d');
});

it('marks the first row if the marked one goes, and the same one again if it comes back', async () => {
  const { key, become, mark } = listOf('a', 'b', 'c');
  mark('b');
  await become('a', 'c');
  expect(key()).toBe('a');
  await become('c', 'b', 'a');
  expect(key()).toBe('b');
});

it('keeps the marked row in view, but does not scroll under a pointer', async () => {
  const { shown, become, mark, move } = listOf('a', 'b', 'c');
  mark('c');
  await nextTick();
  await nextTick();
  expect(shown).toEqual([]);
  await become('0', 'a', 'b', 'c');
  expect(shown).toEqual([3]);
  await become('0', 'a', 'b', 'c', 'd');
  expect(shown).toEqual([3]);
  await move(1);
  expect(shown.at(-1)).toBe(4);
});

it('marks no row that was not searched for until the mark is moved, from either end', async () => {
  const { marksFirst, key, at, move, reset, shown } = listOf('a', 'b', 'c');
  marksFirst.value = false;
  expect([at.value, key()]).toEqual([-1, undefined]);
  await reset();
  expect(shown).toEqual([]);
  await move(1);
  expect(key()).toBe('a');
  await reset();
  await move(-1);
  expect(key()).toBe('c');
});
