import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';

import type { ConnectFailure } from '../../../src-core/mcp/errors.ts';
import type { ConnectOptions, ServerEndpoint, WireFrame } from '../../../src-core/mcp/types.ts';
import { connect, never } from './connectedServer.ts';
import { serveFetch } from './serveFetch.ts';

const token = 'access-token-of-the-test';

/** A legacy server that asks for a token, with its authorisation server at the same origin. */
async function serveProtected(): Promise<{ url: string; exchanged: URLSearchParams[] }> {
  const exchanged: URLSearchParams[] = [];
  const server: { url: string } = await serveFetch(async (request) => {
    const { origin, pathname } = new URL(request.url);
    if (pathname.startsWith('/.well-known/oauth-protected-resource'))
      return Response.json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (pathname.startsWith('/.well-known/oauth-authorization-server'))
      return Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      });
    if (pathname === '/register') {
      const metadata = (await request.json()) as object;
      return Response.json(
        { ...metadata, client_id: 'c1', client_secret: 'client-secret-of-the-test' },
        { status: 201 },
      );
    }
    if (pathname === '/token') {
      exchanged.push(new URLSearchParams(await request.text()));
      return Response.json({ access_token: token, token_type: 'Bearer' });
    }
    if (request.headers.get('authorization') !== `Bearer ${token}`) return new Response('', { status: 401 });
    if (request.method !== 'POST') return new Response('', { status: 405 });
    return answer(await request.json());
  });
  return { url: server.url, exchanged };
}

function answer(message: unknown): Response {
  const { id, method, params } = message as { id?: number; method: string; params?: Record<string, unknown> };
  if (id === undefined) return new Response(null, { status: 202 });
  if (method === 'server/discover') return new Response('', { status: 404 });
  const serverInfo = { name: 'protected', version: '1' };
  const result = { protocolVersion: params?.['protocolVersion'], capabilities: { tools: {} }, serverInfo, tools: [] };
  return Response.json({ jsonrpc: '2.0', id, result });
}

/** A provider that keeps everything in memory and opens no browser. */
function createProvider(): { provider: OAuthClientProvider; opened: URL[] } {
  const opened: URL[] = [];
  const kept: Record<string, unknown> = {};
  const redirectUrl = 'http://127.0.0.1:1/callback';
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: 'Toolwire', redirect_uris: [redirectUrl] },
    clientInformation: () => kept['client'] as never,
    saveClientInformation: (client) => void (kept['client'] = client),
    tokens: () => kept['tokens'] as never,
    saveTokens: (tokens) => void (kept['tokens'] = tokens),
    redirectToAuthorization: (url) => void opened.push(url),
    saveCodeVerifier: (verifier) => void (kept['verifier'] = verifier),
    codeVerifier: () => kept['verifier'] as string,
    saveDiscoveryState: (state) => void (kept['discovery'] = state),
    discoveryState: () => kept['discovery'] as never,
  };
  return { provider, opened };
}

async function failureOf(endpoint: ServerEndpoint, options: Partial<ConnectOptions>): Promise<ConnectFailure> {
  return connect(endpoint, options).then(
    () => expect.fail('It connected.'),
    (error: unknown) => error as ConnectFailure,
  );
}

test.each(['auto', 'legacy'] as const)(
  'a sign-in over the browser, era %s, without secrets in the recording',
  async (era) => {
    const { url, exchanged } = await serveProtected();
    const { provider, opened } = createProvider();
    const frames: WireFrame[] = [];
    const notes: string[] = [];
    const observer = {
      onFrame: (frame: WireFrame) => void frames.push(frame),
      onNote: (_kind: string, text: string) => void notes.push(text),
      onStderr: () => undefined,
    };
    const endpoint: ServerEndpoint = { type: 'http', url, headers: {} };
    const error = await failureOf(endpoint, { authProvider: provider, era, observer });
    expect(error.code).toBe('unauthorized');
    expect(opened[0]?.searchParams.get('code_challenge_method')).toBe('S256');
    const iss = new URL(url).origin;
    await error.finishSignIn?.(new URLSearchParams({ code: 'code-of-the-test', iss }));
    expect(exchanged[0]?.get('code')).toBe('code-of-the-test');
    const connection = await connect(endpoint, { authProvider: provider, era, observer });
    expect((await connection.listTools(never)).tools).toEqual([]);
    const recorded = JSON.stringify([frames, notes]);
    expect(recorded).toContain('tools/list');
    expect(recorded).not.toMatch(/of-the-test/);
  },
);

test('a callback of another issuer is refused', async () => {
  const { url, exchanged } = await serveProtected();
  const { provider } = createProvider();
  const error = await failureOf({ type: 'http', url, headers: {} }, { authProvider: provider });
  const callback = new URLSearchParams({ code: 'x', iss: 'https://attacker.example' });
  await expect(error.finishSignIn?.(callback)).rejects.toThrow();
  expect(exchanged).toEqual([]);
});
