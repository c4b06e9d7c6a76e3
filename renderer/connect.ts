import { createConnection, type Connection } from './connection/connection.ts';
import { openPortLine } from './connection/openPortLine.ts';
import { openWebSocketLine } from './connection/openWebSocketLine.ts';
import { takeWindowToken } from './connection/windowKey.ts';

/** The connection for the shell this page runs in: Electron's port, or the WebSocket of the server that gave the page. */
export function connect(host: Window = window): Connection {
  takeWindowToken(host.location, host.history);
  const open = host.toolwireShell?.kind === 'electron' ? openPortLine(host) : openWebSocketLine(host.location);
  return createConnection({ open });
}
