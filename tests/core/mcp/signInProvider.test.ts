import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';

import { createSignInProvider } from '../../../src-core/mcp/auth/createSignInProvider.ts';
import type { SignInOptions } from '../../../src-core/mcp/auth/signInAttempt.ts';
import { checkAuthorizationUrl } from '../../../src-core/mcp/auth/checkUrls.ts';
import { callbackUrl, freePort, listenForCallback } from '../../../src-core/mcp/auth/listenForCallback.ts';
import type { SignInPage, SignInProvider, SignInStep, SignInStore } from '../../../src-core/mcp/auth/types.ts';
import type { ConnectOptions, McpConnection, WireFrame } from '../../../src-core/mcp/types.ts';
import { callOptions, connect, never } from './connectedServer.ts';
import { serveProtected, type ProtectedServer } from './protectedServer.ts';
import { serveFetch } from './serveFetch.ts';

function createStore(): SignInStore {
  const kept = new Map<string, StoredOAuthTokens | undefined>();
  const clients = new Map<string, StoredOAuthClientInformation | undefined>();
  let bound: string | undefined;
  return {
    tokens: (issuer) => kept.get(issuer),
    saveTokens: (issuer, tokens) => void kept.set(issuer, tokens),
    client: (issuer) => clients.get(issuer),
    saveClient: (issuer, client) => void clients.set(issuer, client),
    issuer: () => [...kept.keys()].at(-1),
    boundIssuer: () => bound,
    bindIssuer: (issuer) => void (bound = issuer),
  };
}

const after = (): (() => void) => () => undefined;

/** A browser that opens each page at once. */
async function browser(pages: URL[]): Promise<SignInPage> {
  const port = await freePort();
  return {
    redirectUrl: () => Promise.resolve(callbackUrl(port)),
    async show(url, isOurs) {
      pages.push(url);
      const { callback } = await listenForCallback({ port, signal: never, timeoutMs: 1, after, isOurs });
      await (await fetch(url)).text();
      return callback;
    },
  };
}

async function open(
  { url }: { url: string },
  { hasPage = true, ...options }: Partial<SignInOptions> & { hasPage?: boolean } = {},
  connecting: Partial<ConnectOptions> = {},
): Promise<{ steps: SignInStep[]; pages: URL[]; connected: Promise<McpConnection>; authProvider: SignInProvider }> {
  const steps: SignInStep[] = [];
  const pages: URL[] = [];
  const authProvider = createSignInProvider({
    serverUrl: url,
    store: createStore(),
    ...(hasPage && { page: await browser(pages) }),
    signal: never,
    onStep: (step) => void steps.push(step),
    ...options,
  });
  const endpoint = { type: 'http', url, headers: {} } as const;
  const connected = connect(endpoint, { ...connecting, authProvider });
  connected.catch(() => undefined);
  return { steps, pages, connected, authProvider };
}

const passed = (steps: SignInStep[]): string[] =>
  steps.filter(({ outcome }) => outcome !== 'failed' && outcome !== 'absent').map(({ step }) => step);
const failures = (steps: SignInStep[]): (string | undefined)[] =>
  steps.flatMap(({ failure }) => (failure ? [failure.code] : []));

test.each([
  [false, 'legacy'],
  [true, 'modern'],
])(
  'signs in over the loopback address, modern: %s; neither the steps nor the recording have secrets',
  async (modern, era) => {
    const server = await serveProtected({ modern });
    const recorded: unknown[] = [];
    const observer = {
      onFrame: (frame: WireFrame) => void recorded.push(frame),
      onNote: (_kind: string, text: string) => void recorded.push(text),
      onStderr: () => undefined,
    };
    const { steps, connected } = await open(server, {}, { observer });
    const connection = await connected;
    expect(connection.era).toBe(era);
    expect((await connection.listTools(never)).tools).toHaveLength(2);
    expect(passed(steps)).toEqual([
      'challenge',
      'server-metadata',
      'issuer-metadata',
      'registration',
      'browser',
      'callback',
      'token',
    ]);
    expect(JSON.stringify(recorded)).toContain('tools/list');
    expect(JSON.stringify([steps, recorded])).not.toMatch(/of-the-test/);
  },
);

