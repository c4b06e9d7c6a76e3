import { ToolError } from '../../../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { formatLimit } from '../../../base/formatDuration.ts';
import type { InvokeOptions } from '../../../registry/types.ts';
import { framesMeanwhile, type UnmatchedFrames, type UnreadableFrame } from '../../../base/framesMeanwhile.ts';
import type { Clock } from '../../../base/clock.ts';
import { LatencyWindow } from './latencyWindow.ts';
import type { DoctorCause, FrameFault } from '../../../contract/deviceInfo.ts';
import type { FrameNote } from '../../frames/frameLog.ts';

/** A device's answer: a result, or an error, whose `code` the firmware omits (docs/protocols/device-mcp.md). */
export type RpcAnswer =
  | { ok: true; id: number; result: JsonValue | undefined; /** Length of the frame it came in. */ chars: number }
  | { ok: false; id: number; message: string; code?: number };

/** A frame of a device that cannot be read. */
export interface UnreadableAnswer extends UnreadableFrame {
  fault: FrameFault;
}

/** One JSON-RPC request to a device. */
export interface RpcRequest {
  method: string;
  params: JsonObject;
  /** For the log: what is asked. */
  summary: string;
  /** The tool that it calls. */
  tool?: string | undefined;
  callId?: string | undefined;
  signal?: AbortSignal | undefined;
  /** ms from sending. */
  timeoutMs?: number | undefined;
  onSent?: (() => void) | undefined;
  /** Called with ms from sending, just before `onEnd`, if an answer or `endAll` ends the request. */
  onTimed?: InvokeOptions['onTimed'] | undefined;
  /** Called for each message that matches no request, while the request waits. */
  onUnmatched?: InvokeOptions['onUnmatched'] | undefined;
}

/** Receives the outcome of a request: its answer, or why there will be none. */
export type RpcEnd = (outcome: RpcAnswer | Error) => void;

/** A request that was sent and has no answer yet. */
export interface PendingRequest {
  id: number;
  method: string;
  sentAt: number;
  /** The tool that it calls. */
  tool: string | undefined;
}

/** A request whose answer the end of the connection may have cut off. One without an id is sent by hand. */
export type CutRequest = Omit<PendingRequest, 'id'> & { id?: number | undefined; callId?: string | undefined };

/** What the user sent by hand. */
type ByHand = Pick<CutRequest, 'id' | 'method'> & { summary: string; tool?: string | undefined };

/** Why the answer to a call was of no use. */
export const callFaultCauses = [
  'call-timeout',
  'call-unmatched',
  'answered-late',
  'back-after-crash',
  'broken-frames',
] as const satisfies readonly DoctorCause[];

/** A call of a tool that got no usable answer. `at` is epoch ms. */
export interface CallFault {
  id: number;
  cause: (typeof callFaultCauses)[number];
  tookMs: number;
  at: number;
  /** Of `broken-frames`: what was wrong with the frame, if it is known. */
  fault?: FrameFault;
}

/** A request, ours or one sent by hand, until its answer arrives. */
interface Pending extends PendingRequest {
  summary: string;
  callId: string | undefined;
  /** The user sent it: its answer is only logged. */
  byHand: boolean;
  /** It was given up because its time was up: a later answer is of no use to its call. */
  timedOut?: true;
  unmatched: UnmatchedFrames;
  /** What is wrong with the last of them, if it cannot be read. */
  fault?: FrameFault | undefined;
  wait: Wait | undefined;
}

/** The callbacks of a waiting request, and what else may end it. */
interface Wait {
  onEnd: RpcEnd;
  onTimed: RpcRequest['onTimed'];
  onUnmatched: RpcRequest['onUnmatched'];
  signal: AbortSignal | undefined;
  onAbort: (() => void) | undefined;
  stopTimer: (() => void) | undefined;
}

/** Sends a message; a transport may take a while to. */
type Send = (payload: string, note: FrameNote) => void | Promise<void>;

const maxId = 2 ** 31 - 1;
const maxAbandoned = 256;
/** For so many ms, the end of the connection may be due to what the user sent by hand. */
const byHandMs = 30_000;
const answerNote = { type: 'mcp', role: 'answer' } as const;

