import type { ServerEndpoint } from '../../../src-core/mcp/types.ts';
import { serveFetch } from './serveFetch.ts';

export function http(url: string, headers: Record<string, string> = {}): ServerEndpoint {
  return { type: 'http', url, headers };
}

export type Message = { id?: number | string; method: string; params?: Record<string, unknown> };

export interface SessionServer {
  url: string;
  /** Each message with its headers. */
  received: { message: Message; headers: Headers }[];
  /** The server forgets all sessions, and answers them with this status from then on. */
  forget(status: number): void;
}

const tools = [
  { name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'destroy', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true, destructiveHint: true } },
];

export const events = { headers: { 'content-type': 'text/event-stream' } };

/** A legacy server with sessions, by hand: answers are JSON, or events for `stream`. A response of `answer` replaces any answer. */
export async function serveSessions(
  answer: (message: Message) => string | Response | Promise<Response> | undefined = () => undefined,
  listen: (request: Request) => Response | Promise<Response> = () => new Response('', { status: 405 }),
): Promise<SessionServer> {
  const received: SessionServer['received'] = [];
  const sessions = new Set<string>();
  let lostStatus = 404;
  const { url } = await serveFetch(async (request) => {
    if (request.method === 'DELETE') return new Response(null, { status: 204 });
    if (request.method !== 'POST') return listen(request);
    const message = (await request.json()) as Message;
    received.push({ message, headers: request.headers });
    const session = request.headers.get('mcp-session-id') ?? '';
    if (message.method === 'server/discover') return new Response('No session', { status: 400 });
    if (message.method === 'initialize') {
      const own = answer(message);
      if (own instanceof Response || own instanceof Promise) return own;
      const id = crypto.randomUUID();
      sessions.add(id);
      const capabilities = { tools: {} };
      const serverInfo = { name: 'sessions', version: '1' };
      const result = { protocolVersion: message.params?.['protocolVersion'], capabilities, serverInfo };
      return Response.json({ jsonrpc: '2.0', id: message.id, result }, { headers: { 'mcp-session-id': id } });
    }
    if (!sessions.has(session)) return new Response('Session not found', { status: lostStatus });
    if (message.id === undefined) return new Response(null, { status: 202 });
    const own = answer(message);
    if (own instanceof Response || own instanceof Promise) return own;
    const result = own ?? JSON.stringify(message.method === 'tools/list' ? { tools } : { content: [] });
    const text = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${result}}`;
    return new Response(text, { headers: { 'content-type': 'application/json' } });
  });
  const forget = (status: number): void => {
    lostStatus = status;
    sessions.clear();
  };
  return { url, received, forget };
}