test.each([
  ['wrong-issuer', (callback: URL) => callback.searchParams.set('iss', 'https://attacker.example')],
  ['wrong-issuer', (callback: URL) => callback.searchParams.delete('iss')],
  ['refused', (callback: URL) => callback.searchParams.set('error', 'access_denied')],
  ['refused', (callback: URL) => callback.searchParams.set('error', 'text-of-the-test')],
  ['no-code', (callback: URL) => callback.searchParams.delete('code')],
])('refuses a callback: %s', async (code, change) => {
  const server = await serveProtected({
    answer(callback) {
      callback.searchParams.set('error_description', 'text-of-the-test');
      change(callback);
    },
  });
  const { steps, connected } = await open(server);
  await expect(connected).rejects.toMatchObject({ code: 'unauthorized', cause: { code } });
  await expect(connected).rejects.not.toThrow(/of-the-test/);
  expect(failures(steps)).toEqual([`signIn.${code}`]);
  expect(JSON.stringify(steps)).not.toMatch(/of-the-test/);
  expect(steps.some(({ step }) => step === 'token')).toBe(false);
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'http://sign-in.example/'])(
  'does not open %s',
  async (url) => {
    expect(() => checkAuthorizationUrl(new URL(url))).toThrow(/has to be an https URL/);
    const server = await serveProtected({ metadata: { authorization_endpoint: url } });
    const { pages, connected } = await open(server);
    await expect(connected).rejects.toMatchObject({ code: 'unauthorized' });
    expect(pages).toEqual([]);
  },
);

test('follows no redirect to another origin', async () => {
  const other = await serveProtected();
  const { url } = await serveFetch(({ url: asked }) => {
    const { pathname } = new URL(asked);
    if (!pathname.startsWith('/.well-known/')) return new Response('', { status: 401 });
    return new Response(null, { status: 302, headers: { location: other.origin + pathname } });
  });
  const { steps, connected } = await open({ url });
  await expect(connected).rejects.toMatchObject({ cause: { code: 'redirected' } });
  expect(failures(steps)).toContain('signIn.redirected');
  expect(other.requests).toEqual([]);
});

test('a call whose token is no longer good waits for the sign-in, and goes on', async () => {
  const server = await serveProtected();
  const { pages, connected } = await open(server);
  const connection = await connected;
  server.tokens.clear();
  const calls = ['read', 'write'].map((name) => connection.callTool(name, {}, callOptions()));
  expect((await Promise.all(calls)).map(({ content }) => content)).toEqual([
    [{ type: 'text', text: 'did read' }],
    [{ type: 'text', text: 'did write' }],
  ]);
  // Both waited for the same page.
  expect(pages).toHaveLength(2);
});

test('a refresh needs no page; a refreshed token that is refused leads to one', async () => {
  const server = await serveProtected({ refreshes: true });
  const { steps, pages, connected } = await open(server);
  const connection = await connected;
  server.tokens.clear();
  await connection.callTool('read', {}, callOptions());
  expect([pages.length, passed(steps).at(-1)]).toEqual([1, 'refresh']);
  const { set } = server.tokens;
  let ignored = 0;
  server.tokens.set = (token, scope) => ((ignored += 1) === 1 ? server.tokens : set.call(server.tokens, token, scope));
  server.tokens.clear();
  await connection.callTool('read', {}, callOptions());
  expect([pages.length, passed(steps).at(-1)]).toEqual([2, 'token']);
});

test('asks for more scopes when a call needs them, with those before, and goes on', async () => {
  const server = await serveProtected({ writeScope: 'files:write', resource: { scopes_supported: ['files:read'] } });
  const { steps, pages, connected } = await open(server, { scope: 'extra' });
  const connection = await connected;
  expect(pages[0]?.searchParams.get('scope')).toBe('files:read extra');
  const { content } = await connection.callTool('write', {}, callOptions());
  expect(content).toEqual([{ type: 'text', text: 'did write' }]);
  expect(pages[1]?.searchParams.get('scope')).toBe('files:read extra files:write');
  expect(steps.find(({ step }) => step === 'step-up')).toMatchObject({ status: 403, facts: ['scope: files:write'] });
});

/** A server whose token has no scopes, with a call that waits for `files:write`. */
async function waitForScope() {
  const server = await serveProtected({ writeScope: 'files:write', readScope: 'files:read' });
  const page = await browser([]);
  const shown = Promise.withResolvers<undefined>();
  const answered = Promise.withResolvers<undefined>();
  const { connected, authProvider } = await open(server, {
    page: {
      ...page,
      async show(url, isOurs, of) {
        if (of.scope !== undefined) {
          shown.resolve(undefined);
          await answered.promise;
        }
        return page.show(url, isOurs, of);
      },
    },
  });
  const connection = await connected;
  const first = connection.callTool('write', {}, callOptions());
  first.catch(() => undefined);
  await shown.promise;
  return { connection, authProvider, first, answered };
}

