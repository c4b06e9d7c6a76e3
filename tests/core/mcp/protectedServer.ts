import { serveFetch } from './serveFetch.ts';

export interface ProtectedOptions {
  /** Changes what the browser returns with. */
  answer?(callback: URL): void;
  /** Members of the metadata of the authorization server. */
  metadata?: object;
  /** Without it, the server has no metadata of its own, and its origin is the authorization server. */
  resource?: object;
  /** The answer of the token endpoint, in place of a token. */
  refuseToken?(body: URLSearchParams): Response | undefined;
  /** Tokens come with a refresh token. */
  refreshes?: boolean;
  /** The scopes that its tool `write` needs. */
  writeScope?: string;
  /** Speaks 2026-07-28. */
  modern?: boolean;
}

export interface ProtectedServer {
  url: string;
  origin: string;
  /** Access tokens that are good, with their scopes. */
  tokens: Map<string, string>;
  /** The requests of sign-ins, and the calls. */
  requests: { path: string; headers: Headers; body: URLSearchParams | undefined }[];
}

/**
 * A protected server with the tools `read` and `write`, and `repeat`, which it does not list and which returns the newest token. Its authorization server is at the same origin, redirects the browser at once, and
 * writes "of-the-test" into each secret.
 */
export async function serveProtected(options: ProtectedOptions = {}): Promise<ProtectedServer> {
  const { answer, metadata, resource = {}, refuseToken, refreshes = false, writeScope, modern = false } = options;
  const tokens = new Map<string, string>();
  const requests: ProtectedServer['requests'] = [];
  let issued = 0;
  let scope = '';
  const { url } = await serveFetch(async (request) => {
    const { origin, pathname, searchParams } = new URL(request.url);
    const text = await request.text();
    const isForm = request.headers.get('content-type')?.includes('form-urlencoded') === true;
    requests.push({ path: pathname, headers: request.headers, body: isForm ? new URLSearchParams(text) : undefined });
    if (pathname.startsWith('/.well-known/oauth-protected-resource'))
      return Response.json({ resource: `${origin}/mcp`, authorization_servers: [origin], ...resource });
    if (pathname.startsWith('/.well-known/oauth-authorization-server'))
      return Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        ...metadata,
      });
    if (pathname === '/register') return Response.json({ ...JSON.parse(text), client_id: 'c1' }, { status: 201 });
    if (pathname === '/authorize') {
      scope = searchParams.get('scope') ?? '';
      const callback = new URL(searchParams.get('redirect_uri') ?? '');
      callback.searchParams.set('code', 'code-of-the-test');
      callback.searchParams.set('state', searchParams.get('state') ?? '');
      callback.searchParams.set('iss', origin);
      answer?.(callback);
      return new Response(null, { status: 302, headers: { location: callback.href } });
    }
    if (pathname === '/token') {
      const refused = refuseToken?.(new URLSearchParams(text));
      if (refused) return refused;
      const token = `access-token-${(issued += 1)}-of-the-test`;
      tokens.set(token, scope);
      const refresh = refreshes && { refresh_token: `refresh-token-${issued}-of-the-test` };
      return Response.json({ access_token: token, token_type: 'Bearer', expires_in: 3600, scope, ...refresh });
    }
    const granted = tokens.get(request.headers.get('authorization')?.slice('Bearer '.length) ?? '');
    if (granted === undefined) return new Response('', { status: 401 });
    if (request.method !== 'POST') return new Response('', { status: 405 });
    const { id, method, params } = JSON.parse(text) as { id?: number; method: string; params?: { name?: string } };
    if (id === undefined) return new Response(null, { status: 202 });
    if (method === 'server/discover' && !modern) return new Response('', { status: 404 });
    if (method === 'tools/call' && params?.name === 'write' && writeScope && !granted.split(' ').includes(writeScope)) {
      const challenge = `Bearer error="insufficient_scope", scope="${writeScope}"`;
      return new Response('', { status: 403, headers: { 'www-authenticate': challenge } });
    }
    const [token] = [...tokens.keys()].slice(-1);
    return Response.json({ jsonrpc: '2.0', id, result: resultOf(method, params, token) });
  });
  return { url, origin: new URL(url).origin, tokens, requests };
}

function resultOf(method: string, params: { name?: string } = {}, token = ''): object {
  const modern = { resultType: 'complete' };
  const capabilities = { tools: {} };
  const serverInfo = { name: 'protected', version: '1' };
  if (method === 'server/discover')
    return { ...modern, supportedVersions: ['2026-07-28'], capabilities, ttlMs: 0, cacheScope: 'private' };
  if (method === 'initialize') return { protocolVersion: '2025-11-25', capabilities, serverInfo };
  if (method === 'tools/list')
    return {
      ...modern,
      ttlMs: 0,
      cacheScope: 'private',
      tools: ['read', 'write'].map((name) => ({ name, inputSchema: { type: 'object' } })),
    };
  if (method === 'tools/call') {
    const text = params.name === 'repeat' ? `You are signed in with ${token}` : `did ${params.name}`;
    return { ...modern, content: [{ type: 'text', text }] };
  }
  return modern;
}
