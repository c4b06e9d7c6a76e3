import { createCipheriv, createDecipheriv } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { WebSocket, WebSocketServer } from 'ws';

/** A broker in the form of the self-hosted mcp-endpoint-server: tools connect on one side, the server of a board calls on the other. */
export interface EndpointBroker {
  /** The address for tools of an agent. */
  toolUrl(agentId: string): string;
  /** Connects as the server of a board does. */
  call(agentId: string): Promise<BrokerCaller>;
  /** What the tools of an agent sent, as it was sent. */
  received: string[];
  /** Closes the connection of an agent's tools. */
  end(agentId: string, code: number): void;
  /** Sends a text to an agent's tools as it is, or as a binary message. */
  send(agentId: string, data: string | Buffer): void;
  connections: number;
  close(): Promise<void>;
}

export interface BrokerCaller {
  /** Resolves with the answer that has this id. */
  request(id: number | string, method: string, params?: object): Promise<Record<string, unknown>>;
  notify(method: string, params?: object): void;
}

const key = Buffer.alloc(32, 'our-test-key');

function tokenOf(agentId: string): string {
  const cipher = createCipheriv('aes-256-ecb', key, null);
  return Buffer.concat([cipher.update(JSON.stringify({ agentId })), cipher.final()]).toString('base64');
}

function agentOf(token: string | null): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-ecb', key, null);
    const text = Buffer.concat([decipher.update(Buffer.from(token ?? '', 'base64')), decipher.final()]).toString();
    return (JSON.parse(text) as { agentId: string }).agentId;
  } catch {
    return undefined;
  }
}

export async function startEndpointBroker(): Promise<EndpointBroker> {
  const tools = new Map<string, WebSocket>();
  const callers = new Map<string, WebSocket>();
  const received: string[] = [];
  const http = createServer((_request, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({ noServer: true });
  const broker: EndpointBroker = {
    received,
    connections: 0,
    toolUrl: (agentId) => `${origin()}/mcp_endpoint/mcp/?token=${encodeURIComponent(tokenOf(agentId))}`,
    async call(agentId) {
      const socket = new WebSocket(`${origin()}/mcp_endpoint/call/?token=${encodeURIComponent(tokenOf(agentId))}`);
      await once(socket, 'open');
      const waiting = new Map<number | string, (answer: Record<string, unknown>) => void>();
      socket.on('message', (data: Buffer) => {
        const answer = JSON.parse(data.toString()) as { id: number | string };
        waiting.get(answer.id)?.(answer);
      });
      return {
        request: (id, method, params = {}) =>
          new Promise((resolve) => {
            waiting.set(id, resolve);
            socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
          }),
        notify: (method, params = {}) => socket.send(JSON.stringify({ jsonrpc: '2.0', method, params })),
      };
    },
    end: (agentId, code) => tools.get(agentId)?.close(code),
    send: (agentId, data) => tools.get(agentId)?.send(data),
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };

  function serveTools(socket: WebSocket, agentId: string): void {
    broker.connections += 1;
    tools.get(agentId)?.close(1000, 'replaced');
    tools.set(agentId, socket);
    socket.on('message', (data: Buffer) => {
      received.push(data.toString());
      const answer = JSON.parse(data.toString()) as { id?: unknown };
      // Answers to rewritten ids go back with the caller's own; all others are dropped.
      const [, caller = '', kind, own = ''] = /^(.+)_(n|s)_(.*)$/s.exec(String(answer.id ?? '')) ?? [];
      if (kind === undefined) return;
      callers.get(caller)?.send(JSON.stringify({ ...answer, id: kind === 'n' ? Number(own) : own }));
    });
    socket.on('close', () => {
      if (tools.get(agentId) === socket) tools.delete(agentId);
    });
  }

  function serveCaller(socket: WebSocket, agentId: string): void {
    const uuid = crypto.randomUUID();
    callers.set(uuid, socket);
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { id?: number | string };
      const tool = tools.get(agentId);
      if (tool === undefined) {
        const error = { code: -32_001, message: 'No tool is connected' };
        return socket.send(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }));
      }
      const { id } = message;
      // As the original does: 0 is no id to it.
      const rewritten = id ? { ...message, id: `${uuid}_${typeof id === 'number' ? 'n' : 's'}_${id}` } : message;
      tool.send(JSON.stringify(rewritten));
    });
  }

  http.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '', 'http://broker');
    if (url.pathname === '/refused') return void socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
    if (!url.pathname.startsWith('/mcp_endpoint/')) return void socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
    sockets.handleUpgrade(request, socket, head, (accepted) => {
      const agentId = agentOf(url.searchParams.get('token'));
      if (agentId === undefined) return accepted.close(1008, 'bad token');
      if (url.pathname === '/mcp_endpoint/mcp/') serveTools(accepted, agentId);
      else serveCaller(accepted, agentId);
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const origin = (): string => `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return broker;
}
