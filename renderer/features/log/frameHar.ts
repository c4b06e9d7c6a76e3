import type { Frame } from '../../../src-core/contract/types.ts';
import type { LogEntry } from './wireRows.ts';

/** Rows that are copied at most, and the characters of their texts. */
const mostRows = 1_000;
const mostCharacters = 10_000_000;
/** Frames that are read at once. */
const atOnce = 16;

interface Exchange {
  entry: LogEntry;
  frame: Frame;
  /** Of a folded pair. */
  answer: Frame | undefined;
}

/**
 * The newest of some rows as an HTTP Archive (docs/captures.md), with the number of rows in it. Texts and headers are those of the
 * log, in which secrets are masked. Rejects if a frame cannot be read.
 */
export async function harOf(options: {
  entries: readonly LogEntry[];
  isFolded: (entry: LogEntry) => boolean;
  frame: (seq: number) => Promise<Frame>;
  version: string;
}): Promise<{ text: string; rows: number }> {
  const { entries, isFolded, frame } = options;
  const inTime = [...entries].sort((a, b) => a.row.seq - b.row.seq).slice(-mostRows);
  const exchanges: Exchange[] = [];
  for (let end = inTime.length, characters = 0; end > 0 && characters < mostCharacters; end -= atOnce) {
    const part = await Promise.all(
      inTime.slice(Math.max(0, end - atOnce), end).map(async (entry): Promise<Exchange> => {
        const half = isFolded(entry) ? entry.answer : undefined;
        const [one, answer] = await Promise.all([frame(entry.row.seq), half && frame(half.row.seq)]);
        return { entry, frame: one, answer };
      }),
    );
    exchanges.unshift(...part);
    for (const { frame: one, answer } of part) characters += (one.text?.length ?? 0) + (answer?.text?.length ?? 0);
  }
  const creator = { name: 'Toolwire', version: options.version };
  const log = { version: '1.2', creator, entries: exchanges.map((exchange) => harEntry(exchange)) };
  return { text: JSON.stringify({ log }, undefined, 2), rows: exchanges.length };
}

function harEntry({ entry, frame, answer }: Exchange): object {
  const { source, connection, at, kind, direction, type, method, summary, rpcId, callId, seq, failed, cut } = frame;
  const time = answer?.durationMs ?? frame.durationMs ?? 0;
  const place = [connection, summary || type].map((part) => encodeURIComponent(part)).join('/');
  return {
    startedDateTime: new Date(at).toISOString(),
    time,
    request: {
      method: frame.http?.method ?? method ?? type,
      url: `toolwire://${source}/${place}`,
      ...messageOf(frame),
      queryString: [],
      ...(frame.text !== undefined && { postData: { mimeType: mimeTypeOf(frame.text), text: frame.text } }),
    },
    response: {
      status: answer?.http?.status ?? 0,
      statusText: '',
      ...messageOf(answer),
      redirectURL: '',
      content: {
        size: answer?.bytes ?? 0,
        mimeType: mimeTypeOf(answer?.text),
        ...(answer?.text !== undefined && { text: answer.text }),
      },
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    _toolwire: {
      seq: answer ? [seq, answer.seq] : [seq],
      direction,
      kind,
      type,
      summary,
      rpcId,
      callId,
      failed: failed === true || answer?.failed === true || undefined,
      cut: cut === true || answer?.cut === true || undefined,
      unansweredUntil: entry.lostAt === undefined ? undefined : new Date(entry.lostAt).toISOString(),
    },
  };
}

/** What a request and a response have in common. */
function messageOf(frame: Frame | undefined): object {
  return {
    httpVersion: frame?.http ? 'HTTP/1.1' : '',
    headers: Object.entries(frame?.http?.headers ?? {}).map(([name, value]) => ({ name, value })),
    cookies: [],
    headersSize: -1,
    bodySize: frame?.bytes ?? -1,
  };
}

function mimeTypeOf(text: string | undefined): string {
  if (text === undefined) return 'x-unknown';
  return /^\s*[[{]/.test(text) ? 'application/json' : 'text/plain';
}
