import type { HistoryFound, HistoryQuery } from '../../contract/types.ts';
import type { HistoryStore } from '../../store/historyTypes.ts';

/** A page of the calls that match, newest first. Rejects if `signal` aborts. */
export async function searchHistory(
  history: Pick<HistoryStore, 'search'>,
  { limit, ...query }: HistoryQuery & { limit: number },
  signal?: AbortSignal,
): Promise<{ rows: HistoryFound[]; next?: number }> {
  const rows: HistoryFound[] = [];
  // One more than asked for says that there is a next page. Requests of others come between two parts.
  for (
    let before: number | undefined = query.before ?? Number.MAX_SAFE_INTEGER;
    before !== undefined && rows.length <= limit;
  ) {
    signal?.throwIfAborted();
    const { found, next } = await history.search({ ...query, before });
    for (const call of found) rows.push(call);
    before = next;
  }
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, ...(rows.length > limit && last !== undefined && { next: last.seq }) };
}
