import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type * as z from 'zod';

import { HttpError } from '../server/httpError.ts';
import type { HttpExchange, Listener, RequestPolicy } from '../server/types.ts';
import type { BrowserAccess } from './browserAccess.ts';
import { securityHeaders } from './contentSecurityPolicy.ts';
import { challengeSchema, newKeySchema, type WindowKeys } from './windowKeys.ts';

/** How a window names its key and signature when it returns: a WebSocket subprotocol beside `toolwire`. */
const tokenPattern = /^window\.([\w-]{16,128})\.([\w-]{16,128})$/;

/** Tokens at once; the oldest goes if there are more. */
const mostTokens = 64;

/** How windows return after a restart without a new link. */
export interface WindowReturn {
  /** A secret for one key, of this process alone, for the page that a link leads to. */
  createToken(): string;
  /** Every token becomes void. */
  clear(): void;
  /** Whether the request is the WebSocket handshake of a window that returns. It is then let in, once. */
  admit(request: IncomingMessage): boolean;
  /** The lines that the answer of such a handshake gets: a new cookie. */
  headers(request: IncomingMessage): string[];
}

/**
 * Serves the two steps before a return. `POST /window-key` remembers the key of a window that is in. `POST /window-proof` proves
 * to a window that this is its workbench; only then does it open a WebSocket, always by a new connection, and sign what is good
 * for this process alone. Only pages of 127.0.0.1 may return: `localhost` may lead to another listener.
 */
export function serveWindowReturn(options: {
  listener: Pick<Listener, 'route'>;
  port: number;
  policies: readonly RequestPolicy[];
  access: BrowserAccess;
  keys: WindowKeys;
}): WindowReturn {
  const { listener, port, policies, access, keys } = options;
  const cookies = new WeakMap<IncomingMessage, string>();
  const origin = `http://127.0.0.1:${port}`;
  const fromOwnPage: RequestPolicy = ({ headers }) =>
    headers.origin === origin ? undefined : { status: 403, message: 'For pages of 127.0.0.1 only.' };
  const letIn: RequestPolicy = (request) =>
    access.isAllowed(request) ? undefined : { status: 401, message: 'This window is not signed in.' };

  function route<T>(
    path: string,
    {
      schema,
      policy,
      answer,
    }: { schema: z.ZodType<T>; policy?: RequestPolicy; answer: (input: T) => object | undefined },
  ): void {
    listener.route({
      methods: ['POST'],
      path,
      maxBodyBytes: 2_048,
      policies: [...policies, fromOwnPage, ...(policy === undefined ? [] : [policy])],
      handle: async (exchange) => {
        const found = answer(await readInput(exchange, schema));
        if (found === undefined) throw new HttpError(404, 'There is no such key.');
        exchange.response.writeHead(200, {
          ...securityHeaders,
          'Content-Type': 'application/json',
          'Cache-Control': 'no-store',
        });
        exchange.response.end(JSON.stringify(found));
      },
    });
  }
  route('/window-key', { schema: newKeySchema, policy: letIn, answer: addKey });
  route('/window-proof', { schema: challengeSchema, answer: keys.prove });

  const tokens = new Set<string>();
  function createToken(): string {
    const token = randomBytes(32).toString('base64url');
    tokens.add(token);
    const [oldest] = tokens;
    if (tokens.size > mostTokens && oldest !== undefined) tokens.delete(oldest);
    return token;
  }

  // The cookie is not enough: a server on another port of this host gets it, too, and must not outlive this process by it.
  function addKey({ publicKey, token }: z.infer<typeof newKeySchema>): object {
    if (!tokens.delete(token)) throw new HttpError(401, 'This window was not opened by a link of this process.');
    const added = keys.add(publicKey);
    if (added === undefined) throw new HttpError(400, 'publicKey must be a P-256 key as SPKI in base64.');
    return { ...added, token: createToken() };
  }

  return {
    createToken,
    clear: () => tokens.clear(),
    admit(request) {
      if (fromOwnPage(request) !== undefined) return false;
      const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',');
      const [, id, signature] = offered.flatMap((each) => tokenPattern.exec(each.trim()) ?? []);
      if (id === undefined || signature === undefined || !keys.redeem(id, signature)) return false;
      cookies.set(request, access.createSession());
      return true;
    },
    headers(request) {
      const cookie = cookies.get(request);
      return cookie === undefined ? [] : [`Set-Cookie: ${cookie}`];
    },
  };
}

async function readInput<T>({ readBody }: HttpExchange, schema: z.ZodType<T>): Promise<T> {
  const text = (await readBody()).toString('utf8');
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new HttpError(400, 'The body is not what this address takes.');
  }
}
