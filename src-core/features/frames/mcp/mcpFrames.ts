import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/client';

import type { Clock } from '../../../base/clock.ts';
import { maskSecrets } from '../../../base/maskSecrets.ts';
import { oneLine } from '../../../base/hiddenCharacters.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { newCallId } from '../../../engine/newCallId.ts';
import { isResultOf } from '../../../mcp/checkResult.ts';
import { parseMessage } from '../../../mcp/readMessages.ts';
import type { WireFrame, WireNote, WireObserver } from '../../../mcp/types.ts';
import { logIdOf, type WireStore } from '../../../store/frameTypes.ts';
import type { FrameLog, FrameNote } from '../frameLog.ts';

/** Requests whose answers are waited for; beyond, the oldest is forgotten. */
const maxOpen = 1_000;
const maxName = 200;
const maxNote = 2_000;
const maxStderr = 4_000;

/** A call for which messages are sent. */
interface Call {
  id: string;
  /** Of a call that goes on as a task. */
  taskId?: JsonValue | undefined;
  hasEnded: boolean;
}

const calls = new AsyncLocalStorage<Call>();
/** The type and summary of a frame that answers no request. */
const unknownAnswer = { type: 'mcp', role: 'answer', summary: 'answer with an unknown id', failed: true } as const;

/** Runs `work`, the whole call; the frames of what it sends belong to that call, if it is of one. */
export function ofCall<T>(callId: string | undefined, work: () => T): T {
  if (callId === undefined) return work();
  const call = { id: callId, hasEnded: false };
  const result = calls.run(call, work);
  const end = (): void => void (call.hasEnded = true);
  void Promise.resolve(result).then(end, end);
  return result;
}

/** An id for the call that a message of a client makes; undefined if it calls no tool. */
export function newCallIdFor(message: JsonValue | undefined): string | undefined {
  return isJsonObject(message) && message['method'] === 'tools/call' ? newCallId() : undefined;
}

/** The id of the call for which the present code runs. */
export function currentCallId(): string | undefined {
  return calls.getStore()?.id;
}

type Http = WireFrame['http'] & {};

interface OpenRequest {
  method: string;
  summary: string;
  /** ms of the clock. */
  at: number;
  callId: string | undefined;
  call: Call | undefined;
}

/** The log of a connection that speaks MCP: to a server, from a host, or to an endpoint. */
export interface McpFrames {
  /** `message` is the frame’s text if it has been parsed already. */
  add(frame: WireFrame, message?: JsonValue): void;
  /** The connection opened or ended, or something happened beside its frames. */
  note(kind: 'open' | 'close' | 'note', text: string, of?: WireNote): void;
  /** A line that the process of a server wrote to stderr. */
  stderr(line: string): void;
}

/** Records the frames of one connection. `mask` replaces secrets that only its owner knows. */
export function createMcpFrames(options: {
  frames: Pick<FrameLog, 'add'>;
  source: 'mcp' | 'host';
  connection: string;
  mask: (text: string) => string;
  clock: Pick<Clock, 'now'>;
}): McpFrames {
  const { frames, source, connection, clock, mask } = options;
  const place = { source, connection, mask: true } as const;
  /** Ours and those of the other side, which count their ids separately. */
  const open = { out: new Map<string, OpenRequest>(), in: new Map<string, OpenRequest>() };
  /** Those for which requests were sent. */
  const sending = new Set<Call>();

  /** Masked before it is cut, so that no part of a secret is left at the end. */
  const shorten = (text: string): string => oneLine(mask(text).slice(0, maxName));

  function noteOf(frame: WireFrame, message: JsonValue | undefined): FrameNote {
    const { text, direction, answers, http } = frame;
    if (!isJsonObject(message)) {
      const summary = shorten(text) || (http ? `HTTP ${http.status}` : '');
      const answer = answers === undefined ? {} : noteOf(frame, { id: answers });
      return { ...answer, type: 'invalid', summary, failed: true };
    }
    const { method } = message;
    const id = message['id'] ?? answers;
    const rpcId = typeof id === 'number' ? id : cancelledBy(message);
    if (typeof method === 'string') {
      const name = mask(method).slice(0, maxName);
      const what = subjectOf(message['params']);
      const summary = what === undefined ? name : `${name} ${shorten(what)}`;
      const common = { type: 'mcp', method: name, summary, rpcId };
      if (id === undefined) return { ...common, role: 'notification', callId: callOf(open, message, direction) };
      const call = calls.getStore();
      if (call && direction === 'out') begin(sending, call, taskIdIn(message['params']));
      const asking = call ?? (source === 'mcp' && direction === 'in' ? askingCall(sending, message) : undefined);
      // An id that is a text ties an answer to its request, too. In quotes, it is never the id of a call.
      const own = typeof id === 'string' ? JSON.stringify(shorten(id)) : undefined;
      const request = { method: name, summary, at: clock.now(), callId: asking?.id ?? own, call };
      remember(open[direction], JSON.stringify(id), request);
      return { ...common, role: 'request', callId: request.callId };
    }
    const key = JSON.stringify(id ?? null);
    const asked = open[direction === 'in' ? 'out' : 'in'];
    const request = asked.get(key);
    asked.delete(key);
    if (request?.call) request.call.taskId ??= taskIdIn(message['result']);
    if (request === undefined && typeof id !== 'object' && id !== undefined)
      return { ...unknownAnswer, rpcId, callId: direction === 'in' ? askingCall(sending, message)?.id : undefined };
    const failed = isFailure(message, http) || (direction === 'in' && isInvalid(message, request?.method));
    return { ...answerTo(request, clock.now()), rpcId, failed };
  }

  return {
    add(frame, message = parseMessage(frame.text)) {
      const { direction, text, bytes, http } = frame;
      const note = noteOf(frame, message);
      frames.add({
        ...place,
        direction,
        kind: 'text',
        bytes,
        note,
        text: mask(text),
        ...(http && { http: maskHeaders(http, mask) }),
      });
    },
    note(kind, text, of) {
      const summary = maskSecrets(oneLine(mask(text)).slice(0, maxNote));
      const note = { type: kind, summary, failed: of?.code === 'request-failed' };
      frames.add({ ...place, direction: 'in', kind, bytes: 0, note });
    },
    stderr(line) {
      const text = mask(line).slice(0, maxStderr);
      const note = { type: 'stderr', summary: maskSecrets(oneLine(text).slice(0, maxName)) };
      frames.add({ ...place, direction: 'in', kind: 'note', bytes: Buffer.byteLength(line), note, text });
    },
  };
}

