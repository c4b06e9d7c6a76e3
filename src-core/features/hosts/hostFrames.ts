import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';

import type { Clock } from '../../base/clock.ts';
import type { JsonValue } from '../../base/json.ts';
import { createLineReader } from '../../mcp/createLineReader.ts';
import { createHeaderMask } from '../../mcp/recordingFetch.ts';
import type { WireFrame } from '../../mcp/types.ts';
import type { WireStore } from '../../store/frameTypes.ts';
import type { FrameLog } from '../frames/frameLog.ts';
import { createMcpFrames, dropLog, type McpFrames } from '../frames/mcp/mcpFrames.ts';

/** Sessions whose requests wait for their answers. */
const maxSessions = 512;
/** Bytes of one message that is recorded. */
const maxMessageBytes = 16 * 1024 * 1024;
/** Messages of a host that has not said its name yet. */
const maxHeld = 16;
const ownToken = /tw_[\w-]{43}/g;

/** Records what hosts and endpoints send and what they are answered: one log for each of them. */
export interface HostLog {
  /** The frames of one session, or of a single exchange without one; sessions count their ids separately. */
  of(hostId: string, session?: string): McpFrames;
  /** Deletes the log of a host. */
  forget(hostId: string): Promise<void>;
}

export function createHostLog(options: {
  frames: Pick<FrameLog, 'add' | 'setAside'>;
  wire: Pick<WireStore, 'drop'>;
  clock: Pick<Clock, 'now'>;
}): HostLog {
  const { frames, wire, clock } = options;
  const sessions = new Map<string, McpFrames>();

  function create(connection: string): McpFrames {
    const mask = (text: string): string => text.replaceAll(ownToken, '***');
    return createMcpFrames({ frames, source: 'host', connection, mask, clock });
  }

  return {
    of(hostId, session) {
      if (session === undefined) return create(hostId);
      const key = `${hostId}\n${session}`;
      const known = sessions.get(key) ?? create(hostId);
      sessions.delete(key);
      sessions.set(key, known);
      const [oldest] = sessions.keys();
      if (sessions.size > maxSessions && oldest !== undefined) sessions.delete(oldest);
      return known;
    },
    async forget(hostId) {
      for (const key of sessions.keys()) if (key.startsWith(`${hostId}\n`)) sessions.delete(key);
      await dropLog({ frames, wire }, { source: 'host', connection: hostId });
    },
  };
}

const maskHeaders = createHeaderMask([]);

/** Records a request of HTTP with its body; `message` is the body if it can be read. */
export function recordRequest(
  frames: McpFrames,
  { method = '', headers }: IncomingMessage,
  text: string,
  message: JsonValue | undefined,
): void {
  if (text === '') return;
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  frames.add(frameOf('in', text, { method, headers: maskHeaders(sent) }), message);
}

export function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** Records the messages of an answer as it is sent: its body, or each event of its stream. */
export function answerRecorder(
  frames: McpFrames,
  request: Request,
  answer: Response,
): ((chunk: Uint8Array | undefined) => void) | undefined {
  const { method } = request;
  const { status, headers, body } = answer;
  if (body === null) {
    // 202 is the answer to each notification.
    if (status !== 202) frames.note('note', `${method}: ${status}`);
    return undefined;
  }
  const prefix = isEventStream(answer) ? 'data: ' : '';
  // Our server writes each message on one line.
  const lines = createLineReader({
    maxBytes: maxMessageBytes,
    onLine(line) {
      const text = line.startsWith(prefix) ? line.slice(prefix.length) : '';
      if (text !== '') frames.add(frameOf('out', text, { method, status, headers: maskHeaders(headers) }));
    },
    onTooLong: () => frames.note('note', `A message of more than ${maxMessageBytes} bytes was sent`),
  });
  return (chunk) => (chunk === undefined ? lines.end() : lines.push(Buffer.from(chunk)));
}

export function frameOf(direction: WireFrame['direction'], text: string, http: WireFrame['http'] & {}): WireFrame {
  return { direction, text, bytes: Buffer.byteLength(text), http };
}

/** Records the messages of a pipe. They are held until the host has sent its name, which is part of its id. */
export function createPipeRecorder(open: () => McpFrames): {
  add(direction: WireFrame['direction'], text: string): void;
  /** The host has said its name. */
  name(): void;
} {
  let frames: McpFrames | undefined;
  let held: (() => void)[] = [];
  function name(): void {
    frames ??= open();
    for (const record of held) record();
    held = [];
  }
  return {
    add(direction, text) {
      const frame: WireFrame = { direction, text, bytes: Buffer.byteLength(text) };
      if (frames !== undefined) return frames.add(frame);
      // A frame is of the call during which it came.
      held.push(AsyncLocalStorage.bind(() => frames?.add(frame)));
      if (held.length > maxHeld) name();
    },
    name,
  };
}
