import { serveFetch } from './serveFetch.ts';

export interface ModernRequest {
  id?: number | string;
  method: string;
  params: Record<string, unknown> & { _meta: Record<string, unknown> };
}

export interface ModernServer {
  url: string;
  received: { message: ModernRequest; headers: Headers; aborted: boolean }[];
  /** Sends a notification on all streams of `subscriptions/listen`. */
  notify(method: string, params?: Record<string, unknown>): void;
  /** How many of those streams are open. */
  openStreams(): number;
  /** Ends those streams without a result. */
  dropStreams(): void;
}

/** What the server answers: a result, an error, or a whole response. Undefined means the default of the method. */
export type ModernAnswer = (message: ModernRequest) => Record<string, unknown> | Response | undefined;

interface Stream {
  id: ModernRequest['id'];
  write(message: object): void;
  end(): void;
}

/** A server of 2026-07-28 over HTTP, by hand. */
export async function serveModern(
  answer: ModernAnswer,
  capabilities: Record<string, unknown> = {},
): Promise<ModernServer> {
  const received: ModernServer['received'] = [];
  const streams = new Set<Stream>();
  const { url } = await serveFetch(async (request) => {
    if (request.method !== 'POST') return new Response('', { status: 405 });
    const message = (await request.json()) as ModernRequest;
    const entry = { message, headers: request.headers, aborted: false };
    received.push(entry);
    request.signal.addEventListener('abort', () => (entry.aborted = true));
    if (message.id === undefined) return new Response(null, { status: 202 });
    const own = answer(message);
    if (message.method === 'subscriptions/listen' && own === undefined) return listen(message, streams, request.signal);
    if (own instanceof Response) return own;
    if (message.method === 'server/discover') return reply(message, discovery(capabilities));
    if (own && 'error' in own && !('status' in own)) return Response.json({ jsonrpc: '2.0', id: message.id, ...own });
    return reply(message, own ?? { content: [] });
  });
  return {
    url,
    received,
    notify(method, params = {}) {
      for (const { id, write } of streams) {
        const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
        write({ jsonrpc: '2.0', method, params: { ...params, _meta } });
      }
    },
    openStreams: () => streams.size,
    dropStreams() {
      for (const { end } of streams) end();
      streams.clear();
    },
  };
}

function reply({ id }: ModernRequest, result: object): Response {
  return Response.json({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } });
}

function discovery(capabilities: Record<string, unknown>): object {
  return {
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, ...capabilities },
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'modern', version: '1' } },
  };
}

function listen({ id, params }: ModernRequest, streams: Set<Stream>, signal: AbortSignal): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (message: object): void =>
        controller.enqueue(encoder.encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`));
      const stream = { id, write, end: () => controller.close() };
      streams.add(stream);
      signal.addEventListener('abort', () => streams.delete(stream));
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
      const notifications = params['notifications'];
      write({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { notifications, _meta } });
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
