import type { FrameRow } from '../../../src-core/contract/types.ts';

/** A row of the log, with the other half of its exchange if there is one. */
export interface LogEntry {
  row: FrameRow;
  /** On a request: its answer, once received. */
  answer?: LogEntry;
  /** On an answer: its request, if the log still has it. */
  request?: LogEntry;
  /** On a request without an answer: the connection ended, or the request was cancelled. */
  lost?: true | 'cancelled';
}

/**
 * The rows of one log, oldest first, each answer linked to its request. Deliberately a plain object: with 100,000 rows,
 * making them reactive would cost more than everything else here.
 */
export class WireRows {
  readonly entries: LogEntry[] = [];
  /** Number of rows by type and by method, for the filters. */
  readonly types = new Map<string, number>();
  readonly methods = new Map<string, number>();
  /** The highest id of a request. */
  highestRequestId = 0;
  /** Unanswered requests, by connection, then by direction and id. */
  readonly #open = new Map<string, Map<string, LogEntry>>();

  /** -1 if there is none. */
  get lastSeq(): number {
    return this.entries.at(-1)?.row.seq ?? -1;
  }

  /** Appends rows that follow the existing ones. */
  add(rows: readonly FrameRow[]): void {
    for (const row of rows) {
      const entry: LogEntry = { row };
      this.#tie(entry);
      this.entries.push(entry);
      count(this.types, row.type, 1);
      if (row.method !== undefined) count(this.methods, row.method, 1);
    }
  }

  /** Removes the rows that the log has dropped; returns their number. */
  dropBefore(firstSeq: number): number {
    const gone = placeOf(this.entries, firstSeq);
    for (const { row, answer } of this.entries.splice(0, gone)) {
      delete answer?.request;
      count(this.types, row.type, -1);
      if (row.method !== undefined) count(this.methods, row.method, -1);
    }
    return gone;
  }

  clear(): void {
    this.entries.length = 0;
    this.types.clear();
    this.methods.clear();
    this.#open.clear();
    this.highestRequestId = 0;
  }

  #tie(entry: LogEntry): void {
    const { row } = entry;
    if (row.kind === 'open' || row.kind === 'close') {
      for (const request of this.#open.get(row.connection)?.values() ?? []) request.lost ??= true;
      this.#open.delete(row.connection);
    }
    const id = row.rpcId ?? row.callId;
    if (id === undefined) return;
    let open = this.#open.get(row.connection);
    if (row.role === 'request') {
      this.highestRequestId = Math.max(this.highestRequestId, row.rpcId ?? 0);
      if (!open) this.#open.set(row.connection, (open = new Map()));
      open.set(`${row.direction}${id}`, entry);
    } else if (row.method === 'notifications/cancelled') {
      const request = open?.get(`${row.direction}${id}`);
      if (request) request.lost = 'cancelled';
    } else if (row.role === 'answer') {
      const key = `${row.direction === 'in' ? 'out' : 'in'}${id}`;
      const request = open?.get(key);
      if (!request) return;
      open?.delete(key);
      request.answer = entry;
      entry.request = request;
    }
  }
}

/** Index of the first entry at or after `seq`. */
export function placeOf(entries: readonly LogEntry[], seq: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.row.seq ?? Infinity) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

function count<T>(counts: Map<T, number>, key: T, by: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + by;
  if (next > 0) counts.set(key, next);
  else counts.delete(key);
}
