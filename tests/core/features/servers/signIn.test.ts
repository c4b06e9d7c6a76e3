/** Signing in at an MCP server: the page is a request to the user, the browser returns to a port of this computer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';

import type { ServerRequest, SignInConfig, SignInRow } from '../../../../src-core/contract/types.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { serveProtected } from '../../mcp/protectedServer.ts';
import { serveFetch } from '../../mcp/serveFetch.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, onlyServer, untilState } from './support.ts';

let dataDir: string;
let workbench: Workbench;
beforeEach(async () => {
  dataDir = dataFolder();
  workbench = await openWorkbench({ dataDir, shell: 'browser' });
});
const servers = (): Workbench['services']['servers'] => workbench.services.servers;
const own: SignInConfig = { method: 'user', authMethod: 'none', algorithm: 'ES256', dpop: false };
const start = (url: string, signIn?: Partial<SignInConfig>): Promise<string> =>
  addServer(workbench, {
    name: 'protected',
    type: 'http',
    url,
    headers: [],
    ...(signIn && { signIn: { ...own, ...signIn } }),
  });
const rowsOf = async (id: string): Promise<SignInRow[]> => (await servers().signIn({ id })).rows;
const call = (id: string, name: string, signal = new AbortController().signal): Promise<unknown> => {
  const { toolRegistryManager } = workbench;
  const registry = toolRegistryManager.getTool(id);
  return registry!.invoke(name, {}, { signal, timeoutMs: 20_000, callId: name });
};
const registryId = async (): Promise<string> => (await onlyServer(workbench)).registryId;
const asked = (): Promise<ServerRequest> =>
  vi.waitUntil(async () => (await servers().requests(undefined))[0], {
    interval: 10,
  });
/** What the window and the browser do. */
async function signIn(): Promise<void> {
  const { requestId, url } = await asked();
  await servers().answer({ requestId, action: 'accept' });
  await (await fetch(url!)).text();
}

