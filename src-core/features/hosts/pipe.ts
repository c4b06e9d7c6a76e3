import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

import type { Clock } from '../../base/clock.ts';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { ErrorReporter } from '../../base/reportError.ts';
import { parseMessage } from '../../mcp/readMessages.ts';
import { ofCall } from '../frames/mcp/mcpFrames.ts';
import { createPipeRecorder, type HostLog } from './hostFrames.ts';
import { HostServer, type CallingHost, type HostOffer, type SeenClient } from './hostServer.ts';
import { createRoundTrips } from './roundTrips.ts';

/** A connection with one JSON-RPC message per text: the pipe of `toolwire mcp`. */
export interface MessagePipe {
  send(text: string): void;
  /** Calls `onText` for each message, and `onClose` once when the other side disconnects. It is called once. */
  open(onText: (text: string) => void, onClose: () => void): void;
  close(): void;
}

/** Serves an offer over a pipe until either side closes it. The returned function closes it. */
export function servePipe(options: {
  pipe: MessagePipe;
  offer: HostOffer;
  /** The host, which is filled in once the client has said its name. */
  caller: CallingHost;
  clock: Clock;
  onSeen?: (client: SeenClient) => void;
  /** Records the frames. */
  log?: Pick<HostLog, 'of'>;
  onClose: () => void;
  onError: ErrorReporter;
}): () => void {
  const { pipe, offer, caller, clock, log, onError } = options;
  const report = (error: unknown): void => onError(error, 'a host at `toolwire mcp`');
  const roundTrips = createRoundTrips({ clock });
  const servers = new Set<HostServer>();
  const recorder = log && createPipeRecorder(() => log.of(caller.id));
  const transport = new PipeTransport(pipe, { record: recorder?.add, callIdOf: roundTrips.callIdOf });
  function onSeen(client: SeenClient): void {
    options.onSeen?.(client);
    recorder?.name();
  }
  const handle = serveStdio(
    ({ era }) => {
      const server = new HostServer({ offer, era, caller, roundTrips, clock, onSeen });
      servers.add(server);
      return server;
    },
    { transport, onerror: report },
  );
  const unsubscribe = offer.onChange((change) => {
    for (const server of servers) if (server.isConnected()) server.notify(change).catch(report);
  });
  let isClosed = false;
  function close(): void {
    if (isClosed) return;
    isClosed = true;
    unsubscribe();
    roundTrips.close();
    handle.close().catch(report);
    options.onClose();
  }
  transport.whenClosed(close);
  return close;
}

interface PipeOptions {
  /** Records the messages. */
  record: ((direction: 'in' | 'out', text: string) => void) | undefined;
  /** The id of the call that a message of the host is for. */
  callIdOf: (message: JsonValue | undefined) => string | undefined;
}

class PipeTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #pipe: MessagePipe;
  readonly #options: PipeOptions;
  #onClosed: (() => void) | undefined;

  constructor(pipe: MessagePipe, options: PipeOptions) {
    this.#pipe = pipe;
    this.#options = options;
  }

  whenClosed(listener: () => void): void {
    this.#onClosed = listener;
  }

  start(): Promise<void> {
    const onText = (text: string): void => {
      const message = parseMessage(text);
      ofCall(this.#options.callIdOf(message), () => {
        this.#options.record?.('in', text);
        if (message === undefined) return this.#refuse(-32_700, 'Parse error: the message is not valid JSON');
        if (!isJsonObject(message)) return this.#refuse(-32_600, 'Invalid Request: one JSON-RPC message at a time');
        this.onmessage?.(message as unknown as JSONRPCMessage);
      });
    };
    this.#pipe.open(onText, () => {
      this.onclose?.();
      this.#onClosed?.();
    });
    return Promise.resolve();
  }

  /** The sender receives the error, and the connection stays open. */
  #refuse(code: number, message: string): void {
    this.#send({ jsonrpc: '2.0', id: null, error: { code, message } });
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#send(message);
    return Promise.resolve();
  }

  #send(message: object): void {
    const text = JSON.stringify(message);
    this.#options.record?.('out', text);
    this.#pipe.send(text);
  }

  close(): Promise<void> {
    this.#pipe.close();
    this.onclose?.();
    return Promise.resolve();
  }
}
