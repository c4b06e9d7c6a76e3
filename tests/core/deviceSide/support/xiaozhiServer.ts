import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';

/** One device's connection as a server sees it. */
export interface Visit {
  socket: WebSocket;
  headers: IncomingHttpHeaders;
  /** Text frames that came, as they came; those that were sent in time stay when the connection is gone. */
  frames: string[];
  /** Resolves with the first text frame, past or coming, that holds this text; rejects when the connection ends first. */
  frame: (text: string) => Promise<string>;
  send: (message: object | string) => void;
  closed: Promise<number>;
}

/** A server that does just what a test says. It answers hello unless told not to. */
export interface XiaozhiServer {
  http: Server;
  url: string;
  visits: Visit[];
  /** Resolves with connection number `index`, past or coming. */
  visit: (index: number) => Promise<Visit>;
}

export async function startXiaozhiServer(options: { hello?: object | false } = {}): Promise<XiaozhiServer> {
  const { hello = { type: 'hello', transport: 'websocket', session_id: 's-1' } } = options;
  const http = createServer().listen(0, '127.0.0.1');
  const sockets = new WebSocketServer({ server: http });
  const visits: Visit[] = [];
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const check of [...waiting]) check();
  };

  /** Looks now and whenever something came. */
  function until<T>(find: () => T | undefined, ended?: Promise<number>): Promise<T> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const found = find();
        if (found === undefined) return;
        waiting.delete(check);
        resolve(found);
      };
      waiting.add(check);
      check();
      void ended?.then((code) => reject(new Error(`closed with ${code} before the frame came`)));
    });
  }

  sockets.on('connection', (socket, { headers }) => {
    const closed = once(socket, 'close').then(([code]) => code as number);
    const frames: string[] = [];
    const visit: Visit = {
      socket,
      headers,
      frames,
      frame: (text) => until(() => frames.find((frame) => frame.includes(text)), closed),
      send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
      closed,
    };
    visits.push(visit);
    socket.on('error', () => {});
    socket.on('message', (data, isBinary) => {
      if (isBinary) return;
      const text = (data as Buffer).toString();
      frames.push(text);
      if (hello !== false && text.includes('"hello"')) visit.send(hello);
      wake();
    });
    wake();
  });
  await once(http, 'listening');
  onTestFinished(async () => {
    for (const { socket } of visits) socket.terminate();
    http.closeAllConnections();
    http.close();
    await once(http, 'close');
  });
  const { port } = http.address() as AddressInfo;
  return { http, url: `ws://127.0.0.1:${port}/xiaozhi/v1/`, visits, visit: (index) => until(() => visits[index]) };
}

/** An MCP request in xiaozhi's envelope. */
export const mcp = (id: unknown, method: string, params?: object) => ({
  session_id: 's-1',
  type: 'mcp',
  payload: { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) },
});