it('asks the user to open the page, and is ready once the browser has returned', async () => {
  const { url } = await serveProtected();
  const id = await start(url);
  await untilState(workbench, 'sign-in');
  const request = await asked();
  expect(request).toMatchObject({ kind: 'sign-in', serverName: 'protected', message: '' });
  expect(new URL(request.url!).searchParams.get('code_challenge_method')).toBe('S256');
  expect((await servers().detail({ id })).signedIn).toBeUndefined();
  await signIn();
  await untilState(workbench, 'ready');
  expect(await servers().requests(undefined)).toEqual([]);
  expect((await servers().detail({ id })).signedIn).toBe(true);
  const { rows, signedIn, redirectUrl } = await servers().signIn({ id });
  const steps = ['challenge', 'server-metadata', 'issuer-metadata', 'registration', 'browser', 'callback', 'token'];
  expect(rows.map(({ step, outcome }) => [step, outcome])).toEqual(steps.map((step) => [step, 'passed']));
  expect(signedIn).toMatchObject({ issuer: new URL(url).origin, clientId: 'c1', refreshes: false, bound: false });
  expect(redirectUrl).toBe(new URL(request.url!).searchParams.get('redirect_uri'));
  expect((await servers().detail({ id })).steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual(
    ['approval', 'reach', 'sign-in', 'initialize', 'lists'].map((step) => `${step} passed`),
  );
});

it('keeps the token with the secrets, and in nothing else, also if the server repeats it', async () => {
  const { url, tokens } = await serveProtected({ refreshes: true });
  const id = await start(url);
  await signIn();
  await untilState(workbench, 'ready');
  expect(JSON.stringify(await call(await registryId(), 'repeat'))).toContain('access-token-1-of-the-test');
  tokens.clear();
  expect(JSON.stringify(await call(await registryId(), 'repeat'))).toContain('access-token-2-of-the-test');
  const { frames } = workbench.services;
  const name = { source: 'mcp', connection: id } as const;
  const { rows } = await frames.page({ ...name, limit: 1_000 });
  const texts = await Promise.all(rows.map(({ seq }) => frames.frame({ ...name, seq })));
  const shown = JSON.stringify([
    texts,
    await servers().log({ id }),
    await servers().detail({ id }),
    await servers().signIn({ id }),
    await onlyServer(workbench),
  ]);
  expect(shown).toContain('You are signed in with ***');
  expect(shown).not.toMatch(/of-the-test/);
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toContain(`mcp:${id}:sign-in`);
});

it.each([false, true])('uses the token after a restart, and forgets it at a sign-out; with a key: %s', async (dpop) => {
  const { url } = await serveProtected({ dpop });
  const id = await start(url, { dpop });
  await signIn();
  await untilState(workbench, 'ready');
  expect((await servers().signIn({ id })).signedIn?.bound).toBe(dpop);
  expect((await rowsOf(id)).some(({ step }) => step === 'dpop-nonce')).toBe(dpop);
  await workbench.close();
  workbench = await openWorkbench({ dataDir, shell: 'browser' });
  await servers().start({ id });
  await untilState(workbench, 'ready');
  expect(await servers().requests(undefined)).toEqual([]);
  await servers().signOut({ id });
  expect(await onlyServer(workbench)).toMatchObject({ state: 'stopped' });
  expect((await servers().detail({ id })).signedIn).toBeUndefined();
  await servers().start({ id });
  await untilState(workbench, 'sign-in');
  await signIn();
  await untilState(workbench, 'ready');
});

it.each([false, true])('asks again if the token has been revoked, modern: %s', async (modern) => {
  const { url, tokens } = await serveProtected({ modern });
  const id = await start(url);
  await signIn();
  await untilState(workbench, 'ready');
  tokens.clear();
  await servers().stop({ id });
  await servers().start({ id });
  await untilState(workbench, 'sign-in');
  await signIn();
  expect(await untilState(workbench, 'ready')).toMatchObject({ era: modern ? 'modern' : 'legacy' });
});

it('asks for a sign-in while it is ready, and the call goes on', async () => {
  const { url, tokens } = await serveProtected();
  const id = await start(url);
  await signIn();
  await untilState(workbench, 'ready');
  tokens.clear();
  const called = call(await registryId(), 'read');
  await untilState(workbench, 'sign-in');
  expect((await rowsOf(id)).at(-1)).toMatchObject({ step: 'browser', outcome: 'pending' });
  await signIn();
  expect(JSON.stringify(await called)).toContain('did read');
  await untilState(workbench, 'ready');
});

it('asks for more rights while it is ready; a refusal fails the call, and the server stays ready', async () => {
  const { url } = await serveProtected({ writeScope: 'files:write' });
  const id = await start(url);
  await signIn();
  await untilState(workbench, 'ready');
  const refused = call(await registryId(), 'write');
  refused.catch(() => undefined);
  const { requestId, scope, callIds } = await asked();
  expect([scope, callIds]).toEqual(['files:write', ['write']]);
  // Only this call waits.
  expect((await onlyServer(workbench)).state).toBe('ready');
  expect(JSON.stringify(await call(await registryId(), 'read'))).toContain('did read');
  await servers().answer({ requestId, action: 'decline' });
  await expect(refused).rejects.toMatchObject({
    message: expect.stringContaining('The sign-in was cancelled.'),
    info: { details: { needs: 'sign-in' } },
  });
  await untilState(workbench, 'ready');
  expect((await rowsOf(id)).at(-1)).toMatchObject({ outcome: 'failed', failure: { code: 'signIn.cancelled' } });
  const called = call(await registryId(), 'write');
  await signIn();
  expect(JSON.stringify(await called)).toContain('did write');
  expect((await servers().signIn({ id })).signedIn?.scope).toBe('files:write');
});

it('refreshes the token for other calls while a call waits for more rights; a refusal fails only that call', async () => {
  const { url, tokens } = await serveProtected({ writeScope: 'files:write', refreshes: true });
  await start(url);
  await signIn();
  await untilState(workbench, 'ready');
  const refused = call(await registryId(), 'write');
  refused.catch(() => undefined);
  const { requestId } = await asked();
  tokens.clear();
  expect(JSON.stringify(await call(await registryId(), 'read'))).toContain('did read');
  expect((await onlyServer(workbench)).state).toBe('ready');
  const other = call(await registryId(), 'write');
  await servers().answer({ requestId, action: 'decline' });
  await expect(refused).rejects.toThrow('The sign-in was cancelled.');
  await signIn();
  expect(JSON.stringify(await other)).toContain('did write');
});

it('asks for a sign-in of all calls in place of more rights if the token is no longer accepted', async () => {
  const { url, tokens } = await serveProtected({ writeScope: 'files:write' });
  await start(url);
  await signIn();
  await untilState(workbench, 'ready');
  const writing = call(await registryId(), 'write');
  await asked();
  tokens.clear();
  const reading = call(await registryId(), 'read');
  await untilState(workbench, 'sign-in');
  expect((await servers().requests(undefined)).map(({ callIds, scope }) => [callIds, scope])).toEqual([
    [[], undefined],
  ]);
  await signIn();
  expect(JSON.stringify(await reading)).toContain('did read');
  await vi.waitUntil(async () => (await asked()).scope === 'files:write');
  await signIn();
  expect(JSON.stringify(await writing)).toContain('did write');
});

it('ends the request for more rights with its call', async () => {
  const { url } = await serveProtected({ writeScope: 'files:write' });
  await start(url);
  await signIn();
  await untilState(workbench, 'ready');
  const cancelling = new AbortController();
  const cancelled = call(await registryId(), 'write', cancelling.signal);
  cancelled.catch(() => undefined);
  const { requestId } = await asked();
  cancelling.abort();
  await expect(cancelled).rejects.toThrow();
  await vi.waitUntil(async () => (await servers().requests(undefined)).length === 0);
  const called = call(await registryId(), 'write');
  expect((await asked()).requestId).not.toBe(requestId);
  await signIn();
  expect(JSON.stringify(await called)).toContain('did write');
});

it('needs a sign-in while it starts if the start needs more rights', async () => {
  const { url } = await serveProtected({ startScope: 'files:open' });
  await start(url);
  await signIn();
  const request = await vi.waitUntil(async () =>
    (await servers().requests(undefined)).find((each) => each.url?.includes('files%3Aopen')),
  );
  expect(await onlyServer(workbench)).toMatchObject({ state: 'sign-in' });
  // No call needs it.
  expect(request.scope).toBeUndefined();
  await signIn();
  await untilState(workbench, 'ready');
});

it('needs a sign-in after a refused one, and its call says why', async () => {
  const { url, tokens } = await serveProtected();
  await start(url);
  await signIn();
  await untilState(workbench, 'ready');
  tokens.clear();
  const refused = call(await registryId(), 'read');
  refused.catch(() => undefined);
  const { requestId } = await asked();
  await servers().answer({ requestId, action: 'decline' });
  await expect(refused).rejects.toThrow('The sign-in was cancelled.');
  await vi.waitUntil(async () => (await onlyServer(workbench)).failure !== undefined);
  expect(await onlyServer(workbench)).toMatchObject({ state: 'sign-in', failure: { code: 'signIn.cancelled' } });
});

it.each(['decline', 'cancel'] as const)('stays in need of a sign-in if the user answers %s', async (action) => {
  const { url } = await serveProtected();
  await start(url);
  const request = await asked();
  const callback = new URL(request.url!).searchParams.get('redirect_uri')!;
  await servers().answer({ requestId: request.requestId, action });
  await vi.waitUntil(() =>
    fetch(callback).then(
      () => false,
      () => true,
    ),
  );
  expect(await onlyServer(workbench)).toMatchObject({ state: 'sign-in', failure: { code: 'signIn.cancelled' } });
});

it('ignores an answer with another state, says so, and goes on waiting', async () => {
  const { url } = await serveProtected();
  const id = await start(url);
  const callback = new URL((await asked()).url!).searchParams.get('redirect_uri')!;
  for (let times = 0; times < 3; times += 1) expect((await fetch(`${callback}?state=other&code=x`)).status).toBe(400);
  const rows = await rowsOf(id);
  expect(rows.at(-1)).toMatchObject({ step: 'callback', count: 3, failure: { code: 'signIn.wrong-state' } });
  expect(rows.find(({ step }) => step === 'browser')?.outcome).toBe('pending');
  await signIn();
  await untilState(workbench, 'ready');
});

it('signs in with a client of its own, and forgets the tokens if the client is changed', async () => {
  const { url, requests } = await serveProtected({ metadata: { registration_endpoint: undefined } });
  const client = { clientId: 'mine', authMethod: 'client_secret_post', clientSecret: 'secret-of-the-test' } as const;
  const id = await start(url, client);
  await signIn();
  await untilState(workbench, 'ready');
  const { body } = requests.find(({ path }) => path === '/token')!;
  expect([body?.get('client_id'), body?.get('client_secret')]).toEqual(['mine', 'secret-of-the-test']);
  const { config } = await servers().detail({ id });
  expect(config).toMatchObject({ signIn: { clientId: 'mine', authMethod: 'client_secret_post' } });
  expect(JSON.stringify(config)).not.toContain('of-the-test');
  // The secret is kept.
  await servers().change({ id, config });
  expect((await servers().signIn({ id })).signedIn).toBeDefined();
  if (config.type === 'stdio') throw new Error('Another server.');
  await servers().change({ id, config: { ...config, signIn: { ...config.signIn!, clientId: 'other' } } });
  await untilState(workbench, 'asking', 'sign-in');
  expect((await servers().signIn({ id })).signedIn).toBeUndefined();
});

it('signs in with the credentials of a client, without a request to the user', async () => {
  const { url } = await serveProtected();
  await start(url, {
    method: 'client',
    clientId: 'mine',
    authMethod: 'client_secret_basic',
    clientSecret: 'x'.repeat(9),
  });
  await untilState(workbench, 'ready');
});

it('tries again by itself after an authorization server failed', async () => {
  let failing = 1;
  const { url } = await serveProtected({
    refuseToken: () => (failing-- > 0 ? new Response('', { status: 503 }) : undefined),
  });
  await start(url, {
    method: 'client',
    clientId: 'mine',
    authMethod: 'client_secret_post',
    clientSecret: 'x'.repeat(9),
  });
  await untilState(workbench, 'failing');
  const { failure, retryAt } = await onlyServer(workbench);
  expect([failure?.code, typeof retryAt]).toEqual(['signIn.token-refused', 'number']);
  await untilState(workbench, 'ready');
});

it.each([
  ['signIn.clientId', { method: 'client' }],
  ['signIn.authMethod', { method: 'client', clientId: 'mine' }],
  ['signIn.clientMetadataUrl', { clientMetadataUrl: 'http://client.example/x.json' }],
  ['signIn.issuer', { issuer: 'nowhere' }],
  ['signIn.privateKey', { clientId: 'mine', authMethod: 'private_key_jwt', privateKey: 'no key' }],
] as const)('refuses settings that cannot work, and names %s', async (field, signIn) => {
  await expect(start('http://127.0.0.1/mcp', signIn)).rejects.toMatchObject({ field });
});

it('says which step failed, also after a restart; a removed server leaves nothing', async () => {
  const refuseToken = (): Response => Response.json({ error: 'invalid_client' }, { status: 401 });
  const { url } = await serveProtected({ refuseToken });
  const id = await start(url);
  await signIn();
  await vi.waitUntil(async () => (await onlyServer(workbench)).failure !== undefined);
  expect(await onlyServer(workbench)).toMatchObject({ state: 'sign-in', failure: { code: 'signIn.invalid-client' } });
  const failed = { step: 'token', outcome: 'failed', status: 401, failure: { code: 'signIn.invalid-client' } };
  expect((await rowsOf(id)).at(-1)).toMatchObject(failed);
  await workbench.close();
  workbench = await openWorkbench({ dataDir, shell: 'browser' });
  expect((await rowsOf(id)).at(-1)).toMatchObject(failed);
  await servers().remove({ id });
  await workbench.services.removed.discard({});
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).not.toContain(id);
  expect(() => servers().signIn({ id })).toThrow('This server no longer exists');
});

