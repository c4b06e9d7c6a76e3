import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { createListener } from '../../../src-core/server/createListener.ts';
import type { ListenerOptions } from '../../../src-core/server/createListener.ts';
import { HttpError } from '../../../src-core/server/httpError.ts';
import { listenErrorFrom, ListenError } from '../../../src-core/server/listenError.ts';
import { hostPolicy, originPolicy } from '../../../src-core/server/policies.ts';
import { respondJson, respondText } from '../../../src-core/server/respond.ts';

async function open(options: Partial<ListenerOptions> = {}) {
  const errors: unknown[] = [];
  const listener = createListener({ port: 0, onError: (error) => errors.push(error), closeGraceMs: 50, ...options });
  onTestFinished(() => listener.close());
  const { port } = await listener.listen();
  return { listener, port, errors };
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

function ask(
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options;
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      readText(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        reject,
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function upgradeStatus(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<number | undefined> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  socket.on('error', () => {});
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode?: number }];
  socket.terminate();
  return response.statusCode;
}

describe('routes', () => {
  test('answer by method and path; the longest prefix wins, an exact path before it', async () => {
    const { listener, port } = await open();
    for (const path of ['/a', '/a/*', '/a/b/*']) {
      listener.route({
        path,
        methods: ['GET'],
        handle: ({ response, url }) => respondText(response, 200, `${path} ${url.search}`),
      });
    }
    listener.route({
      path: '/a',
      methods: ['POST'],
      handle: async ({ response, readBody }) => respondText(response, 200, (await readBody()).toString()),
    });
    expect((await ask(port, '/a?x=1')).body).toBe('/a ?x=1\n');
    expect((await ask(port, '/a/c')).body).toBe('/a/* \n');
    expect((await ask(port, '/a/b/c')).body).toBe('/a/b/* \n');
    expect((await ask(port, '/a', { method: 'POST', body: 'hi' })).body).toBe('hi\n');
    expect((await ask(port, '/nothing')).status).toBe(404);
    const wrong = await ask(port, '/a', { method: 'DELETE' });
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, POST']);
  });

  test('removed routes answer 404', async () => {
    const { listener, port } = await open();
    const remove = listener.route({
      path: '/a',
      methods: ['GET'],
      handle: ({ response }) => respondText(response, 200, 'here'),
    });
    expect((await ask(port, '/a')).status).toBe(200);
    remove();
    expect((await ask(port, '/a')).status).toBe(404);
  });

  test('carry a type and a length', async () => {
    const { listener, port } = await open();
    listener.route({
      path: '/j',
      methods: ['GET'],
      handle: ({ response }) => respondJson(response, 200, { 名: '值' }),
    });
    const { headers, body } = await ask(port, '/j');
    expect(headers['content-type']).toBe('application/json');
    expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
    expect(headers['transfer-encoding']).toBeUndefined();
  });

  test('that throw answer 500 and tell, an HttpError answers as it says', async () => {
    const { listener, port, errors } = await open();
    const boom = new Error('secret detail');
    listener.route({ path: '/boom', methods: ['GET'], handle: () => Promise.reject(boom) });
    listener.route({
      path: '/no',
      methods: ['GET'],
      handle: () => {
        throw new HttpError(409, 'Not now.');
      },
    });
    const answer = await ask(port, '/boom');
    expect([answer.status, answer.body]).toEqual([500, 'Internal error.\n']);
    expect(errors).toEqual([boom]);
    expect(await ask(port, '/no')).toMatchObject({ status: 409, body: 'Not now.\n' });
    expect(errors).toHaveLength(1);
  });
});

describe('bounds', () => {
  test('of a body, told or untold', async () => {
    const { listener, port } = await open();
    listener.route({
      path: '/in',
      methods: ['POST'],
      maxBodyBytes: 10,
      handle: async ({ response, readBody }) => respondText(response, 200, String((await readBody()).length)),
    });
    expect((await ask(port, '/in', { method: 'POST', body: '1234567890' })).body).toBe('10\n');
    expect((await ask(port, '/in', { method: 'POST', body: '12345678901' })).status).toBe(413);
    const chunked = await ask(port, '/in', {
      method: 'POST',
      body: 'x'.repeat(50_000),
      headers: { 'Transfer-Encoding': 'chunked' },
    });
    expect(chunked.status).toBe(413);
  });

  test('a body that is cut off, before or while it is read, is an error of its route', async () => {
    const { listener, port } = await open();
    const bodies = Promise.withResolvers<PromiseSettledResult<Buffer>[]>();
    listener.route({
      path: '/cut',
      methods: ['POST'],
      async handle({ request, readBody }) {
        const cut = Promise.allSettled([readBody()]);
        client.destroy();
        await new Promise((resolve) => request.once('close', resolve));
        bodies.resolve([...(await cut), ...(await Promise.allSettled([readBody()]))]);
      },
    });
    const client = connect(port, '127.0.0.1');
    client.write('POST /cut HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345');
    const error = expect.objectContaining({
      status: 400,
      message: 'The request ended before its body did.',
    }) as unknown;
    expect(await bodies.promise).toEqual([
      { status: 'rejected', reason: error },
      { status: 'rejected', reason: error },
    ]);
  });

  test('of headers in size and in time', async () => {
    const large = await open();
    expect((await ask(large.port, '/', { headers: { Long: 'x'.repeat(20_000) } })).status).toBe(431);
    const { port } = await open({ headersTimeoutMs: 50 });
    for (const start of ['', 'GET / HTTP/1.1\r\nHost: lo']) {
      const slow = connect(port, '127.0.0.1');
      slow.write(start);
      slow.resume();
      await once(slow, 'close');
    }
  });

  test('of a WebSocket message', async () => {
    const { listener, port } = await open();
    listener.upgrade({ path: '/ws', maxPayload: 10, handle: (socket) => void socket.on('error', () => {}) });
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
    await once(socket, 'open');
    expect(socket.extensions).toBe('');
    socket.send('x'.repeat(11));
    expect((await once(socket, 'close'))[0]).toBe(1009);
  });

  test('refuse a request that is not HTTP', async () => {
    const { port, errors } = await open();
    const raw = connect(port, '127.0.0.1');
    raw.end('\u0000\u0001 garbage\r\n\r\n');
    expect(await readText(raw)).toMatch(/^HTTP\/1\.1 400/);
    expect(errors).toEqual([]);
  });
});

describe('policies', () => {
  const routes = async () => {
    const opened = await open();
    const policies = [
      hostPolicy({ names: () => ['Desk.local'] }),
      originPolicy({ allowed: () => ['http://localhost:1'] }),
    ];
    opened.listener.route({
      path: '/p',
      methods: ['GET'],
      policies,
      handle: ({ response }) => respondText(response, 200, 'in'),
    });
    opened.listener.upgrade({ path: '/p', policies, maxPayload: 10, handle: (socket) => socket.close() });
    return opened;
  };

  test.each([
    ['127.0.0.1', 200],
    ['127.0.0.1:8080', 200],
    ['localhost:1', 200],
    ['LOCALHOST', 200],
    ['[::1]:80', 200],
    ['desk.local', 200],
    ['evil.example', 421],
    ['127.0.0.1.evil.example', 421],
    ['127.0.0.1@evil.example', 421],
    ['127.0.0.1:port', 421],
  ])('answers Host %s with %i', async (host, status) => {
    const { port } = await routes();
    expect((await ask(port, '/p', { headers: { Host: host } })).status).toBe(status);
    if (status !== 200) expect(await upgradeStatus(port, '/p', { Host: host })).toBe(status);
  });

  test.each([
    ['http://localhost:1', 200],
    ['http://localhost:2', 403],
    ['https://evil.example', 403],
    ['null', 403],
  ])('answers Origin %s with %i', async (origin, status) => {
    const { port } = await routes();
    expect((await ask(port, '/p', { headers: { Origin: origin } })).status).toBe(status);
    if (status !== 200) expect(await upgradeStatus(port, '/p', { Origin: origin })).toBe(status);
  });

  test('that throw refuse a request and an upgrade with 500 and tell', async () => {
    const { listener, port, errors } = await open();
    const failure = new Error('no such key');
    const policies = [
      () => {
        throw failure;
      },
    ];
    listener.route({
      path: '/p',
      policies,
      methods: ['GET'],
      handle: ({ response }) => respondText(response, 200, 'in'),
    });
    listener.upgrade({ path: '/p', policies, maxPayload: 10, handle: (socket) => socket.close() });
    expect(await ask(port, '/p')).toMatchObject({ status: 500, body: 'Internal error.\n' });
    expect(await upgradeStatus(port, '/p')).toBe(500);
    expect(errors).toEqual([failure, failure]);
  });

  test('an upgrade to a path without one is refused', async () => {
    const { port } = await routes();
    expect(await upgradeStatus(port, '/nothing')).toBe(404);
  });
});

describe('listening', () => {
  test('on a port in use names the port and what to do', async () => {
    const { port } = await open();
    const second = createListener({ port, onError: () => {} });
    const error = await second.listen().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ListenError);
    expect(error).toMatchObject({ code: 'port-in-use', port, host: '127.0.0.1' });
    expect((error as Error).message).toBe(
      `Port ${port} on 127.0.0.1 is used by Toolwire itself. Choose another port (0 selects a free one).`,
    );
    await second.close();
  });

  test.each([
    ['linux', "ss -ltnp 'sport = :8000'"],
    ['darwin', 'lsof -i :8000'],
    ['win32', 'netstat -ano | findstr :8000'],
  ] as const)('on a port in use tells how to find the program on %s', (platform, command) => {
    const cause = Object.assign(new Error('taken'), { code: 'EADDRINUSE' });
    expect(listenErrorFrom(cause, '0.0.0.0', 8000, platform).message).toBe(
      `Port 8000 on 0.0.0.0 is used by another program. Stop it, or choose another port (0 selects a free one). To find the program, run: ${command}`,
    );
  });

  test('on an address of another machine says so', async () => {
    const listener = createListener({ host: '192.0.2.1', port: 0, onError: () => {} });
    await expect(listener.listen()).rejects.toMatchObject({ code: 'address-unavailable' });
    await listener.close();
  });

  test('ends within the grace whatever clients do, and frees the port', async () => {
    const { listener, port } = await open();
    listener.upgrade({ path: '/ws', maxPayload: 10, handle: (socket) => void socket.on('error', () => {}) });
    listener.route({ path: '/hang', methods: ['GET'], handle: () => new Promise(() => {}) });
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    const half = connect(port, '127.0.0.1');
    half.write('POST /hang HTTP/1.1\r\n');
    const hanging = ask(port, '/hang').catch((error: unknown) => error);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
    await once(socket, 'open');
    const ends = [idle, half, socket].map((end) => once(end, 'close'));
    await listener.close();
    await Promise.all(ends);
    expect(await hanging).toBeInstanceOf(Error);
    expect(listener.address()).toBeUndefined();
    const next = createListener({ port, onError: () => {} });
    expect(await next.listen()).toEqual({ host: '127.0.0.1', port });
    await next.close();
  });
});
