import { createEarlierResults, maxKeptResults, type EarlierResults } from '../engine/earlierResults.ts';
import type { ChatCall, ChatEntry } from './entries.ts';

/** The tool results of a chat so far, the newest of them. */
export function resultsOf(entries: readonly ChatEntry[]): EarlierResults {
  const newest: ChatCall[] = [];
  let length = 0;
  for (let at = entries.length - 1; at >= 0 && length < maxKeptResults; at -= 1) {
    const entry = entries[at];
    for (const call of entry?.role === 'assistant' ? entry.calls.toReversed() : []) {
      newest.push(call);
      length += call.result?.result.length ?? 0;
    }
  }
  const results = createEarlierResults();
  addResults(results, newest.toReversed());
  return results;
}

/** Adds what tools answered. What Toolwire itself says of a call, such as that its arguments do not fit, is no result. */
export function addResults(results: EarlierResults, calls: readonly ChatCall[]): void {
  for (const { qualifiedName, toolName, result } of calls) {
    if (result === undefined || (result.status !== 'success' && result.error?.code !== 'tool-error')) continue;
    results.add(qualifiedName ?? toolName, result.result);
  }
}
