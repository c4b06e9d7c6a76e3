/** Signing in at an MCP server: the page is a request to the user, the browser returns to a port of this computer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';

import type { ServerRequest } from '../../../../src-core/contract/types.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { goodTokens, serveProtected } from '../../mcp/protectedServer.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, onlyServer, untilState } from './support.ts';

let dataDir: string;
let workbench: Workbench;
beforeEach(async () => {
  dataDir = dataFolder();
  workbench = await openWorkbench({ dataDir, shell: 'browser' });
});
const servers = (): Workbench['services']['servers'] => workbench.services.servers;
const start = (url: string): Promise<string> =>
  addServer(workbench, { name: 'protected', type: 'http', url, headers: [] });
const asked = (): Promise<ServerRequest> =>
  vi.waitUntil(async () => (await servers().requests(undefined))[0], {
    timeout: 10_000,
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
  const log = await servers().log({ id });
  for (const step of ['server-metadata', 'issuer-metadata', 'registration', 'browser', 'callback', 'token'])
    expect(log.some(({ text }) => text.startsWith(`Sign-in: ${step} passed`))).toBe(true);
});

it('keeps the token with the secrets, and in nothing else', async () => {
  const { url } = await serveProtected();
  const id = await start(url);
  await signIn();
  await untilState(workbench, 'ready');
  const { frames } = workbench.services;
  const name = { source: 'mcp', connection: id } as const;
  const { rows } = await frames.page({ ...name, limit: 1_000 });
  const texts = await Promise.all(rows.map(({ seq }) => frames.frame({ ...name, seq })));
  const shown = JSON.stringify([
    texts,
    await servers().log({ id }),
    await servers().detail({ id }),
    await onlyServer(workbench),
  ]);
  expect(shown).not.toMatch(/of-the-test/);
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toContain(`mcp:${id}:sign-in`);
});

it('uses the token after a restart, and forgets it at a sign-out', async () => {
  const { url } = await serveProtected();
  const id = await start(url);
  await signIn();
  await untilState(workbench, 'ready');
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

it('asks again if the token has been revoked', async () => {
  const { url } = await serveProtected();
  const id = await start(url);
  await signIn();
  await untilState(workbench, 'ready');
  const tokens = [...goodTokens];
  goodTokens.clear();
  await servers().stop({ id });
  await servers().start({ id });
  await untilState(workbench, 'sign-in');
  for (const token of tokens) goodTokens.add(token);
  await signIn();
  await untilState(workbench, 'ready');
});

it.each(['decline', 'cancel'] as const)('stays in need of a sign-in if the user answers %s', async (action) => {
  const { url } = await serveProtected();
  await start(url);
  const request = await asked();
  const callback = new URL(request.url!).searchParams.get('redirect_uri')!;
  await servers().answer({ requestId: request.requestId, action });
  await vi.waitUntil(
    () =>
      fetch(callback).then(
        () => false,
        () => true,
      ),
    { timeout: 10_000 },
  );
  expect(await onlyServer(workbench)).toMatchObject({ state: 'sign-in' });
});

it('refuses a callback with another state, and says so in the log', async () => {
  const { url } = await serveProtected((callback) => callback.searchParams.set('state', 'another'));
  const id = await start(url);
  await signIn();
  await vi.waitUntil(async () =>
    (await servers().log({ id })).some(({ text }) => text.includes('its state is another')),
  );
  expect(await onlyServer(workbench)).toMatchObject({ state: 'sign-in' });
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
