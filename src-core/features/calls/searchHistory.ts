import { setImmediate as nextTurn } from 'node:timers/promises';

import type { CallPage, CallSearch } from '../../contract/types.ts';
import type { HistoryStore } from '../../store/historyTypes.ts';

/** ms that a search runs before it yields to other work. */
const turnMs = 10;

/** A page of the calls that match, newest first. Yields to other work in between; rejects if `signal` aborts. */
export async function searchHistory(
  history: Pick<HistoryStore, 'search'>,
  { limit, ...query }: CallSearch,
  signal?: AbortSignal,
): Promise<CallPage> {
  const rows: CallPage['rows'] = [];
  let began = performance.now();
  for (const found of history.search(query)) {
    signal?.throwIfAborted();
    rows.push(...found);
    // One more than asked for says that there is a next page.
    if (rows.length > limit) break;
    if (performance.now() - began < turnMs) continue;
    await nextTurn();
    began = performance.now();
  }
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, ...(rows.length > limit && last !== undefined && { next: last.seq }) };
}
