import type { FrameRow } from '../../../../src-core/contract/types.ts';
import type { TimeView } from './layoutLane.ts';

/** px between two marks: as many fit however many events there are. */
const grid = 2;

/** The wire's events in view as one SVG path of short lines, up for what came in, down for what went out; `height` in px. */
export function eventMarks(events: readonly FrameRow[], view: TimeView, height: number): string {
  const { startedAt, pxPerMs, left, right } = view;
  const first = firstAfter(events, startedAt + left / pxPerMs);
  const drawn = { in: -1, out: -1 };
  const middle = height / 2;
  let path = '';
  for (let at = first; at < events.length; at += 1) {
    const event = events[at];
    if (event === undefined) break;
    const x = Math.round(((event.at - startedAt) * pxPerMs) / grid) * grid;
    if (x > right) break;
    if (drawn[event.direction] === x) continue;
    drawn[event.direction] = x;
    path += `M${x + 0.5} ${middle}${event.direction === 'in' ? 'v-6' : 'v6'}`;
  }
  return path;
}

/** Events come in the order of time. */
function firstAfter(events: readonly FrameRow[], at: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.at ?? Infinity) >= at) high = middle;
    else low = middle + 1;
  }
  return low;
}
