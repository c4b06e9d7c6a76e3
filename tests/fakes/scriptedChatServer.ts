import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { answerChat } from './answerChat.ts';
import type { ChatServerTurn } from './chatServerTurn.ts';

/** A request as it reached the stand-in. */
export interface ChatServerRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The JSON that came; empty where none did. */
  body: ChatServerBody;
  /** Resolves when the answer has gone out whole, or when the client has hung up before. */
  closed: Promise<'answered' | 'hung up'>;
}

/** The parts of a request that tests look at. */
export interface ChatServerBody {
  model: string;
  stream?: boolean;
  messages: {
    role: string;
    content: unknown;
    tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[];
    tool_call_id?: string;
  }[];
  tools?: { type: string; function: { name: string; description: string; parameters: object } }[];
  [key: string]: unknown;
}

/** The stand-in for the vendors' clouds: a real OpenAI-compatible HTTP server on 127.0.0.1 that says what a test says. */
export interface ScriptedChatServer {
  /** `http://127.0.0.1:…/v1`, as it goes into a model's settings. */
  readonly baseUrl: string;
  /** Every request in the order they came, `/models` among them. */
  readonly requests: ChatServerRequest[];
  /** The chat completions among them. */
  readonly chats: ChatServerRequest[];
  /** Resolves with the nth chat completion (from 0), past or coming. */
  chat: (index: number) => Promise<ChatServerRequest>;
  close: () => Promise<void>;
}

export interface ScriptedChatServerOptions {
  /** Answers in turn, or one for each request; past the list's end the answer is 500 and says so. */
  turns?:
    | readonly ChatServerTurn[]
    | ((body: ChatServerBody, index: number) => ChatServerTurn | Promise<ChatServerTurn>);
  /** Ids that `/models` lists. */
  models?: readonly string[];
  /** Anything but this bearer token is answered 401. */
  apiKey?: string;
}

/** Starts the stand-in on a free port. */
export async function startScriptedChatServer(options: ScriptedChatServerOptions = {}): Promise<ScriptedChatServer> {
  const { turns = [], models = ['stand-in'], apiKey } = options;
  const requests: ChatServerRequest[] = [];
  const chats: ChatServerRequest[] = [];
  const waiting = new Set<() => void>();

  async function turnFor(body: ChatServerBody, index: number): Promise<ChatServerTurn> {
    const turn = typeof turns === 'function' ? await turns(body, index) : turns[index];
    const missing = { error: { message: `The stand-in's script has no turn ${index}.` } };
    return turn ?? { status: 500, body: missing };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await recordRequest(request, response);
    requests.push(seen);
    if (apiKey !== undefined && seen.headers.authorization !== `Bearer ${apiKey}`) {
      const error = { message: 'Incorrect API key provided.', type: 'invalid_request_error', code: 'invalid_api_key' };
      sendJson(response, 401, { error });
    } else if (seen.method === 'GET' && seen.path.startsWith('/v1/models')) {
      sendJson(response, 200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
    } else if (seen.method === 'POST' && seen.path.startsWith('/v1/chat/completions')) {
      const index = chats.push(seen) - 1;
      for (const check of [...waiting]) check();
      await answerChat(response, await turnFor(seen.body, index), seen.body.stream === true);
    } else {
      sendJson(response, 404, { error: { message: `Nothing is at ${seen.path}.` } });
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    chats,
    chat: (index) =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = chats[index];
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function recordRequest(request: IncomingMessage, response: ServerResponse): Promise<ChatServerRequest> {
  const closed = once(response, 'close').then(() => (response.writableFinished ? 'answered' : 'hung up'));
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: (text === '' ? { model: '', messages: [] } : JSON.parse(text)) as ChatServerBody,
    closed,
  };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
