import { mount } from '@vue/test-utils';
import { expect, it, onTestFinished } from 'vitest';
import { defineComponent, h, ref, shallowRef } from 'vue';

import { useListArrows } from '../../../../renderer/ui/composables/useListArrows.ts';

/** A list of names, of which those in capitals are headings; with a button in it. */
function listOf(rows: readonly string[], chosen?: string) {
  const now = ref(chosen);
  const shown: number[] = [];
  const List = defineComponent(() => {
    const onKeydown = useListArrows({
      list: shallowRef({
        scrollTo: (index: number) => shown.push(index),
        element: { clientHeight: 90, scrollHeight: rows.length * 30 },
      }),
      rows: () => rows,
      at: () => rows.findIndex((row) => row === now.value),
      chosen: () => now.value,
      choose: (row) => (now.value = row),
      canBeChosen: (row) => row !== row.toUpperCase(),
    });
    return () => h('div', { onKeydown }, h('button'));
  });
  const list = mount(List, { attachTo: document.body });
  onTestFinished(() => list.unmount());
  /** Whether the key was taken. */
  function press(key: string, target = 'div'): boolean {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    return !list.get(target).element.dispatchEvent(event);
  }
  return { now, shown, press };
}

it('goes from row to row over the headings, and not beyond the ends', () => {
  const { now, press } = listOf(['A', 'ann', 'B', 'bea', 'ben'], 'ann');
  const walk = (keys: string[]) => keys.map((key) => press(key) && now.value);
  expect(walk(['ArrowDown', 'ArrowDown', 'ArrowDown'])).toEqual(['bea', 'ben', 'ben']);
  expect(walk(['ArrowUp', 'ArrowUp', 'ArrowUp'])).toEqual(['bea', 'ann', 'ann']);
  expect(walk(['End', 'Home'])).toEqual(['ben', 'ann']);
});

it('goes a page on with a row of the last one left in view, and to the nearest row if that is a heading', () => {
  const { now, press } = listOf(['A', 'ann', 'bea', 'ben', 'C', 'cay', 'dee'], 'ann');
  const walk = (keys: string[]) => keys.map((key) => press(key) && now.value);
  expect(walk(['PageDown', 'PageDown', 'PageDown'])).toEqual(['ben', 'cay', 'dee']);
  expect(walk(['PageUp', 'PageUp', 'PageUp', 'PageUp'])).toEqual(['ben', 'ann', 'ann', 'ann']);
});

it('begins at the end that the key comes from where nothing is chosen', () => {
  for (const [key, row] of [
    ['ArrowDown', 'ann'],
    ['ArrowUp', 'bea'],
  ] as const) {
    const { now, press } = listOf(['ann', 'bea']);
    press(key);
    expect(now.value).toBe(row);
  }
});

it('scrolls the chosen row into view, also if it was chosen by code or before the list came', async () => {
  const { now, shown, press } = listOf(['ann', 'bea'], 'ann');
  expect(shown).toEqual([0]);
  press('ArrowDown');
  await expect.poll(() => shown).toEqual([0, 1]);
  now.value = 'ann';
  await expect.poll(() => shown).toEqual([0, 1, 0]);
});

it('leaves other keys, and what is pressed within a row, alone', () => {
  const { now, press } = listOf(['ann', 'bea'], 'ann');
  expect(press('Enter')).toBe(false);
  expect(press('constructor')).toBe(false);
  expect(press('ArrowDown', 'button')).toBe(false);
  expect(now.value).toBe('ann');
});

it('has nowhere to go in a list of nothing, or of headings', () => {
  for (const rows of [[], ['A', 'B']]) {
    const { now, press } = listOf(rows);
    expect(['ArrowDown', 'ArrowUp', 'Home', 'End'].map((key) => press(key))).toEqual([true, true, true, true]);
    expect(now.value).toBeUndefined();
  }
});