test('a call that needs the same scopes waits for the request of another call; one that needs others fails at once', async () => {
  const { connection, first, answered } = await waitForScope();
  const waits = Promise.withResolvers<boolean>();
  const second = connection.callTool('write', {}, callOptions({ onWait: waits.resolve }));
  expect(await waits.promise).toBe(true);
  await expect(connection.callTool('read', {}, callOptions())).rejects.toMatchObject({
    code: 'unauthorized',
    cause: { code: 'other-scopes' },
  });
  answered.resolve(undefined);
  for (const { isError } of await Promise.all([first, second])) expect(isError).toBe(false);
});

test('a call that waits for the request of another call leaves no need of more scopes', async () => {
  const { connection, authProvider, first, answered } = await waitForScope();
  const ending = new AbortController();
  const waits = Promise.withResolvers<boolean>();
  const second = connection.callTool('write', {}, callOptions({ signal: ending.signal, onWait: waits.resolve }));
  second.catch(() => undefined);
  await waits.promise;
  ending.abort();
  await expect(second).rejects.toMatchObject({ code: 'cancelled' });
  answered.reject(new Error('refused'));
  await expect(first).rejects.toMatchObject({ code: 'unauthorized' });
  expect(authProvider.asksForMore).toBe(false);
});

test('stops asking if the server refuses scopes that were granted', async () => {
  const server = await serveProtected({ writeScope: 'files:write' });
  const { steps, pages, connected } = await open(server);
  const connection = await connected;
  // The token has the scope, and the server forgets it.
  const { set } = server.tokens;
  server.tokens.set = (token) => set.call(server.tokens, token, '');
  await expect(connection.callTool('write', {}, callOptions())).rejects.toMatchObject({
    code: 'unauthorized',
    message: expect.stringContaining('files:write'),
  });
  expect(pages).toHaveLength(2);
  expect(failures(steps)).toEqual(['signIn.scope-refused']);
  expect((await connection.callTool('read', {}, callOptions())).isError).toBe(false);
});

test.each([
  ['no-registration', { metadata: { registration_endpoint: undefined } }],
  ['issuer-mismatch', { metadata: { issuer: 'https://other.example' } }],
  ['no-pkce', { metadata: { code_challenge_methods_supported: ['plain'] } }],
  ['resource-mismatch', { resource: { resource: 'https://other.example/mcp' } }],
  ['invalid-client', { refuseToken: () => Response.json({ error: 'invalid_client' }, { status: 401 }) }],
  ['invalid-scope', { refuseToken: () => Response.json({ error: 'invalid_scope' }, { status: 400 }) }],
  ['http-status', { status: 503 }],
  ['no-oauth', { status: 404 }],
  ['no-oauth', { status: 404, refusal: { detail: 'not found' } }],
  ['no-oauth', { status: 401, refusal: { error: 'unauthorized' }, refusedWith: 401 }],
  ['registration-refused', { status: 404, refusal: { error: 'invalid_redirect_uri' } }],
  ['registration-refused', { status: 404, refusal: {}, refusedWith: 503 }],
])('says what has to change: %s', async (code, options) => {
  const server: Pick<ProtectedServer, 'url'> =
    'status' in options
      ? await serveFetch(({ url }) =>
          'refusal' in options && url.endsWith('/register')
            ? Response.json(options.refusal, { status: 'refusedWith' in options ? options.refusedWith : 400 })
            : new Response('', { status: url.includes('well-known') ? options.status : 401 }),
        )
      : await serveProtected(options);
  const { steps, connected } = await open(server);
  await expect(connected).rejects.toMatchObject({ code: 'unauthorized', cause: { code } });
  expect(failures(steps).at(-1)).toBe(`signIn.${code}`);
});

test('no step has a secret that an authorization server repeats, nor a part of one', async () => {
  const client = { clientId: 'mine', clientSecret: 'secret-of-the-test', authMethod: 'client_secret_post' } as const;
  const server = await serveProtected({
    refuseToken: (body) =>
      Response.json(
        {
          error: 'invalid_request',
          error_description: `${body.get('code')} ${body.get('code_verifier')} ${'x'.repeat(280)} secret-of-the-test`,
        },
        { status: 400 },
      ),
  });
  const { steps, connected } = await open(server, { client });
  await expect(connected).rejects.toMatchObject({ code: 'unauthorized' });
  const facts = steps.flatMap((step) => (step.step === 'token' ? step.facts : []));
  expect(facts.at(-1)).toMatch(/^error_description: \*\*\* \*\*\* x+/);
  expect(JSON.stringify(steps)).not.toMatch(/secret-of/);
});

