import type { FrameRow } from '../../../src-core/contract/types.ts';

/** A row of the log, with the other half of its exchange if there is one. */
export interface LogEntry {
  row: FrameRow;
  /** On a request: its answer, once received. */
  answer?: LogEntry;
  /** On an answer: its request, if the log still has it. */
  request?: LogEntry;
  /** On a request without an answer: when the connection ended or the request was cancelled, in epoch ms. */
  lostAt?: number;
  cancelled?: true;
  /** It asked the device to leave, which needs no answer. */
  asAsked?: true;
  /** On the end of a connection or a cancellation: the requests that lost their answer by it. */
  ends?: readonly LogEntry[];
}

/**
 * The rows of one log, oldest first, each answer linked to its request. Deliberately a plain object: with 100,000 rows,
 * making them reactive would cost more than everything else here.
 */
export class WireRows {
  readonly entries: LogEntry[] = [];
  /** Number of rows that report a failure, and of requests without an answer on connections that ended. */
  failures = 0;
  /** Number of rows of sound. */
  sounds = 0;
  /** The highest id of a request. */
  highestRequestId = 0;
  /** Unanswered requests, by connection, then by direction and id. */
  readonly #open = new Map<string, Map<string, LogEntry>>();
  /** Connections that were closed from here, and have not ended yet, with the reason. */
  readonly #closing = new Map<string, string>();

  /** -1 if there is none. */
  get lastSeq(): number {
    return this.entries.at(-1)?.row.seq ?? -1;
  }

  /** Requests that may still be answered. */
  *waiting(): Iterable<LogEntry> {
    for (const requests of this.#open.values())
      for (const request of requests.values()) if (request.lostAt === undefined) yield request;
  }

  /** Appends rows that follow the existing ones. */
  add(rows: readonly FrameRow[]): void {
    for (const row of rows) {
      const entry: LogEntry = { row };
      this.#tie(entry);
      this.entries.push(entry);
      this.#count(entry, 1);
    }
  }

  /** Removes the rows that the log has dropped; returns their number. */
  dropBefore(firstSeq: number): number {
    const gone = placeOf(this.entries, firstSeq);
    for (const entry of this.entries.splice(0, gone)) {
      delete entry.answer?.request;
      const open = this.#open.get(entry.row.connection);
      if (open?.get(keyOf(entry.row)) === entry) open.delete(keyOf(entry.row));
      this.#count(entry, -1);
    }
    return gone;
  }

  clear(): void {
    this.entries.length = 0;
    this.#open.clear();
    this.#closing.clear();
    this.highestRequestId = 0;
    this.failures = this.sounds = 0;
  }

  #count(entry: LogEntry, by: 1 | -1): void {
    if (isSound(entry.row)) this.sounds += by;
    if (isFailure(entry.row) || (entry.lostAt !== undefined && needsAnswer(entry))) this.failures += by;
  }

  /** These requests get no answer any more, though one that was cancelled may. */
  #lose(by: LogEntry, requests: readonly LogEntry[]): void {
    by.ends = requests.filter(({ lostAt }) => lostAt === undefined);
    for (const request of by.ends) {
      request.lostAt = by.row.at;
      const { kind, rpcId } = by.row;
      if (kind === 'close' && rpcId !== undefined && rpcId === request.row.rpcId && request.row.direction === 'out')
        request.asAsked = true;
      if (needsAnswer(request)) this.failures += 1;
    }
  }

  /** Whether a row is the end of a connection that was closed from here, perhaps after the device had connected again. */
  #isOfEarlier({ connection, kind, direction, summary }: FrameRow): boolean {
    if (kind !== 'close') return false;
    // The codes may differ: a board does not answer the close frame.
    const reason = summary.slice(summary.indexOf(' ') + 1);
    if (direction === 'in') return this.#closing.get(connection) === reason && this.#closing.delete(connection);
    this.#closing.set(connection, reason);
    return false;
  }

  #tie(entry: LogEntry): void {
    const { row } = entry;
    // The event that ended it has its own row.
    if (this.#isOfEarlier(row)) entry.row = { ...row, failed: false };
    else if (row.kind === 'open' || row.kind === 'close') {
      this.#lose(entry, [...(this.#open.get(row.connection)?.values() ?? [])]);
      this.#open.delete(row.connection);
    }
    const id = row.rpcId ?? row.callId;
    if (id === undefined) return;
    let open = this.#open.get(row.connection);
    if (row.role === 'request') {
      this.highestRequestId = Math.max(this.highestRequestId, row.rpcId ?? 0);
      if (!open) this.#open.set(row.connection, (open = new Map()));
      open.set(keyOf(row), entry);
    } else if (row.method === 'notifications/cancelled') {
      const request = open?.get(keyOf(row));
      if (!request) return;
      request.cancelled = true;
      this.#lose(entry, [request]);
    } else if (row.role === 'answer') {
      const key = keyOf({ ...row, direction: row.direction === 'in' ? 'out' : 'in' });
      const request = open?.get(key);
      if (!request) return;
      open?.delete(key);
      if (request.lostAt !== undefined && needsAnswer(request)) this.failures -= 1;
      delete request.lostAt;
      request.answer = entry;
      entry.request = request;
    }
  }
}

/** What a request and its answer have in common, within a connection. `direction` is the request's. */
function keyOf({ direction, rpcId, callId }: Pick<FrameRow, 'direction' | 'rpcId' | 'callId'>): string {
  return `${direction}${rpcId ?? callId}`;
}

/** The id that the frame of a row has. A device's has only that of JSON-RPC: the id of its call is ours. */
export const wireIdOf = ({ source, rpcId, callId }: FrameRow): number | string | undefined =>
  rpcId ?? (source === 'device' ? undefined : callId);

/** Whether a row is an answer that came after its call had been given up. */
export const isLate = ({ summary }: Pick<FrameRow, 'summary'>): boolean => summary.startsWith('late answer to ');

/** Whether a request without an answer is a failure. */
export const needsAnswer = ({ row, asAsked }: LogEntry): boolean => !isProbe(row) && asAsked === undefined;

/** Whether a row by itself reports a failure. */
export function isFailure({ kind, type, summary, failed, ...row }: FrameRow): boolean {
  // A device that restarts as it was asked sends no close frame.
  if (kind === 'close')
    return failed !== false && /^\d{4}\b/.test(summary) && !/^100[015]\b|^1006 as .* requires$/.test(summary);
  return type === 'invalid' || (failed === true && !isProbe(row));
}

/** Whether a row is a run of readable sound, and not what may be the answer to a call, or was sent by hand. */
export const isSound = ({ kind, type, callId, summary }: FrameRow): boolean =>
  kind === 'binary' && type === 'audio' && callId === undefined && /^\d+ audio frame/.test(summary);

/** Each MCP server is asked first whether it has the newest revision. An older one refuses, or does not answer. */
export function isProbe({ source, method }: Pick<FrameRow, 'source' | 'method'>): boolean {
  return source === 'mcp' && method === 'server/discover';
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

/** Index of the entry of a `seq` in entries of any order; -1 if it is not among them. */
export function indexOf(entries: readonly LogEntry[], seq: number): number {
  const at = placeOf(entries, seq);
  return entries[at]?.row.seq === seq ? at : entries.findIndex(({ row }) => row.seq === seq);
}
