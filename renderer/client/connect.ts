import { createConnection, type Connection } from './connection.ts';
import { openPortLine } from './openPortLine.ts';
import { openWebSocketLine } from './openWebSocketLine.ts';
import { takeWindowToken } from './windowKey.ts';

/** The connection for the shell this page runs in: Electron's port, or the WebSocket of the server that gave the page. */
export function connect(host: Window = window): Connection {
  takeWindowToken(host.location, host.history);
  const open = host.toolwireShell?.kind === 'electron' ? openPortLine(host) : openWebSocketLine(host.location);
  return createConnection({ open });
}
