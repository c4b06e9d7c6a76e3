import { AsyncLocalStorage } from 'node:async_hooks';

import type { JSONRPCMessage, RequestId, Transport, TransportSendOptions } from '@modelcontextprotocol/client';

import { roundExact } from '../base/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { Deadline } from './createDeadline.ts';
import { McpError } from './errors.ts';
import { errorOf } from './explainRequestError.ts';
import type { MessageFault } from './readMessages.ts';
import type { CallOptions, InContext } from './types.ts';

/** The requests of one connection that are not answered yet. */
export interface Requests {
  /** Sends a request. The answer is its `result` as it was sent, of any shape. @throws {McpError} */
  send(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject>;
  /** Handles an answer to one of these requests, or its progress. Returns false for any other message. */
  handleMessage(message: JsonObject): boolean;
  /** Fails the request whose answer could not be read, or all of them if it is not known which it was. */
  fail(fault: MessageFault, maxBytes: number): void;
  /** Fails all of them: the connection has ended. */
  end(error: McpError): void;
  /**
   * Runs what asks the user a question of the server, which may name its task. No time of the requests that are sent already passes
   * meanwhile. The question belongs to the calls that run now: `ended` aborts once all of them have ended. If exactly one runs, the
   * question is asked in the asynchronous context of that call.
   */
  whileAsked<T>(
    question: { taskId?: string | undefined },
    run: (ended: AbortSignal, asking: readonly AskingCall[]) => Promise<T>,
  ): Promise<T>;
}

/** A call in which a server may be asking. */
type AskingCall = Pick<Pending, 'inContext' | 'onRound'>;

export interface RequestOptions {
  signal: AbortSignal;
  deadline: Deadline;
  onProgress?: CallOptions['onProgress'] | undefined;
  onRound?: CallOptions['onRound'] | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

interface Pending {
  method: string;
  /** Of a request for the result of a task. */
  taskId: JsonValue | undefined;
  deadline: Deadline;
  ended: AbortController;
  inContext: InContext;
  onProgress: CallOptions['onProgress'] | undefined;
  onRound: CallOptions['onRound'] | undefined;
  settle(outcome: { result: JsonObject } | { error: unknown }): void;
}

/** Why a question ends that belongs to a request. Made once: an error for each request would take longer than the rest of its end. */
const hasEnded = new McpError('cancelled', 'The call of this question has ended.');

/** Methods during which a server may ask the user something. */
const callMethods = new Set(['tools/call', 'tasks/result', 'resources/read', 'prompts/get']);
/** How long a server may take to acknowledge that a request is cancelled, in ms. */
const cancelMs = 10_000;

export interface RequestsOptions {
  transport: Transport;
  isModern: boolean;
  /** Of each request of a modern connection: version, client and capabilities. */
  envelope(): JsonObject;
  /** A message for a request that has ended: its answer, or its progress. */
  onLate(message: JsonObject): void;
  /** An error of the transport's `send`. */
  explain(error: unknown): McpError;
}

/**
 * Sends requests beside the SDK's client, which would reject results that its schemas do not know, and cannot tell a
 * cancelled request from one that timed out. Ids begin at 1: the client uses 0 for `initialize`, and texts.
 */
export function createRequests({ transport, isModern, envelope, onLate, explain }: RequestsOptions): Requests {
  const pending = new Map<RequestId, Pending>();
  const questions = createQuestions(pending);
  const { withMeta, transmit, cancel } = createSender(transport, isModern, envelope);
  let lastId = 0;
  let ended: McpError | undefined;

  return {
    send(method, params, { signal, deadline, onProgress, onRound, headers }) {
      if (ended) return Promise.reject(ended);
      const stopped = AbortSignal.any([signal, deadline.expired]);
      if (stopped.aborted) return Promise.reject(reasonOf(stopped));
      const id = ++lastId;
      const stream = new AbortController();
      return new Promise((resolve, reject) => {
        const settle: Pending['settle'] = (outcome) => {
          if (!pending.delete(id)) return;
          stopped.removeEventListener('abort', onStop);
          request.ended.abort(hasEnded);
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.result);
        };
        const onStop = (): void => {
          const error = reasonOf(stopped);
          settle({ error });
          cancel(id, error.message, stream);
        };
        stopped.addEventListener('abort', onStop, { once: true });
        const inContext = AsyncLocalStorage.snapshot() as InContext;
        const request: Pending = {
          method,
          taskId: params['taskId'],
          deadline,
          onProgress,
          onRound,
          settle,
          inContext,
          ended: new AbortController(),
        };
        pending.set(id, request);
        const sent = withMeta(params, onProgress ? { progressToken: id } : {});
        const onRequestStreamEnd = (): void => {
          if (pending.has(id))
            settle({ error: new McpError('connection-lost', 'The stream ended before the answer.') });
        };
        const onStream = { requestSignal: stream.signal, onRequestStreamEnd, ...(headers && { headers }) };
        questions
          .onStreamOf(request, () => transmit({ id, method, params: sent }, onStream))
          .catch((error: unknown) => settle({ error: explain(error) }));
      });
    },

    handleMessage(message) {
      const { method, params, id: answered } = message;
      const isProgress = method === 'notifications/progress';
      if (method !== undefined && !isProgress) return false;
      const id = isProgress && isJsonObject(params) ? params['progressToken'] : answered;
      if (typeof id !== 'number' || id < 1 || id > lastId) return false;
      const request = pending.get(id);
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

    whileAsked: questions.whileAsked,
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

interface Questions {
  /** Sends a request. What arrives on its stream belongs to it. */
  onStreamOf<T>(request: Pending, send: () => T): T;
  whileAsked: Requests['whileAsked'];
}

/** What the server asks while requests are pending. */
function createQuestions(pending: ReadonlyMap<RequestId, Pending>): Questions {
  /** The request on whose stream a message arrives: the SDK reads the stream in the context in which it sent the request. */
  const streams = new AsyncLocalStorage<Pending>();

  /** Without a stream of its own, a question belongs to the call of its task, or to any of the calls that run. */
  const askingRequests = (taskId: string | undefined): Pending[] => {
    const own = streams.getStore();
    if (own) return [own];
    return [...pending.values()].filter(
      (each) => callMethods.has(each.method) && (taskId === undefined || each.taskId === taskId),
    );
  };

  return {
    onStreamOf: (request, send) => streams.run(request, send),
    async whileAsked({ taskId }, run) {
      const deadlines = [...pending.values()].map(({ deadline }) => deadline);
      for (const deadline of deadlines) deadline.pause();
      const asking = askingRequests(taskId);
      const [first, ...others] = asking;
      const ended = allAborted(asking.map((request) => request.ended.signal));
      const ask = (): ReturnType<typeof run> => run(ended, asking);
      try {
        return await (first && others.length === 0 ? first.inContext(ask) : ask());
      } finally {
        for (const deadline of deadlines) deadline.resume();
      }
    },
  };
}

/** Aborts once all of them have; never if there are none. */
function allAborted(signals: readonly AbortSignal[]): AbortSignal {
  const all = new AbortController();
  const check = (): void => {
    if (signals.length > 0 && signals.every(({ aborted }) => aborted)) all.abort(hasEnded);
  };
  for (const signal of signals) signal.addEventListener('abort', check, { once: true });
  check();
  return all.signal;
}

interface Sender {
  /** Parameters with what each request carries, and `meta`. */
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
  request.deadline.restart();
  const { progress, total, message } = roundExact(params);
  request.onProgress?.({
    progress: typeof progress === 'number' ? progress : 0,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  });
}

/** The error of a signal: that of a deadline, or `cancelled`. */
export function reasonOf({ reason }: AbortSignal): McpError {
  return reason instanceof McpError
    ? reason
    : new McpError('cancelled', 'The request was cancelled.', { cause: reason });
}
