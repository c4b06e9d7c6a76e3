import type { FetchLike, RequestId } from '@modelcontextprotocol/client';

import { markIntegers } from '../base/exactNumber.ts';
import { maskSecrets } from '../base/maskSecrets.ts';
import { markEvents } from './eventStream.ts';
import { McpError } from './errors.ts';
import type { MessageFault } from './readMessages.ts';
import type { ServerEndpoint, WireObserver } from './types.ts';

export interface RecordingFetchOptions {
  endpoint: Extract<ServerEndpoint, { url: string }>;
  observer: WireObserver;
  maxMessageBytes: number;
  onFault(fault: MessageFault): void;
}

const secretHeader = /^(authorization|proxy-authorization|cookie|set-cookie|dpop|mcp-session-id)$|token|secret|key/i;
/** Requests of a sign-in, which have secrets, go to the same origin as a rule. */
const isJsonRpc = /^\{.*"jsonrpc":"2\.0"/s;
const emptyStatuses = [101, 204, 205, 304];

/**
 * `fetch` for the SDK's HTTP transports: reports each message with status and headers, bounds its length, and marks the
 * integers that the SDK's `JSON.parse` would round (`restoreNumbers` puts them back). Other requests, such as those of a
 * sign-in, are notes without content.
 */
export function createRecordingFetch(options: RecordingFetchOptions): FetchLike {
  const { endpoint, observer } = options;
  const { origin } = new URL(endpoint.url);
  const headersOf = createHeaderMask(Object.keys(endpoint.headers));

  return async (input, init = {}) => {
    const url = new URL(String(input));
    const method = init.method ?? 'GET';
    const body = typeof init.body === 'string' ? init.body : '';
    const isMessage = url.origin === origin && isJsonRpc.test(body);
    if (isMessage) {
      const headers = headersOf(new Headers(init.headers));
      observer.onFrame({ direction: 'out', text: body, bytes: Buffer.byteLength(body), http: { method, headers } });
    }
    const response = await fetch(url, init);
    const { status } = response;
    const headers = headersOf(response.headers);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!isMessage && !isStream) {
      observer.onNote('note', `${method} ${maskSecrets(url.origin + url.pathname)}: ${status}`);
      return response;
    }
    const onText = (text: string): void =>
      observer.onFrame({ direction: 'in', text, bytes: Buffer.byteLength(text), http: { method, status, headers } });
    if (!response.body || emptyStatuses.includes(status) || (status >= 300 && status < 400)) {
      observer.onNote('note', `${method}: ${status}`);
      return response;
    }
    const made = { status, statusText: response.statusText, headers: withoutLength(response.headers) };
    if (isStream) return new Response(markEvents(response.body, { ...options, id: idOf(body), onText }), made);
    const text = await readBounded(response.body, options.maxMessageBytes);
    if (text === '') observer.onNote('note', `${method}: ${status}`);
    else onText(text);
    return new Response(response.ok ? mark(text) : text, made);
  };
}

/** Text that is not JSON stays as it is: the SDK reports it. */
function mark(text: string): string {
  try {
    return markIntegers(text);
  } catch (error) {
    throw new McpError('invalid-answer', 'The answer has too many long numbers.', { cause: error });
  }
}

/** The id of the request that a stream answers. */
function idOf(body: string): RequestId | undefined {
  return body === '' ? undefined : (JSON.parse(body) as { id?: RequestId }).id;
}

async function readBounded(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new McpError('too-large', `The answer has more than ${maxBytes} bytes.`, { bytes, maxBytes });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The body is decoded already. */
function withoutLength(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('content-length');
  kept.delete('content-encoding');
  return kept;
}

/** Replaces the values of headers that have secrets, and of those that are named. */
export function createHeaderMask(own: string[]): (headers: Headers) => Record<string, string> {
  const secret = new Set(own.map((name) => name.toLowerCase()));
  return (headers) =>
    Object.fromEntries(
      [...headers].map(([name, value]) => [name, secret.has(name) || secretHeader.test(name) ? '***' : value]),
    );
}
