import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Frame, FrameRow } from '../contract/frames.ts';
import type { FrameReader } from './frameTypes.ts';
import { likeSearch } from './likeText.ts';
import { nextSlice } from './nextSlice.ts';
import { createStatementCache } from './statementCache.ts';

/** A table of frames; `log` says whose each is. */
export interface FrameTable {
  insert(log: number, frame: Frame): void;
  /** The frames of one log, those of one peer in it, or those of all devices. */
  log(of?: number, connection?: string): FrameReader;
  /** The frames of a call, newest first: at most `limit`, or fewer if they have more than `characters`. */
  callFrames(callId: string, most: { limit: number; characters: number }): Frame[];
}

/** Bytes that a frame takes on disk beside its text, about. */
export const frameBytes = 170;

/** How much is read of a log at once. */
const page = { limit: 1_000, characters: 2_000_000 };

const rowColumns =
  'log, seq, at, direction, kind, type, role, method, summary, rpc_id, call_id, bytes, duration_ms, failed';
/** `text` last, so that a list of rows never reads the pages that a long one spills over to. */
const frameColumns = `${rowColumns}, cut, http, text`;

/**
 * Logs of devices but for those that are set aside or gone. Ids of all others have a line break. The `+` keeps SQLite at the
 * order of `seq`.
 */
const ofDevices = '+log IN (SELECT log FROM wire_devices WHERE aside IS NULL AND instr(device_id, char(10)) = 0) AND';

/** The same, and those of MCP servers and hosts. */
const ofCallers = `+log IN (SELECT log FROM wire_devices WHERE aside IS NULL AND
  (instr(device_id, char(10)) = 0 OR substr(device_id, 8, 3) = 'mcp' OR substr(device_id, 8, 4) = 'host')) AND`;

type Cell = string | number | null;

/**
 * `wire_frames` or `capture_frames`, which have the same columns. `ownerOf` names the owner of a log. The connection of a
 * gateway's frame is in the column `role`.
 */
export function createFrameTable(
  database: DatabaseSync,
  table: 'wire_frames' | 'capture_frames',
  ownerOf: (log: number) => Pick<Frame, 'source' | 'connection'>,
): FrameTable {
  const marks = frameColumns.replaceAll(/\w+/g, '?');
  const insert = database.prepare(`INSERT INTO ${table} (${frameColumns}) VALUES (${marks})`);
  const rows = createRowReader(ownerOf);
  const statements = (where: string): Statements => prepareStatements(database, table, where);
  let ofAll: Statements | undefined;
  let ofOne: Statements | undefined;
  let ofConnection: Statements | undefined;
  let ofCall: StatementSync | undefined;

  return {
    callFrames(callId, most) {
      const sql = `SELECT ${frameColumns} FROM ${table} WHERE ${ofCallers} call_id = ? ORDER BY seq DESC`;
      ofCall ??= prepareArrays(database, sql);
      return rows.first(ofCall.iterate(callId), most);
    },
    insert: (log, frame) => void insert.run(...cellsOf(log, frame)),
    log(of, connection) {
      if (of === undefined) return createLogReader((ofAll ??= statements(ofDevices)), [], rows);
      if (connection === undefined) return createLogReader((ofOne ??= statements('log = ? AND')), [of], rows);
      ofConnection ??= statements('log = ? AND role = ? AND');
      return createLogReader(ofConnection, [of, connection], rows);
    },
  };
}

type RowReader = ReturnType<typeof createRowReader>;
type Statements = ReturnType<typeof prepareStatements>;

/** Reads frames from the cells of rows. */
function createRowReader(ownerOf: (log: number) => Pick<Frame, 'source' | 'connection'>) {
  const toRow = (cells: Cell[]): FrameRow => {
    const [log, seq, at, direction, kind, type, role, method, summary, rpcId, callId, bytes, durationMs, failed] =
      cells;
    const { source, connection } = ownerOf(Number(log));
    // It was checked when it was recorded or imported.
    const row: FrameRow = {
      source,
      connection: source === 'gateway' ? String(role ?? '') : connection,
      seq: Number(seq),
      at: Number(at),
      direction: direction as Frame['direction'],
      kind: kind as Frame['kind'],
      type: String(type),
      summary: String(summary),
      bytes: Number(bytes),
    };
    if (source !== 'gateway' && typeof role === 'string') row.role = role as NonNullable<Frame['role']>;
    if (typeof method === 'string') row.method = method;
    if (typeof rpcId === 'number') row.rpcId = rpcId;
    if (typeof callId === 'string') row.callId = callId;
    if (typeof durationMs === 'number') row.durationMs = durationMs;
    if (failed === 1) row.failed = true;
    return row;
  };
  const toFrame = (cells: Cell[]): Frame => {
    const frame: Frame = toRow(cells);
    const [cut, http, text] = cells.slice(-3);
    if (typeof text === 'string') frame.text = text;
    if (cut === 1) frame.cut = true;
    if (typeof http === 'string') frame.http = JSON.parse(http) as NonNullable<Frame['http']>;
    return frame;
  };

  /** The first frames of a query: one at least. */
  function first(rows: Iterable<unknown>, { limit, characters }: typeof page): Frame[] {
    const frames: Frame[] = [];
    let length = 0;
    for (const cells of rows) {
      const frame = toFrame(cells as Cell[]);
      length += frame.text?.length ?? 0;
      if (frames.length > 0 && length > characters) break;
      frames.push(frame);
      if (frames.length === limit) break;
    }
    return frames;
  }

  return { toRow, toFrame, first };
}

