/** The port of this computer to which the browser returns. */
import { createServer } from 'node:http';

import { expect, test } from 'vitest';

import { callbackUrl, freePort, listenForCallback } from '../../../src-core/mcp/auth/listenForCallback.ts';
import { never } from './connectedServer.ts';

const after = (): (() => void) => () => undefined;

test('an answer of another sign-in is refused, and the wait goes on', async () => {
  const port = await freePort();
  const isOurs = (given: URLSearchParams): boolean => given.get('state') === 'right';
  const { callback } = await listenForCallback({ port, signal: never, timeoutMs: 1, after, isOurs });
  expect((await fetch(`${callbackUrl(port)}?state=wrong&code=x`)).status).toBe(400);
  expect((await fetch(callbackUrl(port), { method: 'POST' })).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${port}/other`)).status).toBe(404);
  expect((await fetch(`http://127.0.0.1:${port}//`)).status).toBe(404);
  const answer = await fetch(`${callbackUrl(port)}?state=right&code=y&error_description=text-of-the-test`);
  expect(await answer.text()).not.toContain('of-the-test');
  expect((await callback).get('code')).toBe('y');
});

test.each([
  ['zh-CN,zh;q=0.9,en;q=0.8', '可以关闭此页面', 'You can'],
  ['de,en;q=0.8', 'You can close this page', '可以'],
])('the page after a sign-in has the language of the browser: %s', async (accepted, expected, other) => {
  const port = await freePort();
  const wait = { port, signal: never, timeoutMs: 1, after, isOurs: () => true };
  const { callback } = await listenForCallback(wait);
  const page = await (await fetch(callbackUrl(port), { headers: { 'accept-language': accepted } })).text();
  expect([page.includes(expected), page.includes(other)]).toEqual([true, false]);
  await callback;
});

test('the page after a refusal says so', async () => {
  const port = await freePort();
  const wait = { port, signal: never, timeoutMs: 1, after, isOurs: () => true };
  const { callback } = await listenForCallback(wait);
  const page = await (await fetch(`${callbackUrl(port)}?error=access_denied`)).text();
  expect(page).toContain('The sign-in failed');
  expect(page).not.toContain('continues');
  await callback;
});

test('a cancelled wait and an expired one end, and their port closes', async () => {
  const cancel = new AbortController();
  const port = await freePort();
  const wait = { port, timeoutMs: 60_000, isOurs: () => true };
  const cancelled = await listenForCallback({ ...wait, signal: cancel.signal, after });
  cancel.abort();
  await expect(cancelled.callback).rejects.toMatchObject({ code: 'cancelled' });
  await expect(fetch(callbackUrl(port))).rejects.toThrow();
  let expire = (): void => undefined;
  const expired = await listenForCallback({
    ...wait,
    signal: never,
    after: (_ms, run) => {
      expire = run;
      return () => undefined;
    },
  });
  expire();
  await expect(expired.callback).rejects.toMatchObject({ code: 'timeout' });
});

test('says which port another program uses, or why else it cannot listen', async () => {
  const taken = createServer();
  await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
  const { port } = taken.address() as { port: number };
  const wait = { port, timeoutMs: 1, signal: never, isOurs: () => true, after };
  await expect(listenForCallback(wait)).rejects.toMatchObject({
    code: 'port-in-use',
    message: expect.stringContaining(`port ${port}`) as string,
  });
  await new Promise((closed) => taken.close(closed));
  await expect(listenForCallback({ ...wait, port: 65_536 })).rejects.toMatchObject({
    code: 'cannot-listen',
    message: expect.stringContaining('ERR_SOCKET_BAD_PORT') as string,
  });
});
