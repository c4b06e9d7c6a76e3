/** A page of another origin, in a real browser, cannot use our addresses: `Host`, `Origin` and the token are each needed. */
import { once } from 'node:events';
import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';

import { connect as connectClient } from '../../src-core/cli/connect.ts';
import type { Terminal } from '../../src-core/cli/terminal.ts';
import { startApp, type App } from './app.ts';

let app: App;
let site: Server;
let page: Page;
let mcp: string;
let token: string;

beforeAll(async () => {
  app = await startApp();
  const terminal = { note: () => undefined, ended: new AbortController().signal } as unknown as Terminal;
  const { client, close } = await connectClient({ dataDir: app.dataDir, terminal });
  ({ token } = await client.hosts.create({ name: 'A stolen token', scope: 'all' }));
  ({ url: mcp } = await client.hosts.state());
  await close();
  site = createServer((_request, response) => response.end('<!doctype html><title>elsewhere</title>'));
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  ({ page } = await app.openWindow());
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
});
afterAll(async () => {
  await app.stop();
  site.close();
});

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'page', version: '1' } },
});
const accept = 'application/json, text/event-stream';

/** What a script of the page gets: the status of an answer that it may read, or that it may read none. */
function fetchIn(
  url: string,
  init: { method?: 'POST'; mode?: 'no-cors'; headers?: Record<string, string>; body?: string },
): Promise<string> {
  return page.evaluate(
    async ([target, options]) =>
      fetch(target, options).then(
        ({ status, type }) => (type === 'opaque' ? 'opaque' : String(status)),
        () => 'refused',
      ),
    [url, init] as const,
  );
}

/** How a WebSocket of the page ends. */
function openSocket(url: string): Promise<string> {
  return page.evaluate(
    (target) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(target);
        socket.onopen = () => resolve('open');
        socket.onclose = () => resolve('closed');
      }),
    url,
  );
}

/** The status of a request from outside a browser. */
async function statusOf(method: string, headers: Record<string, string>): Promise<number | undefined> {
  const request = send(mcp, { method, headers });
  request.end(method === 'POST' ? initialize : undefined);
  const [response] = (await once(request, 'response')) as [{ statusCode?: number; destroy(): void }];
  response.destroy();
  return response.statusCode;
}

test('a script can neither post to MCP nor open its stream, with a token either', async () => {
  const json = { 'Content-Type': 'application/json', Accept: accept };
  for (const headers of [json, { ...json, Authorization: `Bearer ${token}` }])
    expect(await fetchIn(mcp, { method: 'POST', headers, body: initialize })).toBe('refused');
  const stream = { Accept: 'text/event-stream', Authorization: `Bearer ${token}` };
  expect(await fetchIn(mcp, { headers: stream })).toBe('refused');
  // Requests that need no preflight are sent, and refused there.
  expect(await fetchIn(mcp, { method: 'POST', mode: 'no-cors', body: initialize })).toBe('opaque');
  const events = await page.evaluate(
    (url) =>
      new Promise<string>((resolve) => {
        const source = new EventSource(url);
        source.onopen = () => resolve('open');
        source.onerror = () => resolve('refused');
      }),
    mcp,
  );
  expect(events).toBe('refused');
});

test('a script can open no WebSocket of ours', async () => {
  const ui = app.served.url.replace(/^http/, 'ws').replace(/\/$/, '');
  for (const url of [`${ui}/api`, `${ui}/mcp`, mcp.replace(/^http/, 'ws')])
    expect(await openSocket(url)).toBe('closed');
});

test('a form of the page is refused', async () => {
  const answered = page.waitForResponse(mcp);
  await page.evaluate((url) => {
    const form = Object.assign(document.createElement('form'), { method: 'POST', action: url, enctype: 'text/plain' });
    const frame = Object.assign(document.createElement('iframe'), { name: 'target' });
    form.target = 'target';
    document.body.append(frame, form);
    form.submit();
  }, mcp);
  expect((await answered).status()).toBe(403);
});

test.each(['POST', 'GET'])('%s needs the token, our Host and no other Origin, each alone', async (method) => {
  const { host } = new URL(mcp);
  const right = {
    Host: host,
    Accept: accept,
    Authorization: `Bearer ${token}`,
    ...(method === 'POST' && { 'Content-Type': 'application/json' }),
  };
  // A stream needs a session, which a right request is told.
  expect(await statusOf(method, right)).toBe(method === 'POST' ? 200 : 400);
  const { Authorization: _token, ...withoutToken } = right;
  expect(await statusOf(method, withoutToken)).toBe(401);
  expect(await statusOf(method, { ...right, Authorization: 'Bearer tw_wrong' })).toBe(401);
  expect(await statusOf(method, { ...right, Origin: 'http://evil.example' })).toBe(403);
  expect(await statusOf(method, { ...right, Origin: `http://${host}` })).toBe(method === 'POST' ? 200 : 400);
  expect(await statusOf(method, { ...right, Host: 'evil.example' })).toBe(421);
});

test('an upgrade to the WebSocket of programs needs our Host, no other Origin and the key', async () => {
  const { host, port } = new URL(app.served.url);
  const upgrade = async (headers: string[]): Promise<string> => {
    const socket = connect(Number(port), '127.0.0.1');
    const lines = ['GET /mcp HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    socket.write([...lines, 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', ...headers, '', ''].join('\r\n'));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return answer.toString('latin1').slice(9, 12);
  };
  expect(await upgrade([`Host: ${host}`])).toBe('401');
  expect(await upgrade([`Host: ${host}`, 'Origin: http://evil.example'])).toBe('403');
  expect(await upgrade(['Host: evil.example'])).toBe('421');
});
