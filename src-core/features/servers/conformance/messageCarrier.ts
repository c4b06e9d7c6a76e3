import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { SignInProvider } from '../../../mcp/auth/types.ts';
import { createTransport } from '../../../mcp/connectServer.ts';
import { locateProgram } from '../../../mcp/findProgram.ts';
import { readMessages, type McpTransport } from '../../../mcp/readMessages.ts';
import { modernRevision } from '../../../mcp/openLink.ts';
import type { ServerEndpoint } from '../../../mcp/types.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { readBody, type BridgeCarrier, type RecordFrame } from './bridgeServer.ts';
import { Exchange, SessionStreams } from './sessionStreams.ts';

/** Processes or connections of one run. */
const maxLinks = 100;
const sessionHeader = 'mcp-session-id';

/** One process or connection of the server, and the streams of the suite that it answers on. */
interface ServerLink {
  transport: McpTransport;
  streams: SessionStreams;
}

/**
 * Speaks Streamable HTTP with the suite and another transport with the server. Each `initialize` gets its own process or connection;
 * requests of 2026-07-28 share one, as long as their ids differ. Messages are passed on as they are. HTTP statuses follow from the error
 * codes as 2026-07-28 has them, and sessions are the bridge's own: scenarios about sessions do not apply to the server.
 */
export function createMessageCarrier(options: {
  endpoint: ServerEndpoint;
  authProvider: SignInProvider | undefined;
  record: RecordFrame;
}): BridgeCarrier {
  const sessions = new Map<string, ServerLink>();
  const shared: ServerLink[] = [];
  const links = new ServerLinks(options);

  /** Requests of 2026-07-28 name their revision themselves. */
  async function sharedFor(id: JsonValue | undefined): Promise<ServerLink> {
    const free = shared.find(({ streams }) => !streams.isEnded && !streams.isWaiting(id));
    if (free !== undefined) return free;
    const link = await links.open();
    shared.push(link);
    return link;
  }

  async function post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const [message, ...others] = readMessages(body?.toString('utf8') ?? '') ?? [];
    if (message === undefined || others.length > 0) return refuse(response, 400, -32700, 'Not one JSON-RPC message.');
    const sessionId = headerOf(request, sessionHeader);
    const isOpening = message['method'] === 'initialize' && sessionId === undefined;
    const isModern = !isOpening && sessionId === undefined && isOfModern(request, message);
    let link = sessionId === undefined ? undefined : sessions.get(sessionId);
    const headers: Record<string, string> = {};
    if (isOpening) {
      link = await links.open();
      const session = randomUUID();
      sessions.set(session, link);
      headers['Mcp-Session-Id'] = session;
    } else if (isModern) link = await sharedFor(message['id']);
    if (link === undefined)
      return refuse(response, sessionId === undefined ? 400 : 404, -32600, 'There is no such session.');
    const { transport, streams } = link;
    const { id } = message;
    if (message['method'] === undefined || id === undefined) {
      await transport.send(message as never);
      return void response.writeHead(202).end();
    }
    const exchange = new Exchange({ id, message, response, headers, isModern });
    streams.begin(exchange);
    response.on('close', () => {
      if (streams.forget(exchange) && isModern && !streams.isEnded)
        void transport
          .send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } } as never)
          .catch(() => undefined);
    });
    await transport.send(message as never).catch(() => exchange.fail());
  }

  return {
    async handle(request, response) {
      if (request.method === 'POST') return post(request, response);
      const sessionId = headerOf(request, sessionHeader);
      const link = sessions.get(sessionId ?? '');
      if (link === undefined) return void response.writeHead(sessionId === undefined ? 405 : 404).end();
      if (request.method === 'GET') return link.streams.listen(response);
      if (request.method !== 'DELETE') return void response.writeHead(405).end();
      sessions.delete(sessionId ?? '');
      await links.close(link);
      response.writeHead(200).end();
    },
    close: () => links.closeAll(),
  };
}

/** The processes or connections of one run, also those that are being opened. */
class ServerLinks {
  readonly #options: Parameters<typeof createMessageCarrier>[0];
  readonly #transports = new Set<McpTransport>();
  #opened = 0;
  #isClosed = false;

  constructor(options: Parameters<typeof createMessageCarrier>[0]) {
    this.#options = options;
  }

  open(): Promise<ServerLink> {
    this.#opened += 1;
    if (this.#opened > maxLinks) throw new Error(`The suite opened more than ${maxLinks} sessions.`);
    return openServer(this.#options, (transport) => {
      if (this.#isClosed) throw new Error('The run has ended.');
      this.#transports.add(transport);
    });
  }

  async close({ transport, streams }: ServerLink): Promise<void> {
    streams.end();
    await transport.close();
    this.#transports.delete(transport);
  }

  async closeAll(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#transports, (transport) => transport.close()));
  }
}

/** Starts a process, or connects. `onTransport` has the transport before that, and may refuse. */
async function openServer(
  { endpoint, authProvider, record }: Parameters<typeof createMessageCarrier>[0],
  onTransport: (transport: McpTransport) => void,
): Promise<ServerLink> {
  const located = endpoint.type === 'stdio' ? await locate(endpoint) : endpoint;
  const streams = new SessionStreams();
  const observer = {
    onFrame: ({ direction, text }: { direction: 'in' | 'out'; text: string }) => {
      record({ direction, text });
      if (direction === 'in') for (const message of readMessages(text) ?? []) streams.deliver(message, text);
    },
    onNote: () => undefined,
    onStderr: () => undefined,
  };
  const transport = createTransport({ endpoint: located, observer, ...(authProvider && { authProvider }) });
  transport.onclose = () => streams.end();
  onTransport(transport);
  await transport.start();
  return { transport, streams };
}

/** Returns the path of the program: the operating system may find its name in other folders than those that were shown for approval. */
async function locate(configured: ServerEndpoint & { type: 'stdio' }): Promise<ServerEndpoint> {
  const { endpoint, program } = await locateProgram(configured);
  if ('searched' in program) throw new Error(`The program "${configured.command}" was not found.`);
  return endpoint;
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

function isOfModern(request: IncomingMessage, { params }: JsonObject): boolean {
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  const inBody = isJsonObject(meta) ? meta['io.modelcontextprotocol/protocolVersion'] : undefined;
  return inBody !== undefined || (headerOf(request, 'mcp-protocol-version') ?? '') >= modernRevision;
}

function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
}
