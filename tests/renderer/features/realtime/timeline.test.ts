import { describe, expect, it } from 'vitest';

import { axisTicks } from '../../../../renderer/features/realtime/timeline/axisTicks.ts';
import { eventMarks } from '../../../../renderer/features/realtime/timeline/eventMarks.ts';
import { byLane, type Lane } from '../../../../renderer/features/realtime/timeline/lanes.ts';
import { layoutLane, type TimeView } from '../../../../renderer/features/realtime/timeline/layoutLane.ts';
import { nextItem } from '../../../../renderer/features/realtime/timeline/nextItem.ts';
import type { FrameRow, RealtimeTimelineItem } from '../../../../src-core/contract/types.ts';

const item = (seq: number, lane: Lane, from: number, to?: number): RealtimeTimelineItem => ({
  seq,
  lane,
  from,
  label: `item ${seq}`,
  state: to === undefined ? ('running' as const) : ('ok' as const),
  events: [],
  ...(to !== undefined && { to }),
});
const view: TimeView = { startedAt: 1_000, pxPerMs: 0.1, left: 0, right: 1_000, now: 9_000 };

describe('a lane', () => {
  it('has its spans where their time is; one that goes on reaches to now', () => {
    const blocks = layoutLane([item(1, 'response', 2_000, 4_000), item(2, 'response', 6_000)], view);
    expect(blocks.map(({ left, width }) => [left, width])).toEqual([
      [100, 200],
      [500, 300],
    ]);
  });

  it('leaves out what is not in view, but not what reaches into it', () => {
    const items = [
      item(1, 'response', 1_000, 1_100),
      item(2, 'response', 2_000, 30_000),
      item(3, 'response', 40_000, 41_000),
    ];
    const blocks = layoutLane(items, { ...view, left: 500, right: 700 });
    expect(blocks.map(({ item: { seq } }) => seq)).toEqual([2]);
  });

  it('gathers points that cannot be told apart, but not the chosen one', () => {
    const items = Array.from({ length: 20_000 }, (_, at) => item(at + 1, 'event', 1_000 + at / 2, 1_000 + at / 2));
    const blocks = layoutLane(items, view);
    expect(blocks.length).toBeLessThan(200);
    expect(blocks.reduce((sum, { count }) => sum + count, 0)).toBe(20_000);
    const chosen = layoutLane(items, view, 777).find(({ item: { seq } }) => seq === 777);
    expect(chosen?.count).toBe(1);
  });

  it('has calls of one time over one another, three at most', () => {
    const items = [1, 2, 3, 4].map((seq) => item(seq, 'tool', 2_000 + seq, 5_000));
    expect(layoutLane(items, view).map(({ row, rows }) => [row, rows])).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
      [2, 3],
    ]);
  });
});

describe('the axis', () => {
  it('has round times with room between them, at any zoom', () => {
    const ticks = axisTicks({ pxPerMs: 0.1, left: 0, right: 400 });
    expect(ticks.map(({ left, label }) => [left, label])).toEqual([
      [0, '0 s'],
      [100, '1 s'],
      [200, '2 s'],
      [300, '3 s'],
      [400, '4 s'],
    ]);
    expect(axisTicks({ pxPerMs: 2, left: 120_000, right: 120_200 })[0]?.label).toBe('1:00.00');
    expect(axisTicks({ pxPerMs: 0.0005, left: 0, right: 4_000 }).length).toBeLessThan(50);
    // 366 days in 1,300 px, and every time that a date can have.
    for (const ms of [31_622_400_000, 8_640_000_000_000_000]) {
      const far = axisTicks({ pxPerMs: 1_300 / ms, left: 0, right: 1_300 });
      expect(far.length).toBeGreaterThan(5);
      expect(far.length).toBeLessThan(17);
    }
  });
});

describe('keys', () => {
  const all = byLane([
    item(1, 'user-speech', 1_000, 2_000),
    item(2, 'response', 2_100, 3_000),
    item(3, 'response', 5_000, 6_000),
    item(4, 'tool', 5_200, 5_300),
  ]);
  const go = (from: number | undefined, key: string): number | undefined => nextItem(all, from, key)?.seq;

  it('go along a lane and to the nearest of the next one, over lanes without any', () => {
    expect(go(2, 'ArrowRight')).toBe(3);
    expect(go(3, 'ArrowLeft')).toBe(2);
    expect(go(3, 'ArrowRight')).toBeUndefined();
    expect(go(3, 'ArrowDown')).toBe(4);
    expect(go(4, 'ArrowUp')).toBe(3);
    expect(go(1, 'ArrowUp')).toBeUndefined();
    expect([go(2, 'End'), go(3, 'Home')]).toEqual([3, 2]);
  });

  it('begin at the newest where nothing is chosen; other keys lead nowhere', () => {
    expect(go(undefined, 'ArrowLeft')).toBe(4);
    expect(go(99, 'Home')).toBe(4);
    expect(go(undefined, 'x')).toBeUndefined();
    expect(nextItem(byLane([]), undefined, 'Home')).toBeUndefined();
  });
});

describe('marks of events', () => {
  it('are as many as have room, however many events there are, each way its own', () => {
    const events = Array.from({ length: 20_000 }, (_, at): FrameRow => ({
      source: 'realtime',
      connection: 'one',
      kind: 'text',
      summary: '',
      seq: at + 1,
      at: 1_000 + at,
      type: 'x',
      bytes: 1,
      direction: at % 2 === 0 ? 'in' : 'out',
    }));
    const path = eventMarks(events, { ...view, left: 200, right: 400 }, 26);
    expect(path.split('M').length - 1).toBeLessThanOrEqual(204);
    expect(path).toContain('v-6');
    expect(path).toContain('v6');
    expect(eventMarks([], view, 26)).toBe('');
  });
});