/** Records what a transport reports, and passes on what happened beside its messages. */
export function observerOf(
  frames: McpFrames,
  write: (kind: 'life' | 'stderr', text: string, note?: WireNote) => void,
): WireObserver {
  return {
    onFrame: frames.add,
    onNote(kind, text, note) {
      // Such a message has a frame of its own.
      if (note?.code !== 'late' && note?.code !== 'unknown-id') frames.note(kind, text, note);
      write('life', text, note);
    },
    onStderr(line) {
      frames.stderr(line);
      write('stderr', line);
    },
  };
}

interface OpenRequests {
  out: ReadonlyMap<string, OpenRequest>;
  in: ReadonlyMap<string, OpenRequest>;
}

/** The SDK uses the id of the request as its progress token. A side cancels its own requests and reports on the other's. */
function callOf(
  open: OpenRequests,
  { method, params }: JsonObject,
  direction: WireFrame['direction'],
): string | undefined {
  const token = isJsonObject(params) ? (params['progressToken'] ?? params['requestId']) : undefined;
  if (token === undefined) return currentCallId();
  const isOurs = (method === 'notifications/cancelled') === (direction === 'out');
  return open[isOurs ? 'out' : 'in'].get(JSON.stringify(token))?.callId;
}

function answerTo(request: OpenRequest | undefined, now: number): FrameNote {
  return {
    type: 'mcp',
    role: 'answer',
    summary: request ? `answer to ${request.summary}` : 'answer',
    method: request?.method,
    callId: request?.callId,
    durationMs: request && Math.round((now - request.at) * 1_000) / 1_000,
  };
}

/** A request is sent for a call; those that have ended are forgotten. */
function begin(sending: Set<Call>, call: Call, taskId: JsonValue | undefined): void {
  for (const each of sending) if (each.hasEnded) sending.delete(each);
  sending.add(call);
  call.taskId ??= taskId;
}

/** The call in which a server asks without a stream of its own: that of the task which it names, or the only one that runs. */
function askingCall(sending: ReadonlySet<Call>, { params }: JsonObject): Call | undefined {
  const taskId = taskIdIn(params);
  const running = [...sending].filter((call) => !call.hasEnded && (taskId === undefined || call.taskId === taskId));
  return running.length === 1 ? running[0] : undefined;
}

/** The task that a request is about, that a question belongs to, or that an answer names. */
function taskIdIn(of: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(of)) return undefined;
  const related = isJsonObject(of['_meta']) ? of['_meta'][RELATED_TASK_META_KEY] : undefined;
  return of['taskId'] ?? [of['task'], related].find(isJsonObject)?.['taskId'];
}

function remember(open: Map<string, OpenRequest>, key: string, request: OpenRequest): void {
  open.set(key, request);
  const [oldest] = open.keys();
  if (open.size > maxOpen && oldest !== undefined) open.delete(oldest);
}

/** Masks secrets that only the owner of a connection knows in the headers of a frame. */
export function maskHeaders(http: Http, mask: (text: string) => string): Http {
  const headers = Object.entries(http.headers).map(([name, value]) => [name, mask(value)] as const);
  return { ...http, headers: Object.fromEntries(headers) };
}

/** Deletes the log of a server or a host, and its facts. */
export async function dropLog(
  { frames, wire }: { frames: Pick<FrameLog, 'setAside'>; wire: Pick<WireStore, 'drop'> },
  of: Parameters<typeof logIdOf>[0],
): Promise<void> {
  const key = randomUUID();
  await frames.setAside(logIdOf(of), { key, keepFacts: false });
  await wire.drop(key);
}

/** The one parameter that tells the requests of a method apart. */
function subjectOf(params: JsonValue | undefined): string | undefined {
  if (!isJsonObject(params)) return undefined;
  const what = params['name'] ?? params['uri'] ?? params['cursor'];
  return typeof what === 'string' ? what : undefined;
}

/** The id of the request that a notification cancels. */
function cancelledBy({ method, params }: JsonObject): number | undefined {
  const id = method === 'notifications/cancelled' && isJsonObject(params) ? params['requestId'] : undefined;
  return typeof id === 'number' ? id : undefined;
}

/** Returns whether the result of an answer is invalid. A task or a question that is sent instead is not checked. */
function isInvalid({ result }: JsonObject, method = ''): boolean {
  if (!isJsonObject(result) || 'task' in result) return false;
  return (result['resultType'] ?? 'complete') === 'complete' && !isResultOf(method, result);
}

function isFailure({ error, result }: JsonObject, http: WireFrame['http']): boolean {
  return (http?.status ?? 0) >= 400 || error !== undefined || (isJsonObject(result) && result['isError'] === true);
}
