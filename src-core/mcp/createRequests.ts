import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { JSONRPCMessage, RequestId, Transport, TransportSendOptions } from '@modelcontextprotocol/client';

import { roundExact } from '../base/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { Deadline } from './createDeadline.ts';
import { McpError } from './errors.ts';
import { errorOf } from './explainRequestError.ts';
import type { MessageFault } from './readMessages.ts';
import type { CallOptions, InContext, RequestUser } from './types.ts';

/** The requests of one connection that are not answered yet. */
export interface Requests {
  /** Sends a request. The answer is its `result` as it was sent, of any shape. @throws {McpError} */
  send(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject>;
  /** Handles an answer to one of these requests, or its progress. Returns false for any other message. */
  handleMessage(message: JsonObject): boolean;
  /** Fails the request whose answer could not be read, or all requests if it is unknown which one it was. */
  fail(fault: MessageFault, maxBytes: number): void;
  /** Fails all of them: the connection has ended. */
  end(error: McpError): void;
  /**
   * Runs what asks the user a question of the server, which may name its task. No time of the calls that run already passes
   * meanwhile. The question belongs to those of them in which the server may be asking: `ended` aborts once all of these have ended. If
   * there is exactly one, it runs in the asynchronous context of that call. A call that follows the named task from a later time on joins
   * them. `user` is the one of that call, unless the server may be asking in a call of another user that it has not answered.
   */
  whileAsked<T>(
    question: { taskId?: string | undefined },
    run: (ended: AbortSignal, asking: ReadonlySet<Call>, user: RequestUser | undefined) => Promise<T>,
  ): Promise<T>;
  /** An answer has arrived that matches no request: it may be that of any. `why`: a clause. */
  unmatched(why: string): void;
  /** A request of the server was refused. Reported to the call that it belongs to, if that is known. */
  refused(method: string): void;
}

/** One request with its repetitions, or all requests for a task: what has one deadline, from its first request until that is cleared. */
interface Call {
  method: string;
  taskId: JsonValue | undefined;
  hasEnded: boolean;
  /** Called by `end`. */
  onEnd: Set<() => void>;
  end(): void;
  inContext: InContext;
  options: RequestOptions;
}

export interface RequestOptions extends Pick<
  CallOptions,
  'signal' | 'onProgress' | 'onRound' | 'onRefused' | 'onUnmatched' | 'user'
> {
  deadline: Deadline;
  /** The deadline of the call, if this request belongs to one and has its own deadline. */
  callDeadline?: Deadline | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

interface Pending {
  deadline: Deadline;
  onProgress: CallOptions['onProgress'];
  onUnmatched: CallOptions['onUnmatched'];
  settle(outcome: { result: JsonObject } | { error: unknown }): void;
}

/** Calls that were cancelled or timed out, and that the server may go on with, by the ids of their requests, the oldest first. */
type Abandoned = Map<RequestId, { userId: string | undefined; at: number }>;

/** Why a question ends that belongs to a call. Made once: an error for each call would take longer than the rest of its end. */
const callHasEnded = new McpError('cancelled', 'The call of this question has ended.');

/** First methods of calls during which a server may ask the user something. */
const callMethods = new Set(['tools/call', 'tasks/get', 'tasks/result', 'resources/read', 'prompts/get']);
/** How long a server may go on with an unanswered call that was cancelled or timed out, in ms. */
const abandonedMs = 600_000;
/** How long a server may take to acknowledge that a request is cancelled, in ms. */
const cancelMs = 10_000;

export interface RequestsOptions {
  transport: Transport;
  isModern: boolean;
  /** The `_meta` of each request of a modern connection: version, client and capabilities. */
  envelope(): JsonObject;
  /** A message for a request that has ended: its answer, or its progress. */
  onLate(message: JsonObject): void;
  /** An error of the transport's `send`, with the id of the request. */
  explain(error: unknown, id: RequestId): McpError;
}

/**
 * Sends requests beside the SDK's client, which would reject results that its schemas do not know, and cannot tell a
 * cancelled request from one that timed out. Ids begin at 1: the client uses 0 for `initialize`, and texts.
 */
export function createRequests({ transport, isModern, envelope, onLate, explain }: RequestsOptions): Requests {
  const pending = new Map<RequestId, Pending>();
  const abandoned: Abandoned = new Map();
  const questions = createQuestions(pending, abandoned);
  const { withMeta, transmit, cancel } = createSender(transport, isModern, envelope);
  let lastId = 0;
  let ended: McpError | undefined;

  return {
    send(method, params, options) {
      const { signal, deadline, callDeadline = deadline, onProgress, onUnmatched, headers } = options;
      if (ended) return Promise.reject(ended);
      const stopped = AbortSignal.any([signal, deadline.expired]);
      if (stopped.aborted) return Promise.reject(reasonOf(stopped));
      const id = ++lastId;
      const stream = new AbortController();
      const call = questions.callOf(method, params['taskId'], options, stopped);
      return new Promise((resolve, reject) => {
        const settle: Pending['settle'] = (outcome) => {
          if (!pending.delete(id)) return;
          stopped.removeEventListener('abort', onStop);
          if ('error' in outcome) return reject(outcome.error);
          if (callDeadline === deadline) call.end();
          resolve(outcome.result);
        };
        const onStop = (): void => {
          const error = reasonOf(stopped);
          if (!isModern && callMethods.has(method)) {
            dropOld(abandoned);
            abandoned.set(id, { userId: options.user?.id, at: performance.now() });
          }
          settle({ error });
          cancel(id, error.message, stream);
        };
        stopped.addEventListener('abort', onStop, { once: true });
        pending.set(id, { deadline, onProgress, onUnmatched, settle });
        const sent = withMeta(params, onProgress ? { progressToken: id } : {});
        const onRequestStreamEnd = (): void => {
          if (pending.has(id))
            settle({ error: new McpError('connection-lost', 'The stream ended before the answer.') });
        };
        const onStream = { requestSignal: stream.signal, onRequestStreamEnd, ...(headers && { headers }) };
        questions
          .onStreamOf(call, () => transmit({ id, method, params: sent }, onStream))
          .catch((error: unknown) => settle({ error: explain(error, id) }));
      });
    },

    handleMessage(message) {
      const { method, params, id: answered } = message;
      const isProgress = method === 'notifications/progress';
      if (method !== undefined && !isProgress) return false;
      const id = isProgress && isJsonObject(params) ? params['progressToken'] : answered;
      if (typeof id !== 'number' || id < 1 || id > lastId) return false;
      const request = pending.get(id);
      if (!isProgress) abandoned.delete(id);
      if (!request) onLate(message);
      else if (isProgress) reportProgress(params as JsonObject, request);
      else request.settle(outcomeOf(message));
      return true;
    },

    fail(fault, maxBytes) {
      const error = faultError(fault, maxBytes);
      const { id } = fault;
      const concerned = id === undefined ? [...pending.values()] : [pending.get(id)];
      for (const request of concerned) request?.settle({ error });
    },

    end(error) {
      ended ??= error;
      for (const { settle } of pending.values()) settle({ error });
    },

    unmatched: (why) => pending.forEach(({ onUnmatched }) => onUnmatched?.(why)),
    whileAsked: questions.whileAsked,
    refused: questions.refused,
  };
}

function outcomeOf({ result, error }: JsonObject): { result: JsonObject } | { error: unknown } {
  if (result === undefined) return { error: errorOf(error) };
  if (isJsonObject(result)) return { result };
  return { error: new McpError('invalid-answer', 'The result of the answer is not an object.') };
}

export function faultError({ code, reason, bytes }: MessageFault, maxBytes: number): McpError {
  const message =
    code === 'too-large' ? `The answer has ${bytes} bytes; at most ${maxBytes} are read.` : `The answer: ${reason}`;
  return new McpError(code, message, { bytes, maxBytes });
}

/** What the server asks and has no answer to. */
interface Question {
  taskId: string | undefined;
  asking: Set<Call>;
  paused: Set<Deadline>;
  /** All of `asking` have. */
  ended: AbortController;
}

interface Questions extends Pick<Requests, 'whileAsked' | 'refused'> {
  /** The call that a request belongs to, and that `stopped` ends. Its time is paused as long as a question of the call is open. */
  callOf(method: string, taskId: JsonValue | undefined, options: RequestOptions, stopped: AbortSignal): Call;
  /** Sends a request. What arrives on its stream belongs to its call. */
  onStreamOf<T>(call: Call, send: () => T): T;
}

function createQuestions(pending: ReadonlyMap<RequestId, Pending>, abandoned: Abandoned): Questions {
  /** The call on whose stream a message arrives: the SDK reads the stream in the context in which it sent the request. */
  const streams = new AsyncLocalStorage<Call>();
  const calls = new Map<Deadline, Call>();
  const open = new Set<Question>();

  const begin = (
    method: string,
    taskId: JsonValue | undefined,
    options: RequestOptions,
    stopped: AbortSignal,
  ): Call => {
    const { deadline, callDeadline = deadline } = options;
    const end = (): void => {
      calls.delete(callDeadline);
      stopped.removeEventListener('abort', end);
      callDeadline.onClear.delete(end);
      call.hasEnded = true;
      for (const each of call.onEnd) each();
    };
    stopped.addEventListener('abort', end, { once: true });
    callDeadline.onClear.add(end);
    // Faster than `AsyncLocalStorage.snapshot`.
    const context = new AsyncResource('MCP call');
    const inContext: InContext = (run) => context.runInAsyncScope(run);
    const call: Call = { method, taskId, hasEnded: false, onEnd: new Set(), end, inContext, options };
    calls.set(callDeadline, call);
    for (const question of open) if (taskId !== undefined && question.taskId === taskId) mayAsk(question, call);
    return call;
  };

  /** A question without its own stream belongs to the call of its task, or to any of the running calls. */
  const askingCalls = (taskId: string | undefined): Call[] => {
    const own = streams.getStore();
    return own ? [own] : [...calls.values()].filter((call) => taskId === undefined || call.taskId === taskId);
  };

  return {
    callOf(method, taskId, options, stopped) {
      const { deadline, callDeadline = deadline } = options;
      const call = calls.get(callDeadline) ?? begin(method, taskId, options, stopped);
      for (const question of open)
        if (question.asking.has(call) || question.paused.has(callDeadline)) pause(question, [deadline, callDeadline]);
      return call;
    },
    onStreamOf: (call, send) => streams.run(call, send),
    async whileAsked({ taskId }, run) {
      // The answer that names the task may have arrived just before.
      if (taskId !== undefined && askingCalls(taskId).length === 0) await nextTurn();
      const question: Question = { taskId, asking: new Set(), paused: new Set(), ended: new AbortController() };
      open.add(question);
      pause(question, [...calls.keys(), ...[...pending.values()].map(({ deadline }) => deadline)]);
      const { asking, ended } = question;
      for (const call of askingCalls(taskId)) mayAsk(question, call);
      const [first, ...others] = asking;
      const only = others.length === 0 ? first : undefined;
      const isKnown = streams.getStore() !== undefined || taskId !== undefined;
      dropOld(abandoned);
      const user = only?.options.user;
      const isCertain = isKnown || [...abandoned.values()].every(({ userId }) => userId === user?.id);
      const ask = (): ReturnType<typeof run> => run(ended.signal, asking, isCertain ? user : undefined);
      try {
        return await (only ? only.inContext(ask) : ask());
      } finally {
        open.delete(question);
        for (const deadline of question.paused) deadline.resume();
      }
    },
    refused(method) {
      const [only, ...others] = askingCalls(undefined).filter((call) => callMethods.has(call.method));
      if (others.length === 0) only?.options.onRefused?.(method);
    },
  };
}

/** Servers of the SDK do not answer a cancelled call. */
function dropOld(abandoned: Abandoned): void {
  for (const [id, { at }] of abandoned) {
    if (performance.now() - at < abandonedMs) return;
    abandoned.delete(id);
  }
}

function pause({ paused }: Question, deadlines: readonly Deadline[]): void {
  for (const deadline of deadlines) {
    if (!paused.has(deadline)) deadline.pause();
    paused.add(deadline);
  }
}

function mayAsk({ asking, ended }: Question, call: Call): void {
  if (!callMethods.has(call.method)) return;
  asking.add(call);
  const check = (): void => {
    if ([...asking].every(({ hasEnded }) => hasEnded)) ended.abort(callHasEnded);
  };
  call.onEnd.add(check);
  check();
}

interface Sender {
  /** Parameters with the data of each request, and `meta`. */
  withMeta(params: JsonObject, meta: JsonObject): JsonObject;
  transmit(message: object, options?: TransportSendOptions): Promise<void>;
  /** Tells the server that the answer is no longer needed, and ends `stream`, which is that of the request. */
  cancel(id: number, reason: string, stream: AbortController): void;
}

function createSender(transport: Transport, isModern: boolean, envelope: () => JsonObject): Sender {
  const withMeta: Sender['withMeta'] = (params, meta) => {
    const own = isJsonObject(params['_meta']) ? params['_meta'] : {};
    const all = { ...(isModern ? envelope() : {}), ...own, ...meta };
    return Object.keys(all).length === 0 ? params : { ...params, _meta: all };
  };
  const transmit: Sender['transmit'] = (message, options) =>
    transport.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage, options);
  return {
    withMeta,
    transmit,
    cancel(id, reason, stream) {
      if (isModern && transport.hasPerRequestStream) return stream.abort();
      const params = withMeta({ requestId: id, reason }, {});
      const sent = transmit(
        { method: 'notifications/cancelled', params },
        { requestSignal: AbortSignal.timeout(cancelMs) },
      );
      // The request has failed already; a connection that has ended reports that itself.
      void sent.catch(() => undefined).finally(() => stream.abort());
    },
  };
}

function reportProgress(params: JsonObject, request: Pending): void {
  const { progress, total, message } = roundExact(params);
  request.onProgress?.({
    progress: typeof progress === 'number' ? progress : 0,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  });
  request.deadline.restart();
}

/** The error of a signal: that of a deadline, or `cancelled`. */
export function reasonOf({ reason }: AbortSignal): McpError {
  return reason instanceof McpError
    ? reason
    : new McpError('cancelled', 'The request was cancelled.', { cause: reason });
}
