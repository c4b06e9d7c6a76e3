import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';

import { listTools } from '../../src-core/rpc/listTools.ts';
import { announceRunning, connectToRunning, withdrawRunning } from '../../src-core/rpc/runningWorkbench.ts';
import { serveBrowser } from '../../src-core/rpc/serveBrowser.ts';
import type { BrowserServer } from '../../src-core/rpc/serveBrowser.ts';
import { systemClock, type Clock } from '../../src-core/base/clock.ts';
import { createWorkbench } from '../../src-core/workbench.ts';
import type { Workbench } from '../../src-core/workbench.ts';

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
}

let dataDir: string;
let workbench: Workbench;
let server: BrowserServer;
let port: number;
let linkFolder: string;
let timers: Set<() => void>;

const fail = (error: unknown): never => {
  throw error;
};

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'toolwire-browser-'));
  workbench = await createWorkbench({ dataDir, checkOutputs: true, devicePort: 0, shell: 'browser', onError: fail });
  const rendererDir = join(dataDir, 'renderer');
  mkdirSync(join(rendererDir, 'assets'), { recursive: true });
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><title>the window</title>');
  writeFileSync(join(rendererDir, 'assets', 'a.js'), '1');
  writeFileSync(join(dataDir, 'secret.txt'), 'secret');
  linkFolder = join(dataDir, 'links');
  mkdirSync(linkFolder);
  timers = new Set();
  const clock: Clock = {
    ...systemClock,
    after(_ms, run) {
      timers.add(run);
      return () => void timers.delete(run);
    },
  };
  server = await serveBrowser({
    contract: workbench.contract,
    port: 0,
    rendererDir,
    linkFolder,
    clock,
    onError: fail,
  });
  port = Number(new URL(server.origin).port);
});

afterEach(async () => {
  await server.close();
  await workbench.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    })
      .on('error', reject)
      .end();
  });
}

async function signIn(): Promise<string> {
  const answer = await get(server.createLink().slice(server.origin.length));
  return answer.headers['set-cookie']![0]!.split(';')[0]!;
}

function tryWebSocket(headers: Record<string, string>, path = '/api'): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    socket.on('open', () => {
      resolve(101);
      socket.terminate();
    });
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', () => undefined);
  });
}

