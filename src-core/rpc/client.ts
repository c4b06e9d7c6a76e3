/** The page's side of the contract: one client over either carrier. Imports no server code and no validator. */
import { createORPCClient } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as WebSocketLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';

import type { contract } from '../contract/contract.ts';
import { exactNumbers } from './exactNumbers.ts';

type LinkOptions = ConstructorParameters<typeof PortLink>[0];

/** Every procedure of the contract as an async function `(input, { signal })`. */
export type Client = ContractRouterClient<typeof contract>;

/** A client over a `MessagePort` (Electron's window, tests). The caller starts and closes the port. */
export function createPortClient(port: LinkOptions['port']): Client {
  return createORPCClient<Client>(new PortLink({ port, interceptors, customJsonSerializers: exactNumbers }));
}

/** A client over a `WebSocket` (browser mode, the terminal). Requests wait until the socket is open. */
export function createWebSocketClient(websocket: ConstructorParameters<typeof WebSocketLink>[0]['websocket']): Client {
  return createORPCClient<Client>(new WebSocketLink({ websocket, interceptors, customJsonSerializers: exactNumbers }));
}

/** The workbench ended, or the connection to it. */
export class ConnectionLostError extends Error {}

/** oRPC says of a connection that ends under a request only that a queue of its own was closed. */
const interceptors: NonNullable<LinkOptions['interceptors']> = [
  async ({ next, signal }) => {
    try {
      return await next();
    } catch (error) {
      const isLost = error instanceof Error && error.name === 'AbortError' && signal?.aborted !== true;
      throw isLost
        ? new ConnectionLostError('The connection to the workbench ended before its answer came.', { cause: error })
        : error;
    }
  },
];
