import type { FetchLike, RequestId } from '@modelcontextprotocol/client';

import { isJsonObject, type JsonValue } from '../base/json.ts';
import { maskSecrets } from '../base/maskSecrets.ts';
import { markEvents } from './eventStream.ts';
import { McpError } from './errors.ts';
import { messageOf, networkCode } from './explainRequestError.ts';
import { markMessage, parseMessage, type MessageFault } from './readMessages.ts';
import type { ServerEndpoint, WireObserver } from './types.ts';

export interface RecordingFetchOptions {
  endpoint: Extract<ServerEndpoint, { url: string }>;
  observer: WireObserver;
  maxMessageBytes: number;
  onFault(fault: MessageFault): void;
}

const secretHeader = /^(authorization|proxy-authorization|cookie|set-cookie|dpop|mcp-session-id)$|token|secret|key/i;
/** Distinguishes messages from requests of a sign-in, which have secrets and usually go to the same origin. */
const isJsonRpc = /^\{.*"jsonrpc":"2\.0"/s;
const emptyStatuses = [101, 204, 205, 304];
/** The limit of an answer that is not a message. The answers of a sign-in have their own, lower limit. */
const maxOtherBytes = 4 * 1024 * 1024;

/**
 * `fetch` for the SDK's HTTP transports: reports each message with status and headers, bounds its length, and marks the
 * integers that the SDK's `JSON.parse` would round (`restoreNumbers` restores them). Other requests, such as those of a
 * sign-in, are notes without content.
 */
export function createRecordingFetch(options: RecordingFetchOptions): FetchLike {
  const { endpoint, observer } = options;
  const { origin } = new URL(endpoint.url);
  const headersOf = createHeaderMask(Object.keys(endpoint.headers));
  const note = (method: string, url: URL, status: number): void =>
    observer.onNote('note', `${method} ${maskSecrets(url.origin + url.pathname)}: ${status}`);

  return async (input, init = {}) => {
    const url = input instanceof URL ? input : new URL(input);
    const method = init.method ?? 'GET';
    const body = typeof init.body === 'string' ? init.body : '';
    const isMessage = url.origin === origin && isJsonRpc.test(body);
    const message = isMessage ? (parseMessage(body) ?? (JSON.parse(body) as JsonValue)) : undefined;
    const id = idOf(message);
    const asksForStream = method === 'GET' && toHeaders(init.headers).get('accept')?.includes(eventStream) === true;
    if (isMessage) {
      const http = { method, headers: headersOf(toHeaders(init.headers)) };
      observer.onFrame({ direction: 'out', text: body, bytes: Buffer.byteLength(body), http }, message);
    }
    const isSlow = asksForStream || id !== undefined;
    const response = await fetch(url, isSlow ? await withoutTimeouts(init) : init).catch((error: unknown) => {
      const reason = networkCode(error) ?? messageOf(error);
      if (init.signal?.aborted !== true)
        observer.onNote('note', `The connection failed: ${reason}`, { code: 'request-failed', reason });
      throw error;
    });
    const { status } = response;
    if (!response.body || emptyStatuses.includes(status)) {
      note(method, url, status);
      return response;
    }
    const onText = (text: string, answers?: RequestId): void => {
      const http = { method, status, headers: headersOf(response.headers) };
      const bytes = Buffer.byteLength(text);
      observer.onFrame({ direction: 'in', text, bytes, ...(answers !== undefined && { answers }), http });
    };
    const isStream = response.headers.get('content-type')?.toLowerCase().startsWith(eventStream) === true;
    if (response.ok && isStream && (isMessage || asksForStream)) {
      const events = await markEvents(response.body, { ...options, id, onText });
      if (events instanceof ReadableStream) return withBody(response, events);
      const answered = new Headers(response.headers);
      answered.set('content-type', 'application/json');
      Object.defineProperty(response, 'headers', { value: answered });
      return Object.assign(response, { json: () => Promise.resolve(events) });
    }
    if (isMessage && !isRedirect(status)) {
      const text = await readBounded(response.body, options.maxMessageBytes);
      if (text === '' && id === undefined) note(method, url, status);
      else onText(text, id);
      return withText(response, response.ok ? mark(text) : text);
    }
    note(method, url, status);
    if (!response.ok || !asksForStream) return withBody(response, await readBounded(response.body, maxOtherBytes));
    // The SDK would read any answer to this request as a stream of events.
    await response.body.cancel();
    observer.onNote('note', 'The answer is not a stream of events.');
    return withBody(response, null);
  };
}

const eventStream = 'text/event-stream';

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
}

/**
 * The time limits of `fetch` are 300 s; the deadline of a request may be longer, and a stream may be silent for longer. The request
 * still goes through the present dispatcher, which may be that of a proxy.
 */
async function withoutTimeouts(init: RequestInit): Promise<RequestInit> {
  // Node sets its dispatcher with the first request.
  const inner = dispatcherOfNode() ?? (await fetch('data:,').then(dispatcherOfNode));
  if (!inner) return init;
  const dispatcher: Dispatcher = {
    dispatch: (options, handler) => inner.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  };
  return Object.assign({}, init, { dispatcher });
}

function dispatcherOfNode(): Dispatcher | undefined {
  return (globalThis as { [key: symbol]: Dispatcher | undefined })[Symbol.for('undici.globalDispatcher.1')];
}

/** Text that is not JSON stays as it is: the SDK reports it. */
function mark(text: string): string {
  try {
    return markMessage(text);
  } catch (error) {
    throw new McpError('invalid-answer', `The answer: ${(error as Error).message}`, { cause: error });
  }
}

/** The id of a request; undefined for anything else. */
function idOf(message: JsonValue | undefined): RequestId | undefined {
  return isJsonObject(message) && 'method' in message ? (message['id'] as RequestId | undefined) : undefined;
}

function toHeaders(given: RequestInit['headers']): Headers {
  return given instanceof Headers ? given : new Headers(given);
}

async function readBounded(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  // Faster than `for await`.
  const reader = body.getReader();
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks).toString();
    bytes += value.length;
    chunks.push(value);
    if (bytes <= maxBytes) continue;
    await reader.cancel();
    throw tooLarge(bytes, maxBytes);
  }
}

function tooLarge(bytes: number, maxBytes: number): McpError {
  return new McpError('too-large', `The answer has more than ${maxBytes} bytes.`, { bytes, maxBytes });
}

/** Makes a response whose body has been read return another text, which the SDK reads at once instead of through a stream. */
function withText(response: Response, text: string): Response {
  const json = (): Promise<unknown> => Promise.resolve(text).then(JSON.parse);
  return Object.assign(response, { text: () => Promise.resolve(text), json });
}

/** Returns the response with another body, which is not compressed. */
function withBody(response: Response, body: ReadableStream | string | null): Response {
  const decoded = new Response(body, response);
  decoded.headers.delete('content-length');
  decoded.headers.delete('content-encoding');
  return decoded;
}

/** Replaces the values of headers that have secrets, and of those that are named. */
export function createHeaderMask(own: string[]): (headers: Iterable<[string, string]>) => Record<string, string> {
  const secret = new Set(own.map((name) => name.toLowerCase()));
  return (headers) => {
    const shown = Object.fromEntries(headers);
    for (const name of Object.keys(shown)) if (secret.has(name) || secretHeader.test(name)) shown[name] = '***';
    return shown;
  };
}
