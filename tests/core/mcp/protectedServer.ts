import { serveFetch } from './serveFetch.ts';

const token = 'access-token-of-the-test';

/** The tokens that are good. */
export const goodTokens = new Set([token]);

/** A protected server. Its authorization server redirects at once, as `answer` says. */
export async function serveProtected(change: (callback: URL) => void = () => undefined): Promise<{ url: string }> {
  return serveFetch(async (request) => {
    const { origin, pathname, searchParams } = new URL(request.url);
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
    if (pathname === '/register')
      return Response.json({ ...((await request.json()) as object), client_id: 'c1' }, { status: 201 });
    if (pathname === '/authorize') {
      const callback = new URL(searchParams.get('redirect_uri') ?? '');
      callback.searchParams.set('code', 'code-of-the-test');
      callback.searchParams.set('state', searchParams.get('state') ?? '');
      callback.searchParams.set('iss', origin);
      change(callback);
      return new Response(null, { status: 302, headers: { location: callback.href } });
    }
    if (pathname === '/token') {
      await request.text();
      return Response.json({ access_token: token, token_type: 'Bearer' });
    }
    if (!goodTokens.has(request.headers.get('authorization')?.slice('Bearer '.length) ?? ''))
      return new Response('', { status: 401 });
    if (request.method !== 'POST') return new Response('', { status: 405 });
    const { id, method, params } = (await request.json()) as { id?: number; method: string; params?: object };
    if (id === undefined) return new Response(null, { status: 202 });
    if (method === 'server/discover') return new Response('', { status: 404 });
    const serverInfo = { name: 'protected', version: '1' };
    const result = { protocolVersion: '2025-11-25', ...params, capabilities: { tools: {} }, serverInfo, tools: [] };
    return Response.json({ jsonrpc: '2.0', id, result });
  });
}