describe('browser mode', () => {
  test('signs a browser in by a link, once, with a SameSite=Strict cookie', async () => {
    const link = server.createLink().slice(server.origin.length);
    const first = await get(link);
    expect(first).toMatchObject({
      status: 200,
      headers: { refresh: expect.stringMatching(/^0; url=\/#enter=[\w-]{43}$/) },
    });
    const [setCookie] = first.headers['set-cookie']!;
    expect(setCookie).toMatch(/HttpOnly/);
    expect(setCookie).toMatch(/SameSite=Strict/);
    expect((await get(link)).status).toBe(401);
    const cookie = setCookie!.split(';')[0]!;
    expect((await get('/', { cookie })).body).toContain('the window');
    expect((await get('/assets/a.js', { cookie })).body).toBe('1');
    // The same link again in the browser that is already in: no error page.
    expect((await get(link, { cookie })).status).toBe(303);
  });

  test('serves the files as they are now, and goes on without one that an upgrade has removed', async () => {
    const cookie = await signIn();
    const file = join(dataDir, 'renderer', 'assets', 'a.js');
    writeFileSync(file, '23');
    expect((await get('/assets/a.js', { cookie })).body).toBe('23');
    rmSync(file);
    expect((await get('/assets/a.js', { cookie })).status).toBe(404);
    expect((await get('/', { cookie })).status).toBe(200);
  });

  test.each([
    ['en-GB,en;q=0.9,zh;q=0.8', 'en', 'This browser is not signed in'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-CN', '此浏览器未登录'],
    ['de', 'en', 'toolwire serve'],
  ])('says to a browser without the cookie, for %s, how to get a link', async (accepted, lang, text) => {
    const answer = await get('/', { 'accept-language': accepted });
    expect(answer).toMatchObject({ status: 401, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(answer.body).toContain(`<html lang="${lang}">`);
    expect(answer.body).toContain(text);
    expect(answer.body).not.toContain('<script');
  });

  test.each(['/', '/assets/a.js', '/nothing', '/?token=', '/?token=wrong'])(
    'refuses %s without the cookie',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(401);
      expect(answer.body).not.toContain('window</title>');
    },
  );

  test('sends the security headers with every page', async () => {
    const { headers } = await get('/', { cookie: await signIn() });
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
  });

  test.each([['evil.example'], [`evil.example:${0}`], ['127.0.0.1'], ['localhost'], ['127.0.0.1:1']])(
    'does not answer for Host %s',
    async (host) => {
      expect((await get('/', { cookie: await signIn(), host })).status).toBe(421);
    },
  );

  test('answers for localhost as for 127.0.0.1', async () => {
    expect((await get('/', { cookie: await signIn(), host: `localhost:${port}` })).status).toBe(200);
  });

  test.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%5c..%5c..%5csecret.txt',
    '//etc/passwd',
  ])('does not leave its folder by %s', async (path) => {
    const answer = await get(path, { cookie: await signIn() });
    expect(answer.body).not.toContain('secret');
    expect(answer.body).not.toContain('root:');
  });

  test('serves the contract only to the page and to programs with the token', async () => {
    const cookie = await signIn();
    const origin = server.origin;
    expect(await tryWebSocket({ cookie, origin })).toBe(101);
    expect(await tryWebSocket({ authorization: `Bearer ${server.bearerToken}` })).toBe(101);
    expect(await tryWebSocket({ origin })).toBe(401);
    expect(await tryWebSocket({ cookie })).toBe(403);
    expect(await tryWebSocket({ cookie, origin: 'http://evil.example' })).toBe(403);
    expect(await tryWebSocket({ cookie, origin: `http://localhost:${port}` })).toBe(403);
    expect(await tryWebSocket({ cookie, origin: 'null' })).toBe(403);
    expect(await tryWebSocket({ authorization: 'Bearer wrong' })).toBe(401);
    expect(await tryWebSocket({ authorization: `Bearer ${server.bearerToken}`, host: 'evil.example' })).toBe(421);
  });

  test('makes a new link for a program, not for a page', async () => {
    const link = await get('/link', { authorization: `Bearer ${server.bearerToken}` }, 'POST');
    expect(link.body).toMatch(/\/\?token=.{40,}/);
    expect((await get('/link', { cookie: await signIn() }, 'POST')).status).toBe(401);
  });

  const linkIn = (file: string): string =>
    /url=(\S+)"/.exec(readFileSync(new URL(file), 'utf8'))![1]!.slice(server.origin.length);

  test('a file with a link is removed once that link was opened', async () => {
    const [first, second] = [server.createLinkFile(), server.createLinkFile()];
    const link = linkIn(second);
    expect((await get(link)).status).toBe(200);
    expect((await get(link)).status).toBe(401);
    expect([first, second].map((file) => existsSync(new URL(file)))).toEqual([true, false]);
    expect(timers.size).toBe(1);
    expect((await get(linkIn(first))).status).toBe(200);
    expect(readdirSync(linkFolder)).toEqual([]);
    expect(timers.size).toBe(0);
  });

  test('a file with a link is removed after its time, if 16 newer links were made, and with the workbench', async () => {
    server.createLinkFile();
    for (const run of [...timers]) run();
    expect(readdirSync(linkFolder)).toEqual([]);
    server.createLinkFile();
    for (let i = 0; i < 16; i += 1) server.createLink();
    expect(readdirSync(linkFolder)).toEqual([]);
    server.createLinkFile();
    await server.close();
    expect(readdirSync(linkFolder)).toEqual([]);
    expect(timers.size).toBe(0);
  });

  test('a file with a link that cannot be written leaves nothing behind', () => {
    rmSync(linkFolder, { recursive: true });
    expect(() => server.createLinkFile()).toThrow(/ENOENT/);
    expect(timers.size).toBe(0);
  });

  test('writes a file with a link for a program, not for a page', async () => {
    const file = await get('/link-file', { authorization: `Bearer ${server.bearerToken}` }, 'POST');
    expect(file.body).toMatch(/^file:\/\/\S+\.html$/);
    expect((await get('/link-file', { cookie: await signIn() }, 'POST')).status).toBe(401);
    expect(readdirSync(linkFolder)).toHaveLength(1);
  });

  test('closing says goodbye to a page that is open', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api`, {
      headers: { authorization: `Bearer ${server.bearerToken}` },
    });
    await once(socket, 'open');
    const closed = once(socket, 'close');
    await server.close();
    // 1006 is a connection that broke.
    expect((await closed)[0]).toBe(1005);
  });

  test('an unbuilt window is a clear error', async () => {
    const building = serveBrowser({
      contract: workbench.contract,
      port: 0,
      rendererDir: join(dataDir, 'no'),
      onError: fail,
    });
    await expect(building).rejects.toThrow(/npm run build/);
  });
});

describe('the running workbench of a data directory', () => {
  test('is found through a file that only the user can read', async () => {
    announceRunning(dataDir, {
      pid: process.pid,
      origin: server.origin,
      bearerToken: server.bearerToken,
    });
    if (process.platform !== 'win32') expect(statSync(join(dataDir, 'workbench.json')).mode & 0o777).toBe(0o600);
    const running = await connectToRunning(dataDir);
    expect((await listTools(running!.client)).length).toBeGreaterThan(0);
    running!.close();
    withdrawRunning(dataDir);
    expect(await connectToRunning(dataDir)).toBeUndefined();
  });

  test.each(['', '{', '{"pid":1}', '{"pid":1,"origin":"http://127.0.0.1:1","bearerToken":"x"}'])(
    'ignores a left-over file (%s)',
    async (text) => {
      writeFileSync(join(dataDir, 'workbench.json'), text);
      expect(await connectToRunning(dataDir)).toBeUndefined();
    },
  );
});
