import { createEarlierResults, type EarlierResults } from '../../engine/earlierResults.ts';
import type { ChatCall } from '../../contract/chat.ts';
import type { ChatEnvironment } from './environment.ts';

/** Chats whose folded texts are kept. */
const maxChats = 8;

/** The tool results and the user's messages of a chat so far. */
export function resultsOf({ book, earlierResults }: ChatEnvironment, sessionId: string): EarlierResults {
  const results = createEarlierResults(earlierResults.get(sessionId));
  for (const entry of book.entries(sessionId)) {
    if (entry.role === 'user') results.addUserText(entry.text);
    else addResults(results, entry.calls);
  }
  earlierResults.delete(sessionId);
  earlierResults.set(sessionId, results);
  if (earlierResults.size > maxChats) earlierResults.delete([...earlierResults.keys()][0] ?? '');
  return results;
}

/** Adds the results of calls that have one. */
export function addResults(results: EarlierResults, calls: readonly ChatCall[]): void {
  for (const { result } of calls) if (result !== undefined) results.add(result);
}
