import type { RealtimeTimelineItem } from '../../../../src-core/contract/types.ts';

/** The visible part of the time, and its scale. */
export interface TimeView {
  /** Epoch ms at the left end of the whole timeline. */
  startedAt: number;
  pxPerMs: number;
  /** Visible range, in px from the left end of the whole timeline. */
  left: number;
  right: number;
  /** Epoch ms at which running items end. */
  now: number;
}

/** A drawn block of a lane: one item, or several that are too close to distinguish. */
export interface Block {
  /** The first of them. */
  item: RealtimeTimelineItem;
  count: number;
  /** px from the left end of the whole timeline. */
  left: number;
  width: number;
  /** Simultaneous items are stacked: the row of this block, out of `rows`. */
  row: number;
  rows: number;
}

/** px of the smallest clickable block. */
const smallest = 7;
/** Maximum number of rows of a lane. Further items overlap in the last row. */
const mostRows = 3;

/**
 * Lays out one lane, whose `items` are sorted by time. Returns only blocks in view, and never more than fit side by
 * side, however many items there are. The chosen item always has a separate block.
 */
export function layoutLane(
  items: readonly RealtimeTimelineItem[],
  view: TimeView,
  chosen: number | undefined = undefined,
): Block[] {
  const placed = placeInRows(items, view.now);
  const rows = placed.reduce((most, { row }) => Math.max(most, row + 1), 1);
  const blocks: Block[] = [];
  /** The last small block of each row, to which the next one may be added. */
  const open: (Block | undefined)[] = [];
  for (const { item, row, to } of placed) {
    const left = (item.from - view.startedAt) * view.pxPerMs;
    const width = Math.max(smallest, (to - item.from) * view.pxPerMs);
    if (left + width < view.left || left > view.right) continue;
    const before = open[row];
    const isSmall = width <= smallest;
    if (isSmall && item.seq !== chosen && before !== undefined && left < before.left + smallest) {
      before.count += 1;
      continue;
    }
    const block: Block = { item, count: 1, left, width, row, rows };
    blocks.push(block);
    open[row] = isSmall && item.seq !== chosen ? block : undefined;
  }
  return blocks;
}

function placeInRows(
  items: readonly RealtimeTimelineItem[],
  now: number,
): { item: RealtimeTimelineItem; row: number; to: number }[] {
  const until: number[] = [];
  return items.map((item) => {
    const to = Math.max(item.from, item.to ?? now);
    // Points share one row. Those that are too close are merged.
    if (item.to === item.from) return { item, row: 0, to };
    const free = until.findIndex((end) => end <= item.from);
    const row = free >= 0 ? free : Math.min(until.length, mostRows - 1);
    until[row] = Math.max(until[row] ?? 0, to);
    return { item, row, to };
  });
}
