import { serveFetch } from './serveFetch.ts';

export interface LegacyRequest {
  id?: number | string;
  method: string;
  params: Record<string, unknown>;
}

export interface LegacyServer {
  url: string;
  received: LegacyRequest[];
  /** Sends a message on the stream of GET. */
  send(message: object): void;
  /** How many of those streams are open. */
  openStreams(): number;
}

/** A result, an error, or undefined for the default of the method. A promise holds the answer back. */
export type LegacyAnswer = (
  message: LegacyRequest,
) => Record<string, unknown> | undefined | Promise<Record<string, unknown> | undefined>;

/** An answer that never comes. */
export const silence = new Promise<undefined>(() => undefined);

/** A server of 2025-11-25 over HTTP, by hand. */
export async function serveLegacy(
  answer: LegacyAnswer,
  capabilities: Record<string, unknown> = {},
): Promise<LegacyServer> {
  const received: LegacyRequest[] = [];
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const { url } = await serveFetch(async (request) => {
    if (request.method === 'GET') return openStream(streams);
    if (request.method !== 'POST') return new Response('', { status: 200 });
    const message = (await request.json()) as LegacyRequest;
    received.push(message);
    if (message.id === undefined || 'result' in message) return new Response(null, { status: 202 });
    const reply = (body: object): Response => Response.json({ jsonrpc: '2.0', id: message.id, ...body });
    if (message.method === 'server/discover') return reply({ error: { code: -32601, message: 'Method not found' } });
    const own = await answer(message);
    if (own && 'error' in own) return reply(own);
    return reply({ result: own ?? defaults(message, capabilities) });
  });
  return {
    url,
    received,
    send(message) {
      const text = `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
      for (const stream of streams) stream.enqueue(new TextEncoder().encode(text));
    },
    openStreams: () => streams.size,
  };
}

function openStream(streams: Set<ReadableStreamDefaultController<Uint8Array>>): Response {
  let own: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      own = controller;
      streams.add(controller);
    },
    cancel: () => void streams.delete(own),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

function defaults({ method, params }: LegacyRequest, capabilities: Record<string, unknown>): object {
  if (method === 'initialize')
    return {
      protocolVersion: params['protocolVersion'],
      capabilities: { tools: { listChanged: true }, ...capabilities },
      serverInfo: { name: 'legacy', version: '1' },
    };
  const lists: Record<string, object> = {
    'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
    'resources/list': { resources: [] },
    'resources/templates/list': { resourceTemplates: [] },
    'prompts/list': { prompts: [] },
  };
  return lists[method] ?? {};
}
