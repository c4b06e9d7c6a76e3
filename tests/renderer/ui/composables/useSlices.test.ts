/** Long lists are drawn in several frames, all of them together within one budget for each frame. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { effectScope, nextTick, shallowRef, type EffectScope } from 'vue';

import {
  isDrawing,
  useSlices,
  type Slices,
  type SlicesOptions,
} from '../../../../renderer/ui/composables/useSlices.ts';

interface Item {
  position: number;
  cost: number;
}
const many = (count: number, cost: number, first = 0): Item[] =>
  Array.from({ length: count }, (_, at) => ({ position: first + at, cost }));

const frames: (() => void)[] = [];
const scopes: EffectScope[] = [];

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw));
});
afterEach(() => {
  for (const each of scopes.splice(0)) each.stop();
  frame();
  expect(isDrawing()).toBe(false);
  vi.unstubAllGlobals();
});

function frame(): void {
  for (const draw of frames.splice(0)) draw();
}

function draw(options: Pick<SlicesOptions<Item>, 'items'> & Partial<SlicesOptions<Item>>): Slices {
  const own = effectScope();
  scopes.push(own);
  const made = own.run(() =>
    useSlices({ costOf: ({ cost }) => cost, atOnce: 100, positionOf: ({ position }) => position, ...options }),
  );
  if (made === undefined) throw new Error('The scope has ended');
  return made;
}

describe('a long list', () => {
  it('is drawn from its beginning, a part at once and 240 elements in each frame', () => {
    const list = many(100, 10);
    const { range, isDrawing: isListDrawing } = draw({ items: () => list });
    expect(range.value).toEqual({ start: 0, end: 10 });
    frame();
    expect(range.value).toEqual({ start: 0, end: 34 });
    expect(isListDrawing.value).toBe(true);
    for (let at = 0; at < 3; at += 1) frame();
    expect(range.value).toEqual({ start: 0, end: 100 });
    expect(isListDrawing.value).toBe(false);
    expect(frames).toHaveLength(0);
  });

  it('is drawn from its end if that is in view', () => {
    const list = many(60, 10);
    const { range } = draw({ items: () => list, from: () => 'end' });
    expect(range.value).toEqual({ start: 50, end: 60 });
    frame();
    expect(range.value).toEqual({ start: 26, end: 60 });
    frame();
    frame();
    expect(range.value).toEqual({ start: 0, end: 60 });
  });

  it('processes an item that exceeds a frame alone', () => {
    const list = [...many(2, 90), ...many(1, 5_000, 2), ...many(1, 90, 3)];
    const { range } = draw({ items: () => list });
    const ends = [range.value.end];
    for (let at = 0; at < 4; at += 1) {
      frame();
      ends.push(range.value.end);
    }
    expect(ends).toEqual([1, 2, 3, 4, 4]);
  });

  it('keeps what is drawn when items are added at both ends, and draws the new ones in parts', async () => {
    const items = shallowRef(many(5, 10, 100));
    const { range } = draw({ items: () => items.value, from: () => 'end' });
    expect(range.value).toEqual({ start: 0, end: 5 });
    items.value = [...many(30, 10, 70), ...items.value, ...many(3, 10, 105)];
    await nextTick();
    // The new ones at the end first, and seven above.
    expect(range.value).toEqual({ start: 23, end: 38 });
    frame();
    expect(range.value).toEqual({ start: 0, end: 38 });
    items.value = items.value.slice(-10);
    await nextTick();
    expect(range.value).toEqual({ start: 0, end: 10 });
  });

  it('is drawn anew if other items replace it', async () => {
    const items = shallowRef(many(50, 10));
    const { range } = draw({ items: () => items.value });
    for (let at = 0; at < 4; at += 1) frame();
    items.value = [];
    await nextTick();
    expect(range.value).toEqual({ start: 0, end: 0 });
    items.value = many(50, 10, 500);
    await nextTick();
    expect(range.value).toEqual({ start: 0, end: 10 });
  });

  it('shares the frames with other lists: the newest first', () => {
    const [older, newer] = [many(40, 10), many(40, 10)];
    const first = draw({ items: () => older });
    const second = draw({ items: () => newer });
    frame();
    expect([first.range.value.end, second.range.value.end]).toEqual([10, 34]);
    frame();
    expect([first.range.value.end, second.range.value.end]).toEqual([28, 40]);
    frame();
    expect(first.range.value.end).toBe(40);
  });

  it('is drawn up to the items that are wanted, and further once earlier ones are', async () => {
    const items = shallowRef(many(100, 10));
    let isWanted = true;
    const list = draw({ items: () => items.value, from: () => 'end', wantsEarlier: () => isWanted });
    frame();
    expect(list.range.value).toEqual({ start: 66, end: 100 });
    isWanted = false;
    frame();
    expect(list.range.value).toEqual({ start: 66, end: 100 });
    expect([list.isDrawing.value, isDrawing(), frames.length]).toEqual([false, false, 0]);
    list.resume();
    expect([list.isDrawing.value, frames.length]).toEqual([false, 0]);
    // New ones at the end are drawn, none at the beginning.
    items.value = [...items.value, ...many(30, 10, 100)];
    await nextTick();
    expect(list.range.value).toEqual({ start: 66, end: 110 });
    frame();
    expect(list.range.value).toEqual({ start: 66, end: 130 });
    expect(list.isDrawing.value).toBe(false);
    isWanted = true;
    list.resume();
    expect(list.isDrawing.value).toBe(true);
    frame();
    expect(list.range.value).toEqual({ start: 42, end: 130 });
    frame();
    frame();
    expect(list.range.value).toEqual({ start: 0, end: 130 });
    expect(list.isDrawing.value).toBe(false);
  });

  it('has an item even if no earlier ones are wanted', async () => {
    const items = shallowRef(many(3, 5_000));
    const list = draw({ items: () => items.value, from: () => 'end', wantsEarlier: () => false });
    expect([list.range.value, list.isDrawing.value]).toEqual([{ start: 3, end: 3 }, true]);
    frame();
    expect([list.range.value, list.isDrawing.value]).toEqual([{ start: 2, end: 3 }, false]);
    items.value = many(30, 10, 500);
    await nextTick();
    expect(list.range.value).toEqual({ start: 20, end: 30 });
  });

  it('is not drawn any further once its component is gone', () => {
    const list = many(100, 10);
    const { range } = draw({ items: () => list });
    expect(isDrawing()).toBe(true);
    scopes.at(-1)?.stop();
    expect(isDrawing()).toBe(false);
    frame();
    expect(range.value).toEqual({ start: 0, end: 10 });
    expect(frames).toHaveLength(0);
  });
});
