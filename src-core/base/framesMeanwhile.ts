import { formatDuration } from './formatDuration.ts';
import type { JsonObject } from './json.ts';

/** A frame that cannot be read: its beginning, and which `FrameFault` it has. */
export interface UnreadableFrame {
  frame: string;
  fault: string;
}

/** Frames that arrived while a call waited and match no request; `last` is a clause that tells why of the last one. */
export interface UnmatchedFrames {
  count: number;
  last: string;
  /** The last one, if it cannot be read. */
  unreadable?: UnreadableFrame | undefined;
}

/**
 * The sentence that the error of a call without an answer adds for what arrived after the call was sent, and its
 * details: `lastFrameMs` is null if nothing arrived. `sinceFrameMs`: ms since the last frame of the source, if it has
 * a wire.
 */
export function framesMeanwhile(
  { count, last, unreadable }: UnmatchedFrames,
  tookMs: number,
  sinceFrameMs: number | undefined,
): { hint?: string; details?: JsonObject } {
  if (count === 0) {
    if (sinceFrameMs === undefined) return {};
    const after = tookMs - sinceFrameMs;
    if (after < 0)
      return { hint: 'The device has sent nothing since the call was sent.', details: { lastFrameMs: null } };
    const hint = `The last frame arrived ${formatDuration(after)} after the call was sent.`;
    return { hint, details: { lastFrameMs: after } };
  }
  const hint =
    count === 1
      ? `Meanwhile a frame arrived that matches no request: ${last}. See the wire log.`
      : `Meanwhile ${count} frames arrived that match no request, the last: ${last}. See the wire log.`;
  return { hint, details: { unmatchedFrames: count, lastUnmatched: last, ...unreadable } };
}
