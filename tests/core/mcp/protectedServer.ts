import { createHash, verify } from 'node:crypto';

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
  /** The scope that its tool `read` needs. */
  readScope?: string;
  /** The scope that `initialize` needs. */
  startScope?: string;
  /** Speaks 2026-07-28. */
  modern?: boolean;
  /** Its tokens are bound to a key, and each proof needs the nonce `nonce-1`. */
  dpop?: boolean;
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
  const {
    answer,
    metadata,
    resource = {},
    refuseToken,
    refreshes = false,
    writeScope,
    readScope,
    startScope,
    modern = false,
    dpop = false,
  } = options;
  const tokens = new Map<string, string>();
  /** The keys that tokens are bound to, by token. */
  const keys = new Map<string, string>();
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
      if (dpop) keys.set(token, readProof(request)?.key ?? 'none');
      const refresh = refreshes && { refresh_token: `refresh-token-${issued}-of-the-test` };
      return Response.json({
        access_token: token,
        token_type: dpop ? 'DPoP' : 'Bearer',
        expires_in: 3600,
        scope,
        ...refresh,
      });
    }
    const [scheme, given = ''] = request.headers.get('authorization')?.split(' ') ?? [];
    const granted = tokens.get(given);
    if (granted === undefined || scheme !== (dpop ? 'DPoP' : 'Bearer')) return new Response('', { status: 401 });
    const refusal = dpop && refuseProof(readProof(request), given, keys);
    if (refusal) return refusal;
    if (request.method !== 'POST') return new Response('', { status: 405 });
    const { id, method, params } = JSON.parse(text) as { id?: number; method: string; params?: { name?: string } };
    if (id === undefined) return new Response(null, { status: 202 });
    if (method === 'server/discover' && !modern) return new Response('', { status: 404 });
    const needed =
      method === 'initialize'
        ? startScope
        : method === 'tools/call' && (params?.name === 'write' ? writeScope : readScope);
    if (needed && !granted.split(' ').includes(needed)) {
      const challenge = `Bearer error="insufficient_scope", scope="${needed}"`;
      return new Response('', { status: 403, headers: { 'www-authenticate': challenge } });
    }
    const [token] = [...tokens.keys()].slice(-1);
    return Response.json({ jsonrpc: '2.0', id, result: resultOf(method, params, token) });
  });
  return { url, origin: new URL(url).origin, tokens, requests };
}

/** What a request proves (RFC 9449): the key that signed, and the claims. Undefined without a proof for it. */
function readProof(request: Request): { key: string; ath?: string; nonce?: string } | undefined {
  const [header = '', claims = '', signature = ''] = request.headers.get('dpop')?.split('.') ?? [];
  if (signature === '') return undefined;
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
  const { jwk } = read(header) as { jwk?: object };
  const key = { key: jwk, format: 'jwk', dsaEncoding: 'ieee-p1363' } as never;
  if (!verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))) return undefined;
  const { htm, htu, ath, nonce } = read(claims) as Record<string, string>;
  if (htm !== request.method || htu !== request.url) return undefined;
  return { key: JSON.stringify(jwk), ...(ath !== undefined && { ath }), ...(nonce !== undefined && { nonce }) };
}

/** Refuses a proof of another key or token, and one without the nonce. A token is bound to the first key that is proved for it. */
function refuseProof(
  proof: ReturnType<typeof readProof>,
  token: string,
  keys: Map<string, string>,
): Response | undefined {
  const refuse = (error: string, headers = {}) =>
    new Response('', { status: 401, headers: { 'www-authenticate': `DPoP error="${error}"`, ...headers } });
  const bound = keys.get(token) ?? proof?.key;
  if (
    proof === undefined ||
    proof.key !== bound ||
    proof.ath !== createHash('sha256').update(token).digest('base64url')
  )
    return refuse('invalid_dpop_proof');
  keys.set(token, bound);
  return proof.nonce === 'nonce-1' ? undefined : refuse('use_dpop_nonce', { 'dpop-nonce': 'nonce-1' });
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
