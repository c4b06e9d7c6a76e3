import type { JsonObject } from './json.ts';

/** What an error of a call without an answer says, beside its message, of so many unreadable frames that arrived meanwhile. */
export function unreadableFrames(count: number): { hint?: string; details?: JsonObject } {
  if (count === 0) return {};
  const hint =
    count === 1
      ? 'Meanwhile 1 unreadable frame arrived: see the wire log.'
      : `Meanwhile ${count} unreadable frames arrived: see the wire log.`;
  return { hint, details: { unreadableFrames: count } };
}