/**
 * JSON-RPC 2.0 towards one device. Ids are integers from one counter, 1 to 2^31 - 1: the firmware ignores any other
 * kind and cuts larger ones (docs/protocols/device-mcp.md).
 */
export class RpcPeer {
  readonly #send: Send;
  readonly #clock: Clock;
  readonly #msSinceFrame: (() => number) | undefined;
  /** In the order they were sent. An array: under steady traffic, a Map keeps its old tables from being collected. */
  readonly #pending: Pending[] = [];
  /** Requests that were given up or sent by hand, kept to identify their answers in the log. */
  readonly #abandoned = new Map<number, Pending>();
  /** Of calls of tools. */
  readonly latency = new LatencyWindow();
  /** The last call that got no usable answer, until one succeeds. */
  callFault: CallFault | undefined;
  #lastId = 0;
  /** The last call that the user sent by hand, until its answer arrives. */
  #byHand: CutRequest | undefined;

  constructor(options: { send: Send; clock: Clock; msSinceFrame?: (() => number) | undefined }) {
    this.#send = options.send;
    this.#clock = options.clock;
    this.#msSinceFrame = options.msSinceFrame;
  }

  /** The oldest call of a tool that waits for its answer. */
  get oldestCall(): (PendingRequest & { callId: string | undefined }) | undefined {
    return this.#pending.find(({ tool }) => tool !== undefined);
  }

  /** The call that the end of the connection cuts off. */
  get callAtEnd(): CutRequest | undefined {
    const byHand = this.#byHand;
    const isRecent = byHand !== undefined && this.#clock.now() - byHand.sentAt <= byHandMs;
    return this.oldestCall ?? (isRecent ? byHand : undefined);
  }

  /**
   * Sends a request. `onEnd` is called once: with the answer, or with an error when the signal aborts, the time is up,
   * `endAll` is called, or nothing could be sent.
   */
  request(request: RpcRequest, onEnd: RpcEnd): void {
    const { method, params, summary, tool, callId, signal, timeoutMs } = request;
    if (signal?.aborted === true) return onEnd(abortError(signal));
    const id = this.#nextId();
    const { onTimed, onUnmatched } = request;
    const wait: Wait = { onEnd, onTimed, onUnmatched, signal, onAbort: undefined, stopTimer: undefined };
    const sentAt = this.#clock.now();
    const pending: Pending = {
      id,
      method,
      summary,
      tool,
      callId,
      byHand: false,
      sentAt,
      unmatched: { count: 0, last: '' },
      wait,
    };
    try {
      const text = JSON.stringify({ jsonrpc: '2.0', id, method, params });
      // A transport within one process may answer before `send` returns.
      this.#pending.push(pending);
      const sent = this.#send(text, { type: 'mcp', role: 'request', method, summary, rpcId: id, callId });
      // Time is counted from here, as in the executor: writing the log takes time, too.
      pending.sentAt = this.#clock.now();
      if (sent !== undefined) sent.catch((error: unknown) => this.#giveUp(id, asError(error)));
      if (pending.wait === undefined) return request.onSent?.();
      if (signal !== undefined) {
        wait.onAbort = () => this.#giveUp(id, abortError(signal));
        signal.addEventListener('abort', wait.onAbort);
      }
      if (timeoutMs !== undefined)
        wait.stopTimer = this.#clock.after(timeoutMs, () => this.#giveUp(id, this.#timeoutError(request, pending)));
      request.onSent?.();
    } catch (error) {
      this.#take(id);
      endWait(pending, asError(error));
    }
  }

  /** Whether the answer to this id belongs to a request of ours that waits for it. */
  awaits(id: number): boolean {
    return this.#indexOf(id) >= 0;
  }

  /** The id of the request that waits, if it is the only one. */
  get onlyWaiting(): number | undefined {
    return this.#pending.length === 1 ? this.#pending[0]?.id : undefined;
  }

  /** The id that the next request of ours will have. */
  get nextId(): number {
    let next = this.#lastId;
    // An answer to one of these may still come.
    do next = next === maxId ? 1 : next + 1;
    while (this.awaits(next) || this.#abandoned.has(next));
    return next;
  }

  /** Remembers what the user sent by hand: a request with a chosen id, to identify its answer and to not reuse the id. */
  expectByHand({ id, method, summary, tool }: ByHand): void {
    const sentAt = this.#clock.now();
    if (tool !== undefined) this.#byHand = { id, method, tool, sentAt };
    if (id === undefined) return;
    const nobody = { tool: undefined, callId: undefined, wait: undefined };
    this.#abandon({ id, method, summary, byHand: true, sentAt, unmatched: { count: 0, last: '' }, ...nobody });
  }

  /** Sends a notification, which has no answer. */
  notify(method: string): void | Promise<void> {
    return this.#send(JSON.stringify({ jsonrpc: '2.0', method }), notificationNote(method));
  }

  /** Takes a message of the device, in a frame of `chars` characters. The note says what the message was. */
  receive(payload: JsonValue | undefined, chars: number): FrameNote {
    if (!isJsonObject(payload))
      return this.#unmatched('it has no payload object', { type: 'mcp', summary: 'mcp without a payload object' });
    const { id, method, error } = payload;
    if (typeof method === 'string') return noteOfTheirs(id, method);
    if (typeof id !== 'number')
      return this.#unmatched(whyNoNumber(id), {
        ...answerNote,
        summary: 'mcp answer without a numeric id',
        failed: true,
      });
    if (error !== undefined && error !== null) {
      const { message, code } = isJsonObject(error) ? error : { message: error };
      const answer: RpcAnswer = {
        ok: false,
        id,
        message: typeof message === 'string' ? message : 'an error without a message',
      };
      if (typeof code === 'number') answer.code = code;
      return this.#settle(id, answer, true);
    }
    const result = payload['result'];
    return this.#settle(id, { ok: true, id, result, chars }, isJsonObject(result) && result['isError'] === true);
  }

