/** The id of a call made by `newCallId`: the UUID of the engine's run, then the number of the call. */
const numberedId = /^([\da-f]{4})[\da-f]{4}(?:-[\da-f]{4}){3}-[\da-f]{12}(-\d+)$/;

/** An id of a call, short enough for a row, that differs from those of the calls beside it. */
export function shortCallId(callId: string): string {
  const [, run, number] = numberedId.exec(callId) ?? [];
  if (run !== undefined && number !== undefined) return `${run}${number}`;
  // A call of a series ends with its number in the series.
  return `${callId.slice(0, 8)}${/\.\d{1,5}$/.exec(callId)?.[0] ?? ''}`;
}
