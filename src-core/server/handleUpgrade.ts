import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocketServer } from 'ws';
import { internalError, requestUrl } from './handleRequest.ts';
import { refusalOf, singleHostAndOrigin } from './policies.ts';
import type { RouteTable } from './routeTable.ts';
import type { Refusal, UpgradeRoute } from './types.ts';

/** An upgrade route with the handshake that belongs to its limits. */
export interface MountedUpgrade extends UpgradeRoute {
  handshake: WebSocketServer;
}

function refuse(socket: Duplex, { status, message }: Refusal): void {
  const body = `${message}\n`;
  const challenge = status === 401 ? 'WWW-Authenticate: Bearer\r\n' : '';
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}\r\nConnection: close\r\n${challenge}` +
      `Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

/**
 * Finds the WebSocket route of an upgrade, applies its policies and completes the handshake. An error of a policy is answered
 * with 500 and passed to `onError`.
 */
export function handleUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { upgrades, onError }: { upgrades: RouteTable<MountedUpgrade>; onError: (error: unknown) => void },
): void {
  const ignoreUntilOpen = () => socket.destroy();
  socket.on('error', ignoreUntilOpen);
  const url = requestUrl(request);
  const route = url === undefined ? undefined : upgrades.match(url.pathname)[0];
  if (url === undefined || route === undefined) {
    return refuse(socket, { status: 404, message: 'No WebSocket is served under this path.' });
  }
  let refusal: Refusal | undefined;
  try {
    refusal = refusalOf([singleHostAndOrigin, ...(route.policies ?? [])], request);
  } catch (error) {
    onError(error);
    refusal = internalError;
  }
  if (refusal !== undefined) return refuse(socket, refusal);
  route.handshake.handleUpgrade(request, socket, head, (opened) => {
    socket.off('error', ignoreUntilOpen);
    try {
      route.handle(opened, request, url);
    } catch (error) {
      onError(error);
      opened.terminate();
    }
  });
}
