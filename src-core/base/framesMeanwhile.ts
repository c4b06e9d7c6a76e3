import { formatDuration } from './formatDuration.ts';
import type { JsonObject } from './json.ts';

/**
 * The sentence that the error of a call without an answer adds for what arrived after the call was sent, and its
 * details: `lastFrameMs` is null if nothing arrived. `count`: unreadable frames. `sinceFrameMs`: ms since the last frame
 * of the source, if it has a wire.
 */
export function framesMeanwhile(
  count: number,
  tookMs: number,
  sinceFrameMs: number | undefined,
): { hint?: string; details?: JsonObject } {
  if (count === 0) {
    if (sinceFrameMs === undefined) return {};
    const after = tookMs - sinceFrameMs;
    if (after < 0) return { hint: 'No frame arrived after the call was sent.', details: { lastFrameMs: null } };
    const hint = `The last frame arrived ${formatDuration(after)} after the call was sent.`;
    return { hint, details: { lastFrameMs: after } };
  }
  const hint =
    count === 1
      ? 'Meanwhile 1 unreadable frame arrived: see the wire log.'
      : `Meanwhile ${count} unreadable frames arrived: see the wire log.`;
  return { hint, details: { unreadableFrames: count } };
}