  /** Takes a message that matches no request: it may be the answer to any that waits. `why`: a clause. */
  receiveUnmatched(why: string, unreadable?: UnreadableAnswer): void {
    for (const pending of this.#pending) {
      pending.unmatched = { count: pending.unmatched.count + 1, last: why, unreadable };
      pending.fault = unreadable?.fault;
      pending.wait?.onUnmatched?.(why, unreadable);
    }
  }

  /** Takes an answer that cannot be read; the request of this id fails with the error. */
  receiveBroken(id: number, errorFor: (request: PendingRequest) => ToolError, fault?: FrameFault): FrameNote {
    const pending = this.#pending[this.#indexOf(id)];
    if (pending !== undefined) this.#noteFault(pending, 'broken-frames', fault);
    const note = this.#settle(id, pending === undefined ? new Error('unread') : errorFor(pending), true);
    return { ...note, type: 'invalid' };
  }

  /** Ends every waiting request, usually with an error. `endedAt` is a time of the clock. */
  endAll(outcomeFor: (request: PendingRequest) => RpcAnswer | Error, endedAt: number): void {
    const waiting = this.#pending.splice(0);
    for (const request of waiting) endWait(request, outcomeFor(request), endedAt - request.sentAt);
  }

  #settle(id: number, outcome: RpcAnswer | Error, failed: boolean): FrameNote {
    const pending = this.#take(id);
    const known = pending ?? this.#abandoned.get(id);
    if (known === undefined) {
      const summary = id > 0 && id <= this.#lastId ? `second answer to #${id}` : 'answer with an unknown id';
      return this.#unmatched(`its id is ${id}`, { ...answerNote, summary, rpcId: id, failed: true });
    }
    this.#abandoned.delete(id);
    if (this.#byHand?.id === id) this.#byHand = undefined;
    // To the arrival of the frame. To a µs, as in results: rounded for the user, the frame and the result of a call are the same.
    const arrivedAt = this.#clock.now() - (this.#msSinceFrame?.() ?? 0);
    const durationMs = Math.max(0, Math.round((arrivedAt - known.sentAt) * 1_000) / 1_000);
    // A late answer is a round trip, too; no answer is none.
    if (known.tool !== undefined) this.latency.add(durationMs);
    if (pending?.tool !== undefined && !failed) this.callFault = undefined;
    const { timedOut } = known;
    if (timedOut && this.callFault?.id === id)
      this.callFault = { ...this.callFault, cause: 'answered-late', tookMs: durationMs };
    if (pending !== undefined) endWait(pending, outcome, durationMs);
    const late = pending === undefined && !known.byHand;
    const summary = `${late ? 'late answer to' : 'answer to'} ${known.summary}`;
    const { method, callId } = known;
    return { ...answerNote, method, summary, rpcId: id, durationMs, callId, failed: failed || timedOut === true };
  }

