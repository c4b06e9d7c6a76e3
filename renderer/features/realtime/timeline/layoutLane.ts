import type { RealtimeTimelineItem } from '../../../../src-core/contract/types.ts';

/** Which part of the time is seen, and how large. */
export interface TimeView {
  /** Epoch ms at the left end of the whole timeline. */
  startedAt: number;
  pxPerMs: number;
  /** px of the whole timeline that are in view. */
  left: number;
  right: number;
  /** Epoch ms to which running items reach. */
  now: number;
}

/** What is drawn of a lane: an item, or several that are too near to be told apart. */
export interface Block {
  /** The first of them. */
  item: RealtimeTimelineItem;
  count: number;
  /** px from the left end of the whole timeline. */
  left: number;
  width: number;
  /** Items at one time lie over one another: this is its place of `rows`. */
  row: number;
  rows: number;
}

/** px of the smallest block that can be hit. */
const smallest = 7;
/** Rows a lane is divided into at most; what does not fit lies over the last one. */
const mostRows = 3;

/**
 * Lays out one lane, of which `items` are in the order of time. Gives only what is in view, and never more blocks than have
 * room beside one another, however many items there are. The chosen one stands for itself.
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
    // Points lie side by side; they are gathered where they are too near.
    if (item.to === item.from) return { item, row: 0, to };
    const free = until.findIndex((end) => end <= item.from);
    const row = free >= 0 ? free : Math.min(until.length, mostRows - 1);
    until[row] = Math.max(until[row] ?? 0, to);
    return { item, row, to };
  });
}
