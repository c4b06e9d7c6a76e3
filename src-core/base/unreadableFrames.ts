import type { JsonObject } from './json.ts';

/** The sentence that the error of a call without an answer adds for the unreadable frames that arrived during the call. */
export function unreadableFrames(count: number): { hint?: string; details?: JsonObject } {
  if (count === 0) return {};
  const hint =
    count === 1
      ? 'Meanwhile 1 unreadable frame arrived: see the wire log.'
      : `Meanwhile ${count} unreadable frames arrived: see the wire log.`;
  return { hint, details: { unreadableFrames: count } };
}