  #unmatched(why: string, note: FrameNote): FrameNote {
    this.receiveUnmatched(why);
    return { ...note, callId: this.oldestCall?.callId };
  }

  /** Stops waiting for an answer. The request is remembered for a while, to identify a late answer. */
  #giveUp(id: number, error: Error): void {
    const pending = this.#take(id);
    if (pending === undefined) return;
    if (error instanceof ToolError && error.code === 'timeout') {
      pending.timedOut = true;
      const withoutFault = pending.unmatched.count === 0 ? 'call-timeout' : 'call-unmatched';
      this.#noteFault(pending, pending.fault === undefined ? withoutFault : 'broken-frames', pending.fault);
    }
    endWait(pending, error);
    this.#abandon(pending);
  }

  #timeoutError({ method, timeoutMs = 0 }: RpcRequest, { id: requestId, unmatched, sentAt }: Pending): ToolError {
    const { hint, details } = framesMeanwhile(unmatched, this.#clock.now() - sentAt, this.#msSinceFrame?.());
    const message = `No answer to ${method} within ${formatLimit(timeoutMs)}.`;
    return new ToolError('timeout', hint === undefined ? message : `${message} ${hint}`, {
      details: { timeoutMs, requestId, ...details },
    });
  }

  #noteFault({ id, tool, sentAt }: PendingRequest, cause: CallFault['cause'], fault?: FrameFault): void {
    if (tool === undefined) return;
    const tookMs = this.#clock.now() - sentAt;
    this.callFault = { id, cause, tookMs, at: this.#clock.wall(), ...(fault !== undefined && { fault }) };
  }

  #abandon(request: Pending): void {
    this.#abandoned.set(request.id, request);
    if (this.#abandoned.size > maxAbandoned) this.#abandoned.delete(this.#abandoned.keys().next().value ?? 0);
  }

  /** -1 if no request has that id. A linear search: answers arrive mostly in order, and calls at once are few. */
  #indexOf(id: number): number {
    for (let index = 0; index < this.#pending.length; index += 1) if (this.#pending[index]?.id === id) return index;
    return -1;
  }

  #take(id: number): Pending | undefined {
    const index = this.#indexOf(id);
    if (index < 0) return undefined;
    const pending = this.#pending[index];
    this.#pending.splice(index, 1);
    return pending;
  }

  #nextId(): number {
    this.#lastId = this.nextId;
    return this.#lastId;
  }
}

/** Why an answer with such an id matches no request: a clause. */
function whyNoNumber(id: JsonValue | undefined): string {
  if (id === undefined) return 'it has no id';
  return typeof id === 'string' ? `its id is the text "${id.slice(0, 32)}", not a number` : 'its id is not a number';
}

const maxMethodChars = 200;

/** The note of a request that the device sent, or of a notification, which has no id. */
function noteOfTheirs(id: JsonValue | undefined, method: string): FrameNote {
  const name = method.slice(0, maxMethodChars);
  if (id === undefined) return notificationNote(name);
  return { type: 'mcp', role: 'request', method: name, summary: name };
}

/** The log note of a notification, ours or the device's. */
export function notificationNote(method: string): FrameNote {
  return { type: 'mcp', role: 'notification', method, summary: method };
}

function endWait(pending: Pending, outcome: RpcAnswer | Error, durationMs?: number): void {
  const { wait } = pending;
  if (wait === undefined) return;
  // A busy Map's old tables keep their entries, and all they hold, alive.
  pending.wait = undefined;
  wait.stopTimer?.();
  if (wait.onAbort !== undefined) wait.signal?.removeEventListener('abort', wait.onAbort);
  if (durationMs !== undefined) wait.onTimed?.(durationMs);
  wait.onEnd(outcome);
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The reason of an aborted signal if it is a `ToolError`, otherwise `cancelled`. */
export function abortError(signal: AbortSignal | undefined): ToolError {
  const reason: unknown = signal?.reason;
  return reason instanceof ToolError
    ? reason
    : new ToolError('cancelled', 'The call was cancelled.', { cause: reason });
}