/** The cells of a new row, in the order of the columns. */
function cellsOf(log: number, frame: Frame): Cell[] {
  const { seq, at, direction, kind, type, role, method, summary, rpcId, callId, bytes, durationMs, text, http } = frame;
  return [
    log,
    seq,
    at,
    direction,
    kind,
    type,
    frame.source === 'gateway' ? frame.connection : (role ?? null),
    method ?? null,
    summary,
    // A device may answer to any number; JSON has none that is not finite.
    rpcId !== undefined && Number.isFinite(rpcId) ? rpcId : null,
    callId ?? null,
    bytes,
    durationMs ?? null,
    frame.failed === true ? 1 : null,
    frame.cut === true ? 1 : null,
    http === undefined ? null : JSON.stringify(http),
    text ?? null,
  ];
}

function prepareArrays(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

/** The statements for one log, or, without a condition on it, for all. */
function prepareStatements(database: DatabaseSync, table: string, where: string) {
  const prepare = (sql: string): StatementSync => prepareArrays(database, sql);
  const some = `FROM ${table} WHERE ${where} seq > ?`;
  const cached = createStatementCache(database);
  return {
    rows: prepare(`SELECT ${rowColumns} ${some} ORDER BY seq LIMIT ?`),
    frames: prepare(`SELECT ${frameColumns} ${some} ORDER BY seq`),
    framesOf: prepare(
      `SELECT ${frameColumns} ${some} AND (kind = ? OR method IN (SELECT value FROM json_each(?))) ORDER BY seq`,
    ),
    frame: prepare(`SELECT ${frameColumns} FROM ${table} WHERE ${where} seq = ?`),
    first: prepare(`SELECT seq ${some} ORDER BY seq LIMIT 1`),
    last: prepare(`SELECT seq ${some} ORDER BY seq DESC LIMIT 1`),
    sizes: database.prepare(
      `SELECT seq, ifnull(octet_length(text), 0) AS bytes FROM ${table} WHERE ${where} seq < ? ORDER BY seq DESC`,
    ),
    /** `columns` of what holds one of so many patterns. */
    found(columns: string, patterns: number) {
      // The short columns first: `text` is read only if they do not hold it.
      const holds = ['type', 'summary', 'text']
        .flatMap((column) => Array<string>(patterns).fill(`${column} LIKE ? ESCAPE '\\'`))
        .join(' OR ');
      const statement = cached(
        `SELECT ${columns} FROM ${table} WHERE ${where} seq < ? AND seq >= ? AND (${holds}) ORDER BY seq DESC`,
      );
      statement.setReturnArrays(true);
      return statement;
    },
  };
}

/** Reads one log, whose place in the conditions of the statements is `log`. */
function createLogReader(read: Statements, log: (string | number)[], rows: RowReader): FrameReader {
  const seqOf = (statement: StatementSync, ...place: number[]): number | undefined => {
    const cells = statement.get(...log, ...place) as Cell[] | undefined;
    return cells && Number(cells[0]);
  };
  return {
    rows: ({ afterSeq, limit }) => (read.rows.all(...log, afterSeq, limit) as unknown as Cell[][]).map(rows.toRow),
    frames({ afterSeq = -1, only }) {
      const found =
        only === undefined
          ? read.frames.iterate(...log, afterSeq)
          : read.framesOf.iterate(...log, afterSeq, only.kind, JSON.stringify(only.methods ?? []));
      return rows.first(found, page);
    },
    frame(seq) {
      const cells = read.frame.get(...log, seq) as Cell[] | undefined;
      return cells && rows.toFrame(cells);
    },
    bounds() {
      const first = seqOf(read.first, -1);
      const last = seqOf(read.last, -1);
      return first === undefined || last === undefined ? undefined : { first, last };
    },
    search(text, { before, afterSeq }) {
      const slice = nextSlice(read.sizes.iterate(...log, before));
      if (slice === undefined) return { seqs: [] };
      const start = Math.max(slice, afterSeq + 1);
      const { patterns, confirm } = likeSearch(text);
      const find = read.found(confirm ? 'seq, type, summary, text' : 'seq', patterns.length);
      const seqs: number[] = [];
      // One text after another: of those that are not meant, none stays.
      for (const cells of find.iterate(...log, before, start, ...patterns, ...patterns, ...patterns)) {
        const [seq, ...held] = cells as unknown as Cell[];
        if (confirm === undefined || held.some((each) => confirm(String(each ?? '')))) seqs.push(Number(seq));
      }
      return slice > afterSeq ? { seqs, next: start } : { seqs };
    },
  };
}
