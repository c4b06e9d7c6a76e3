/** The official conformance suite in the product: verdicts of real servers over stdio and HTTP, cancelling, and what is kept. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { DpopSession } from '@modelcontextprotocol/client';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import type { ConformanceResults, ConformanceRevision } from '../../../../../src-core/contract/types.ts';
import { openBridge } from '../../../../../src-core/features/servers/conformance/bridgeServer.ts';
import { createHttpCarrier } from '../../../../../src-core/features/servers/conformance/httpCarrier.ts';
import { createMessageCarrier } from '../../../../../src-core/features/servers/conformance/messageCarrier.ts';
import { suiteScenarios } from '../../../../../src-core/features/servers/conformance/scenarios.ts';
import { serveSuite } from '../../../../../src-core/features/hosts/conformance/serveSuite.ts';
import { createSignInProvider } from '../../../../../src-core/mcp/auth/createSignInProvider.ts';
import type { SignInStore } from '../../../../../src-core/mcp/auth/types.ts';
import type { Workbench } from '../../../../../src-core/workbench.ts';
import { countProcesses } from '../../../../helpers/countProcesses.ts';
import { suiteRequirements } from '../../../../helpers/suiteRequirements.ts';
import { serveLegacy } from '../../../mcp/legacyServer.ts';
import { serveProtected } from '../../../mcp/protectedServer.ts';
import { openWorkbench } from '../../../workbench/openWorkbench.ts';
import { addServer, everything, nodeServer, untilState } from '../support.ts';

let workbench: Workbench;
beforeEach(async () => {
  workbench = await openWorkbench({ shell: 'browser' });
});

async function start(
  config: Parameters<typeof addServer>[1] = nodeServer('everything', [everything]),
): Promise<string> {
  const id = await addServer(workbench, config);
  await untilState(workbench, 'ready');
  return id;
}
const suite = (): Workbench['services']['conformance'] => workbench.services.conformance;
async function run(id: string, revision: ConformanceRevision, scenarios?: string[]): Promise<ConformanceResults> {
  await suite().run({ id, revision, ...(scenarios && { scenarios }) });
  await vi.waitUntil(async () => (await suite().state({ id })).running === undefined, {
    timeout: 120_000,
    interval: 50,
  });
  const found = (await suite().state({ id })).results.find((each) => each.revision === revision);
  if (found === undefined) throw new Error('There are no results.');
  return found;
}
const gapsOf = ({ scenarios }: ConformanceResults) =>
  Object.fromEntries(scenarios.map(({ name, verdict, gap }) => [name, gap?.because ?? verdict]));

it('knows the scenarios of the suite', () => {
  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    const { required, more } = suiteRequirements(revision, 'server');
    expect(suiteScenarios[revision].required).toEqual(required);
    expect(suiteScenarios[revision].more.toSorted()).toEqual(more.toSorted());
  }
});

it('runs the suite over stdio, each session with a process of its own, and tells faults from missing fixtures', async () => {
  const id = await start();
  const processes = countProcesses();
  const expected = {
    'server-initialize': 'passed',
    ping: 'passed',
    'tools-list': 'passed',
    'tools-call-image': 'fixtures',
    'dns-rebinding-protection': 'http',
    'server-sse-multiple-streams': 'http',
  };
  const results = await run(id, '2025-11-25', Object.keys(expected));
  expect(results.stopped).toBeUndefined();
  expect(processes.started).toBeGreaterThanOrEqual(4);
  expect(processes.live).toBe(0);
  expect(gapsOf(results)).toEqual(expected);
  const list = results.scenarios.find(({ name }) => name === 'tools-list');
  expect(list?.checks[0]).toMatchObject({ status: 'success', references: [{ url: expect.stringMatching(/^https:/) }] });
  const frames = await suite().frames({ id, revision: '2025-11-25', scenario: 'tools-list' });
  expect(frames.map(({ text }) => text).join('\n')).toContain('"method":"tools/list"');
  expect(frames.map(({ direction }) => direction)).toContain('in');
}, 180_000);

// The whole suite of 2025-11-25 runs in the test of `toolwire conformance`.
it('passes all that 2026-07-28 requires of a server over HTTP that has the fixtures', async () => {
  const { url, close } = await serveSuite({ port: 0, onError: (error) => expect.fail(String(error)) });
  onTestFinished(close);
  const id = await start({ name: 'suite', type: 'http', url, headers: [{ name: 'X-Key', value: 'swordfish-7' }] });
  const results = await run(id, '2026-07-28');
  expect(
    results.scenarios.filter(({ required, verdict }) => required && verdict === 'failed').map(({ name }) => name),
  ).toEqual([]);
  expect([results.passed, results.total]).toEqual([37, 37]);
  expect(JSON.stringify(results)).not.toContain('swordfish-7');
}, 180_000);

it('runs one scenario again and keeps the others; results outlive a restart, and end with the server', async () => {
  const id = await start();
  const first = await run(id, '2025-11-25', ['ping', 'tools-list']);
  expect(first.scenarios.map(({ name }) => name)).toEqual(['ping', 'tools-list']);
  const again = await run(id, '2025-11-25', ['ping']);
  expect(again.scenarios.map(({ name }) => name)).toEqual(['ping', 'tools-list']);
  expect(again.scenarios[0]?.at).toBeGreaterThan(first.scenarios[0]?.at ?? Infinity);
  expect(again.scenarios[1]?.at).toBe(first.scenarios[1]?.at);
  await workbench.services.servers.stop({ id });
  expect((await suite().state({ id })).results).toHaveLength(1);
  await expect(suite().run({ id, revision: '2025-11-25' })).rejects.toThrow('is not ready');
  await workbench.services.servers.remove({ id });
  expect((await suite().state({ id })).results).toEqual([]);
}, 120_000);

it('sends the token of a sign-in, renewed if it has expired, which is in no result and no frame', async () => {
  const { url, requests, tokens } = await serveProtected({ refreshes: true });
  const { servers } = workbench.services;
  const id = await addServer(workbench, { name: 'protected', type: 'http', url, headers: [] });
  const [page] = await vi.waitUntil(async () => {
    const found = await servers.requests(undefined);
    return found.length > 0 && found;
  });
  await servers.answer({ requestId: page!.requestId, action: 'accept' });
  await (await fetch(page!.url!)).text();
  await untilState(workbench, 'ready');
  requests.length = 0;
  tokens.clear();
  const results = await run(id, '2025-11-25', ['server-initialize']);
  expect(gapsOf(results)).toEqual({ 'server-initialize': 'passed' });
  const asked = requests.filter(({ path }) => path === '/mcp');
  expect(new Set(asked.map(({ headers }) => headers.get('authorization')))).toEqual(
    new Set(['Bearer access-token-1-of-the-test', 'Bearer access-token-2-of-the-test']),
  );
  const frames = await suite().frames({ id, revision: '2025-11-25', scenario: 'server-initialize' });
  expect(frames.length).toBeGreaterThan(0);
  expect(JSON.stringify([results, frames])).not.toContain('of-the-test');
}, 120_000);

it('proves the key of a bound token with each request, and repeats one that needs a nonce', async () => {
  const { url, requests, tokens } = await serveProtected({ dpop: true });
  tokens.set('bound-token', '');
  const store: SignInStore = {
    issuer: () => url,
    tokens: () => ({ access_token: 'bound-token', token_type: 'DPoP' }),
    saveTokens: () => undefined,
    client: () => undefined,
    saveClient: () => undefined,
    boundIssuer: () => undefined,
    bindIssuer: () => undefined,
  };
  const { signal } = new AbortController();
  const authProvider = createSignInProvider({ serverUrl: url, store, dpop: await DpopSession.create(), signal });
  const bridge = await openBridge({
    createCarrier: (record) => createHttpCarrier({ url, headers: {}, authProvider, record }),
    mask: (text) => text,
    onError: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(bridge.close);
  for (const id of [1, 2]) {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' });
    expect(await (await fetch(bridge.url, { method: 'POST', body })).json()).toMatchObject({ id, result: {} });
  }
  // The first one is repeated with the nonce; the second one has it. No proof is sent twice.
  expect(requests.map(({ path, headers }) => [path, headers.get('authorization')])).toEqual(
    Array.from({ length: 3 }, () => ['/mcp', 'DPoP bound-token']),
  );
  expect(new Set(requests.map(({ headers }) => headers.get('dpop'))).size).toBe(3);
  const frames = bridge.framesBetween(0, Infinity);
  expect(frames.map(({ direction, status }) => [direction, status])).toEqual([
    ['out', undefined],
    ['in', 200],
    ['out', undefined],
    ['in', 200],
  ]);
});

it('keeps a character whose bytes arrive in two pieces', async () => {
  const [first, ...others] = Buffer.from('"€"');
  const goOn = Promise.withResolvers<undefined>();
  const server = createServer(async (_request, response) => {
    response.write(Buffer.from([first ?? 0, ...others.slice(0, 1)]));
    await goOn.promise;
    response.end(Buffer.from(others.slice(1)));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const bridge = await openBridge({
    createCarrier: (record) => createHttpCarrier({ url, headers: {}, authProvider: undefined, record }),
    mask: (text) => text,
    onError: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(bridge.close);
  const { body } = await fetch(bridge.url, { method: 'POST', body: '{}' });
  for await (const piece of body ?? []) if (piece.length === 2) goOn.resolve(undefined);
  await vi.waitUntil(() => bridge.framesBetween(0, Infinity).length === 2);
  expect(bridge.framesBetween(0, Infinity)[1]).toMatchObject({ direction: 'in', text: '"€"' });
});

it('cancels a run with all of its processes, and keeps what has ended', async () => {
  const id = await start();
  const processes = countProcesses();
  await suite().run({ id, revision: '2025-11-25' });
  await expect(suite().run({ id, revision: '2025-11-25' })).rejects.toThrow('runs against this server already');
  await vi.waitUntil(async () => ((await suite().state({ id })).running?.done ?? 0) > 1, { timeout: 60_000 });
  await suite().cancel({ id });
  const { running, results } = await suite().state({ id });
  expect(running).toBeUndefined();
  expect(results[0]).toMatchObject({ stopped: 'cancelled' });
  expect(results[0]?.scenarios.length).toBeLessThan(33);
  expect(processes.live).toBe(0);
  await expect(suite().run({ id, revision: '2025-11-25', scenarios: ['nonsense'] })).rejects.toThrow(
    'no scenario "nonsense"',
  );
}, 120_000);

it('leaves no part of a secret where a text of a check is cut', async () => {
  const secret = 'a-secret-of-the-test';
  // The suite repeats it. Wherever it is cut, it is within a secret.
  const protocolVersion = `${secret} `.repeat(300);
  const { url } = await serveLegacy(({ method, params }) =>
    method === 'initialize' && (params['clientInfo'] as { name: string }).name !== 'toolwire'
      ? { protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } }
      : undefined,
  );
  const id = await start({ name: 'web', type: 'http', url, headers: [{ name: 'X-Team', value: secret }] });
  const results = await run(id, '2025-11-25', ['server-initialize']);
  expect(JSON.stringify(results)).toContain('*** '.repeat(100));
  expect(JSON.stringify(results)).not.toContain('a-sec');
}, 120_000);

it('ends a run with the workbench', async () => {
  const id = await start();
  const processes = countProcesses();
  await suite().run({ id, revision: '2025-11-25' });
  await vi.waitUntil(() => processes.live > 0);
  await workbench.close();
  expect(processes.live).toBe(0);
}, 120_000);

it.each(['run', 'remove'] as const)(
  'a %s that is under way when the workbench closes ends with it',
  async (how) => {
    const errors: unknown[] = [];
    workbench = await openWorkbench({ shell: 'browser', onError: (error) => errors.push(error) });
    const id = await start();
    const processes = countProcesses();
    await suite().run({ id, revision: '2025-11-25', scenarios: ['ping'] });
    if (how === 'run') await suite().cancel({ id });
    const asked =
      how === 'run' ? suite().run({ id, revision: '2025-11-25' }) : workbench.services.servers.remove({ id });
    const outcome = Promise.resolve(asked).then(
      () => 'done',
      (error: unknown) => error,
    );
    await workbench.close();
    expect(processes.live).toBe(0);
    expect(await outcome).toEqual(how === 'run' ? expect.objectContaining({ name: 'RequestError' }) : 'done');
    expect(errors).toEqual([]);
  },
  120_000,
);

it('ends with a run a connection to the server that is being opened', async () => {
  const server = createServer();
  const upgrading = once(server, 'upgrade') as Promise<[unknown, Socket]>;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoint = { type: 'websocket' as const, url, headers: {} };
  const bridge = await openBridge({
    createCarrier: (record) => createMessageCarrier({ endpoint, authProvider: undefined, record }),
    mask: (text) => text,
    onError: (error) => expect.unreachable(String(error)),
  });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
  const asked = fetch(bridge.url, { method: 'POST', body });
  const [, socket] = await upgrading;
  socket.on('error', () => undefined).resume();
  await Promise.all([bridge.close(), expect(asked).rejects.toThrow('fetch failed')]);
  await expect.poll(() => socket.readableEnded || socket.destroyed).toBe(true);
});