it('asks for a header, and not for a sign-in, if a server that answers 401 has no OAuth', async () => {
  const { url } = await serveFetch(() => new Response('', { status: 401 }));
  const id = await start(url);
  await untilState(workbench, 'failing');
  const row = await onlyServer(workbench);
  expect(row.failure).toMatchObject({ code: 'signIn.no-oauth', text: expect.stringContaining('Authorization') });
  expect(row.retryAt).toBeUndefined();
  expect((await servers().detail({ id })).steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
    'approval passed',
    'reach passed',
    'initialize failed',
    'lists unreached',
  ]);
});

it('starts again if what the server may ask for changes while a sign-in is waited for', async () => {
  const { url } = await serveProtected();
  const id = await start(url);
  const { requestId } = await asked();
  await servers().setSampling({ id, allowed: true });
  await vi.waitUntil(async () => (await asked()).requestId !== requestId);
  await signIn();
  await untilState(workbench, 'ready');
});

it('stops waiting for the browser when the server is stopped or the workbench closes', async () => {
  const { url } = await serveProtected();
  const id = await start(url);
  const first = new URL((await asked()).url!).searchParams.get('redirect_uri')!;
  await servers().stop({ id });
  expect(await servers().requests(undefined)).toEqual([]);
  await expect(fetch(first)).rejects.toThrow();
  await servers().start({ id });
  const second = new URL((await asked()).url!).searchParams.get('redirect_uri')!;
  await workbench.close();
  await expect(fetch(second)).rejects.toThrow();
});
