import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';

import type { SignInProvider } from '../../../mcp/auth/types.ts';
import { readBody, type BridgeCarrier, type RecordFrame } from './bridgeServer.ts';

/** Characters of an answer after which no more are kept. */
const maxKept = 64 * 1024;
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'proxy-connection',
  'content-length',
]);

/**
 * Carries requests to a server over HTTP as they are: method, body, status and headers. The server's own address takes the place of the
 * bridge's in Host and Origin; other hosts and origins are sent as the suite writes them. The user's headers and the token of a sign-in are
 * added.
 */
export function createHttpCarrier(options: {
  url: string;
  headers: Readonly<Record<string, string>>;
  authProvider: SignInProvider | undefined;
  record: RecordFrame;
}): BridgeCarrier {
  const { authProvider, record } = options;
  const target = new URL(options.url);
  const send = target.protocol === 'https:' ? requestHttps : requestHttp;
  const closing = new AbortController();

  function headersOf(request: IncomingMessage): Record<string, string | string[]> {
    const headers = withoutConnection(request.headers);
    const own = request.socket.localPort === undefined ? '' : `127.0.0.1:${request.socket.localPort}`;
    if (headers['host'] === own) headers['host'] = target.host;
    if (headers['origin'] === `http://${own}`) headers['origin'] = target.origin;
    return { ...headers, ...options.headers };
  }

  return {
    async handle(request, response) {
      const body = await readBody(request);
      if (body === undefined) return void response.writeHead(413).end();
      const { method = 'GET' } = request;
      if (method !== 'GET') record({ direction: 'out', method, text: body.toString('utf8') });
      const carried = headersOf(request);
      if (body.length > 0) carried['content-length'] = String(body.length);
      const ask = async (added: Record<string, string>): Promise<IncomingMessage> => {
        const outgoing = send(target, { method, headers: { ...carried, ...added }, signal: closing.signal });
        response.on('close', () => outgoing.destroy());
        outgoing.end(body);
        const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
        return answer;
      };
      const answer = authProvider ? await askSigned(ask, authProvider, { method, target, closing }) : await ask({});
      const { statusCode: status = 502 } = answer;
      response.writeHead(status, withoutConnection(answer.headers));
      response.flushHeaders();
      const decoder = new TextDecoder();
      let kept = '';
      answer.on('data', (piece: Buffer) => {
        if (kept.length < maxKept) kept += decoder.decode(piece, { stream: true });
      });
      // The suite or the server may end a stream.
      await pipeline(answer, response).catch(() => undefined);
      record({ direction: 'in', method, status, text: kept });
    },
    close() {
      closing.abort();
      return Promise.resolve();
    },
  };
}

/**
 * Asks with what a sign-in adds: the token and, if it is bound to a key, the proof. A request that needs a nonce or a newer token is
 * repeated, as it is on the server's own connection.
 */
async function askSigned(
  ask: (added: Record<string, string>) => Promise<IncomingMessage>,
  provider: SignInProvider,
  { method, target, closing }: { method: string; target: URL; closing: AbortController },
): Promise<IncomingMessage> {
  let answer: IncomingMessage | undefined;
  const signed = provider.wrapFetch(async (_url, init) => {
    answer?.destroy();
    answer = await ask(Object.fromEntries(new Headers(init?.headers)));
    const { statusCode: status = 502, headers } = answer;
    const seen = new Headers();
    for (const [name, value] of Object.entries(headers)) seen.set(name, String(value));
    return new Response(null, { status, headers: seen });
  });
  const askOnce = async (): Promise<number> => {
    const token = await provider.token();
    const headers = new Headers(token === undefined ? {} : { Authorization: `Bearer ${token}` });
    return (await signed(target, { method, headers })).status;
  };
  if ((await askOnce()) === 401) {
    // The answer is the refusal if there is no new token.
    const isSignedIn = await provider.signIn(closing.signal).then(
      () => true,
      () => false,
    );
    if (isSignedIn) await askOnce();
  }
  return answer as IncomingMessage;
}

function withoutConnection(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !ofConnection.has(name)) kept[name] = value;
  return kept;
}