test('the credentials of a client are used at one issuer only', async () => {
  const store = createStore();
  const client = { clientId: 'mine', clientSecret: 'secret-of-the-test', authMethod: 'client_secret_post' } as const;
  const first = await serveProtected({ metadata: { registration_endpoint: undefined } });
  const { connected, steps } = await open(first, { store, client });
  await connected;
  const asked = first.requests.find(({ path }) => path === '/token')?.body;
  expect([asked?.get('client_id'), asked?.get('client_secret')]).toEqual(['mine', 'secret-of-the-test']);
  expect(JSON.stringify(steps)).not.toContain('of-the-test');
  const second = await serveProtected();
  const moved = await serveProtected({ resource: { authorization_servers: [second.origin] } });
  const again = await open(moved, { store, client });
  await expect(again.connected).rejects.toMatchObject({ cause: { code: 'issuer-changed' } });
  expect(second.requests.every(({ path }) => path.startsWith('/.well-known/'))).toBe(true);
});

test('a client signs in with its own credentials, without a page', async () => {
  const server = await serveProtected();
  const client = { clientId: 'mine', clientSecret: 'secret-of-the-test' };
  const { pages, connected } = await open(server, { client, hasPage: false });
  await connected;
  expect(pages).toEqual([]);
  const { body, headers } = server.requests.find(({ path }) => path === '/token')!;
  expect(body?.get('grant_type')).toBe('client_credentials');
  expect(headers.get('authorization')).toBe(`Basic ${btoa('mine:secret-of-the-test')}`);
});

test('uses the chosen authorization server, and names the offered ones if it is not among them', async () => {
  const second = await serveProtected();
  const server = await serveProtected({
    resource: { authorization_servers: ['https://first.example', second.origin] },
  });
  const { pages, connected } = await open(server, { issuer: `${second.origin}/` });
  await expect(connected).rejects.toMatchObject({ code: 'unauthorized' });
  expect(pages[0]?.origin).toBe(second.origin);
  const other = await open(server, { issuer: 'https://third.example' });
  await expect(other.connected).rejects.toThrow('https://first.example');
});

test('the document of a client is preferred to a registration', async () => {
  const clientMetadataUrl = 'https://client.example/metadata.json';
  const server = await serveProtected({ metadata: { client_id_metadata_document_supported: true } });
  const { pages, connected } = await open(server, { clientMetadataUrl });
  await connected;
  expect(pages[0]?.searchParams.get('client_id')).toBe(clientMetadataUrl);
  expect(server.requests.some(({ path }) => path === '/register')).toBe(false);
});

test('headers of the configuration go to the server, and not to its authorization server', async () => {
  const issuer = await serveProtected();
  const server = await serveProtected({ resource: { authorization_servers: [issuer.origin] } });
  const { connected } = await open(server, { headers: { 'x-key': 'key-of-the-test' } });
  await connected.catch(() => undefined);
  const metadata = server.requests.find(({ path }) => path.startsWith('/.well-known/oauth-protected-resource'));
  expect(metadata?.headers.get('x-key')).toBe('key-of-the-test');
  expect(issuer.requests.length).toBeGreaterThan(2);
  expect(issuer.requests.every(({ headers }) => !headers.has('x-key'))).toBe(true);
});

test('a call that is cancelled stops waiting; the sign-in goes on for others', async () => {
  const server = await serveProtected();
  const shown = Promise.withResolvers<URL>();
  const returned = Promise.withResolvers<undefined>();
  const pages: URL[] = [];
  const page = await browser(pages);
  let isHeld = false;
  const { connected } = await open(server, {
    page: {
      ...page,
      async show(url, isOurs, of) {
        if (isHeld) {
          shown.resolve(url);
          await returned.promise;
        }
        return page.show(url, isOurs, of);
      },
    },
  });
  const connection = await connected;
  server.tokens.clear();
  isHeld = true;
  const cancel = new AbortController();
  const cancelled = connection.callTool('read', {}, callOptions({ signal: cancel.signal }));
  const other = connection.callTool('write', {}, callOptions());
  await shown.promise;
  cancel.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  returned.resolve(undefined);
  expect((await other).isError).toBe(false);
});
