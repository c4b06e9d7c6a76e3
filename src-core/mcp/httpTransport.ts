import { setTimeout as wait } from 'node:timers/promises';

import {
  InsufficientScopeError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type FetchLike,
  type JSONRPCMessage,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';

import type { SignInProvider } from './auth/types.ts';
import { restoreNumbers } from '../base/parseKeeping.ts';
import type { McpTransport, MessageFault } from './readMessages.ts';
import { createRecordingFetch } from './recordingFetch.ts';
import type { ServerEndpoint, WireObserver } from './types.ts';
import { untilAborted } from '../base/untilAborted.ts';

export interface HttpTransportOptions {
  endpoint: Extract<ServerEndpoint, { type: 'http' | 'sse' }>;
  observer: WireObserver;
  maxMessageBytes: number;
  /** How long the stream of an SSE server may take until it names the address for messages; 60 s by default. */
  openTimeoutMs?: number | undefined;
  authProvider?: SignInProvider | undefined;
}

type StreamableOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/** A stream that drops is opened again for as long as the connection lives. */
const reconnectionOptions = {
  initialReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 1.5,
  maxReconnectionDelay: 30_000,
  maxRetries: 1_000_000,
};
/** The SDK's error of a message that an SSE server did not take. */
const failedPost = /^Error POSTing to endpoint \(HTTP (\d{3})\): (.*)$/s;
/** How long a server may take to end its session. */
const endSessionMs = 2_000;
/** How long `close` waits for it. */
const closeMs = 500;
const defaultOpenMs = 60_000;

/** Streamable HTTP or HTTP with SSE: the SDK's transport, with exact numbers and each message reported. */
export class HttpTransport implements McpTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: McpTransport['onmessage'] & {};
  onfault?: (fault: MessageFault) => void;
  readonly hasPerRequestStream: boolean;
  readonly #inner: StreamableHTTPClientTransport | SSEClientTransport;
  readonly #observer: WireObserver;
  readonly #authProvider: SignInProvider | undefined;
  readonly #openTimeoutMs: number;
  /** Ends the wait for the stream of an SSE server. */
  #endOpening = (): void => undefined;
  #isClosed = false;

  constructor({ endpoint, observer, maxMessageBytes, openTimeoutMs, authProvider }: HttpTransportOptions) {
    this.#observer = observer;
    this.#openTimeoutMs = openTimeoutMs ?? defaultOpenMs;
    this.#authProvider = authProvider;
    const recorded = createRecordingFetch({
      endpoint,
      observer,
      maxMessageBytes,
      onFault: (fault) => this.onfault?.(fault),
    });
    const send = authProvider ? authProvider.wrapFetch(recorded) : recorded;
    const options = {
      requestInit: { headers: endpoint.headers },
      fetch: ((url, init) => send(url, init?.method === 'DELETE' ? withOwnTimeout(init) : init)) satisfies FetchLike,
      ...(authProvider && { authProvider }),
    };
    const url = new URL(endpoint.url);
    this.hasPerRequestStream = endpoint.type === 'http';
    this.#inner =
      endpoint.type === 'http'
        ? new StreamableHTTPClientTransport(url, { ...options, reconnectionOptions })
        : new SSEClientTransport(url, options);
    this.#inner.onclose = () => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      this.#observer.onNote('close', 'The connection was closed');
      this.onclose?.();
    };
    this.#inner.onmessage = (message, extra?: unknown) => {
      restoreNumbers({ message });
      this.onmessage?.(message, extra as never);
    };
  }

  get sessionId(): string | undefined {
    return 'sessionId' in this.#inner ? this.#inner.sessionId : undefined;
  }

  /** @throws {Error} If it cannot be opened, does not open in time, or is closed. */
  async start(): Promise<void> {
    if (this.#isClosed) throw new Error('The connection was closed.');
    let isStarted = false;
    this.#inner.onerror = (error) => {
      // Requests that its end has cut.
      if (this.#isClosed) return;
      this.onerror?.(error);
      // The stream has dropped: another one would be another session.
      if (isStarted && SseError.isInstance(error)) void this.#inner.close();
    };
    // Streamable HTTP opens nothing yet.
    if (this.hasPerRequestStream) await this.#inner.start();
    else await this.#openStream();
    isStarted = true;
    this.#observer.onNote('open', this.hasPerRequestStream ? 'Connecting' : 'The connection was opened');
  }

  #openStream(): Promise<void> {
    const timeout = this.#openTimeoutMs;
    const late = AbortSignal.timeout(timeout);
    const ending = new AbortController();
    this.#endOpening = () => ending.abort();
    return untilAborted(
      () => this.#inner.start(),
      AbortSignal.any([late, ending.signal]),
      () =>
        late.aborted
          ? new SdkError(SdkErrorCode.RequestTimeout, 'The stream did not open in time.', { timeout })
          : new Error('The connection was closed.'),
    );
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#inner instanceof StreamableHTTPClientTransport)
      return this.#inner.send(message, options as StreamableOptions);
    try {
      await this.#inner.send(message);
    } catch (error) {
      const [, digits, text] = (error instanceof Error && failedPost.exec(error.message)) || [];
      const status = Number(digits);
      if (status === 403 && this.#authProvider?.asksForMore) throw new InsufficientScopeError({});
      if (digits === undefined) throw error;
      throw new SdkHttpError(
        SdkErrorCode.ClientHttpNotImplemented,
        `HTTP ${status}`,
        { status, text },
        { cause: error },
      );
    }
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  /** Ends the connection at once, and tells the server that the session has ended. */
  async close(): Promise<void> {
    this.#endOpening();
    const isTold =
      this.#inner instanceof StreamableHTTPClientTransport && this.sessionId !== undefined && !this.#isClosed;
    const ended = isTold ? this.#inner.terminateSession().catch(() => undefined) : undefined;
    await this.#inner.close();
    if (ended) await Promise.race([ended, wait(closeMs, undefined, { ref: false })]);
  }
}

/** The request that ends the session does not end with the connection. */
function withOwnTimeout(init: RequestInit): RequestInit {
  return Object.assign({}, init, { signal: AbortSignal.timeout(endSessionMs) });
}
