import type { RealtimeTimelineItem } from '../../../../src-core/contract/types.ts';
import { lanes, type Lane } from './lanes.ts';

/**
 * Returns the item that a key moves to: left and right to the neighbour in the lane, up and down to the item nearest in
 * time in the next lane that has any, Home and End to the ends of the lane. Returns undefined if there is no such item.
 */
export function nextItem(
  all: Readonly<Record<Lane, readonly RealtimeTimelineItem[]>>,
  chosen: number | undefined,
  key: string,
): RealtimeTimelineItem | undefined {
  const lane = lanes.find((each) => all[each].some(({ seq }) => seq === chosen));
  if (lane === undefined) return isMove(key) ? newest(all) : undefined;
  const row = all[lane];
  const at = row.findIndex(({ seq }) => seq === chosen);
  const here = row[at];
  if (key === 'ArrowRight') return row[at + 1];
  if (key === 'ArrowLeft') return row[at - 1];
  if (key === 'Home') return row[0];
  if (key === 'End') return row.at(-1);
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || here === undefined) return undefined;
  for (let index = lanes.indexOf(lane) + step; index >= 0 && index < lanes.length; index += step) {
    const other = lanes[index];
    const near = other && nearest(all[other], here.from);
    if (near !== undefined) return near;
  }
  return undefined;
}

function isMove(key: string): boolean {
  return ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key);
}

function nearest(row: readonly RealtimeTimelineItem[], at: number): RealtimeTimelineItem | undefined {
  let found: RealtimeTimelineItem | undefined;
  for (const item of row) if (found === undefined || Math.abs(item.from - at) < Math.abs(found.from - at)) found = item;
  return found;
}

function newest(all: Readonly<Record<Lane, readonly RealtimeTimelineItem[]>>): RealtimeTimelineItem | undefined {
  let found: RealtimeTimelineItem | undefined;
  for (const lane of lanes) {
    const last = all[lane].at(-1);
    if (last !== undefined && (found === undefined || last.from > found.from)) found = last;
  }
  return found;
}
