/** Whoever can reach the port may try this. It is refused or survived, a device beside it is served, and nothing leaks. */
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { executeSingleRequest } from '../../../../src-core/engine/executor.ts';
import { besiege, deep, intrude, badId, visionToken } from './support/besiege.ts';
import type { Besieged } from './support/besiege.ts';
import { askRaw, httpRequest, openRaw, statusOf } from './support/rawHttp.ts';
import { connectScripted, standardAnswer, tcpOf } from './support/scriptedDevice.ts';

const mib = 1024 * 1024;
/** Resolves with the state of the intruder once it fits. */
function becomes({ hub }: Besieged, ...states: string[]): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!states.includes(hub.device(badId)?.state ?? '')) return;
      stop();
      resolve();
    };
    const stop = hub.onChange(check);
    check();
  });
}

describe('without the right token, from another machine', () => {
  test.each([
    ['no token', {}, '', 'no-token'],
    ['a wrong token', { Authorization: 'Bearer x' }, '', 'wrong-token'],
    ['a wrong token in the query', {}, '?authorization=Bearer%20x', 'wrong-token'],
  ])('the WebSocket with %s is refused at its handshake, with the reason', async (_what, headers, query, reason) => {
    const siege = await besiege({ remote: true });
    const attempt = connectScripted(siege.wsUrl + query, { headers: { 'Device-Id': badId, ...headers } });
    await expect(attempt).rejects.toThrow('Unexpected server response: 401');
    expect(siege.hub.device(badId)?.doctor.cause).toBe(reason);
    await siege.calm();
  });

  test.each([
    ['no token', () => ({}), ''],
    ['a wrong token', () => ({ Authorization: 'Bearer x' }), ''],
    ['the token of another device', (token: string) => ({ Authorization: `Bearer ${token}`, 'Device-Id': badId }), ''],
    ['the right token, in the query', () => ({}), 'authorization=Bearer '],
  ])('pictures with %s are refused', async (_what, headers, query) => {
    const siege = await besiege({ remote: true });
    const token = visionToken(siege);
    const line = `POST /mcp/vision/explain?${query === '' ? '' : encodeURI(query + token)}`;
    expect(statusOf(await askRaw(siege.port, httpRequest(line, { headers: headers(token) })))).toBe(401);
    expect(siege.desk.list()).toEqual([]);
    await siege.calm();
  });

  test('OTA takes neither a name nor a token from the query', async () => {
    const siege = await besiege({ remote: true });
    const line = `POST /xiaozhi/ota/?device-id=${badId}&authorization=Bearer%20${siege.hub.accessToken()}`;
    const answer = await askRaw(siege.port, httpRequest(line));
    expect(statusOf(answer)).toBe(200);
    expect(answer).not.toContain(siege.hub.accessToken());
    expect(siege.hub.device(badId)).toBeUndefined();
    await siege.calm();
  });

  test('a hundred unapproved devices share 64 places, and an approved device keeps its own', async () => {
    const siege = await besiege({ remote: true });
    const statuses = await Promise.all(
      Array.from({ length: 100 }, () => {
        const socket = new WebSocket(siege.wsUrl, {
          headers: { Authorization: `Bearer ${siege.hub.accessToken()}` },
        });
        return new Promise<number>((resolve) => {
          socket.on('open', () => resolve(101));
          socket.on('unexpected-response', (request, { statusCode = 0 }) => {
            request.destroy();
            resolve(statusCode);
          });
        }).then((status) => ({ socket, status }));
      }),
    );
    await siege.serves();
    expect(statuses.filter(({ status }) => status === 101)).toHaveLength(64);
    expect(statuses.filter(({ status }) => status === 503)).toHaveLength(36);
    statuses.forEach(({ socket, status }) => status === 101 && socket.terminate());
    await siege.calm();
  });
});

describe('frames of 32 MiB', () => {
  test.each([
    ['text', false],
    ['binary', true],
  ])('of %s end the connection, before hello and after, and nothing of them stays', async (_kind, binary) => {
    const siege = await besiege();
    const data = Buffer.alloc(32 * mib, 'x');
    const before = siege.heldBytes();
    for (const greets of [false, true]) {
      for (let count = 0; count < 3; count += 1) {
        const device = await intrude(siege);
        if (greets) {
          device.hello();
          await becomes(siege, 'ready');
        }
        device.socket.send(data, { binary });
        const { code } = await device.closed;
        expect([1006, 1009]).toContain(code);
        await becomes(siege, 'closed', 'failed');
      }
    }
    await siege.calm();
    // The last frame goes when the client's own end of it has been let go of, some turns later.
    await expect.poll(() => siege.heldBytes() - before).toBeLessThan(16 * mib);
  });

  test('in pieces are counted together', async () => {
    const siege = await besiege();
    const device = await intrude(siege);
    device.hello();
    await becomes(siege, 'ready');
    for (let piece = 0; piece < 32; piece += 1) device.socket.send(Buffer.alloc(mib), { fin: piece === 31 });
    expect([1006, 1009]).toContain((await device.closed).code);
    await siege.calm();
  });
});

describe('many at once', () => {
  test('500 silent connections, half of them WebSockets: the device beside them is served, and all go', async () => {
    const siege = await besiege();
    const sockets = await Promise.all(Array.from({ length: 250 }, () => openRaw(siege.port, 'GET / HTTP')));
    const devices = await Promise.all(
      Array.from({ length: 250 }, async (_, index) => {
        const socket = new WebSocket(siege.wsUrl, { headers: { 'Device-Id': `silent-${index}` } });
        await once(socket, 'open');
        return socket;
      }),
    );
    await siege.serves();
    sockets.forEach((socket) => socket.destroy());
    devices.forEach((socket) => socket.terminate());
    await siege.calm();
    expect(siege.hub.devices().length).toBeLessThanOrEqual(65);
  });

  test('10,000 small frames before hello cut the connection; after hello they are read, and the log stays small', async () => {
    const siege = await besiege();
    const early = await intrude(siege);
    for (let index = 0; index < 10_000; index += 1) early.send({ type: 'listen', state: 'start' });
    await early.closed;
    const device = await intrude(siege);
    device.hello();
    await becomes(siege, 'ready');
    for (let index = 0; index < 10_000; index += 1)
      device.send({ type: 'mcp', payload: { jsonrpc: '2.0', method: `notifications/${index}` } });
    device.send({ type: 'ping' });
    await device.frame(({ type }) => type === 'pong');
    expect(siege.hub.device(badId)?.notifications?.count).toBe(10_000);
    expect((await siege.framesOf(badId)).length).toBeGreaterThan(10_000);
    device.socket.terminate();
    await siege.calm();
  });
});

describe('invalid messages', () => {
  const garbage: [string, string | Buffer][] = [
    ['no JSON', '{{{'],
    ['nothing', ''],
    ['a lone surrogate and zeros', '{"type":"\ud800\u0000"}'],
    ['JSON that is not an object', '[[[[1]]]]'],
    ['null', 'null'],
    ['a type that is none', '{"type":{"hello":1}}'],
    ['an answer to nobody', '{"type":"mcp","payload":{"jsonrpc":"2.0","id":1e308,"result":null}}'],
    ['a payload that is none', '{"type":"mcp","payload":[]}'],
    ['arrays 100,000 deep', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['a message 100,000 deep', `{"type":"mcp","payload":${deep('1')}}`],
    ['features 100,000 deep', `{"type":"hello","features":${deep('true')}}`],
    ['a name 100,000 deep', `{"type":"hello","device_name":${deep('1')}}`],
    ['binary', Buffer.from([0, 0, 0, 0, 255, 255, 255, 255, 1])],
    ['no binary frame at all', Buffer.alloc(0)],
  ];
  test.each(garbage)('%s before hello and after is survived', async (_what, data) => {
    const siege = await besiege();
    const early = await intrude(siege);
    early.socket.send(data);
    early.hello();
    early.socket.close();
    await early.closed;
    const device = await intrude(siege);
    device.hello();
    await becomes(siege, 'ready');
    device.socket.send(data);
    device.send({ type: 'ping' });
    await device.frame(({ type }) => type === 'pong');
    expect(siege.hub.device(badId)).toMatchObject({ state: 'ready' });
    device.socket.terminate();
    await siege.calm();
  });

  test.each([
    ['a result', { 'tools/call': deep('1') }],
    ['content', { 'tools/call': `{"content":${deep('1')},"isError":false}` }],
    ['the text of a result', { 'tools/call': `{"content":[{"type":"text","text":${JSON.stringify(deep('1'))}}]}` }],
    ['an initialize answer', { initialize: `{"serverInfo":${deep('1')}}` }],
    [
      'a schema',
      { 'tools/list': `{"tools":[{"name":"self.x","inputSchema":{"type":"object","properties":${deep('{}')}}}]}` },
    ],
    ['a list', { 'tools/list': `{"tools":[${deep('1')}]}` }],
    ['a cursor', { 'tools/list': `{"tools":[],"nextCursor":${deep('1')}}` }],
  ])('%s that is 100,000 deep is survived, by the executor too', async (_what, results: Record<string, string>) => {
    const siege = await besiege();
    const device = await intrude(siege, {
      answer: (request) => {
        const result = results[request.method];
        if (result === undefined || request.id === undefined) return standardAnswer(request);
        return `{"type":"mcp","payload":{"jsonrpc":"2.0","id":${request.id},"result":${result}}}`;
      },
    });
    device.hello();
    await becomes(siege, 'ready', 'failed');
    const { toolRegistryManager } = siege;
    const registry = toolRegistryManager.getAllTools().find(({ source }) => source.id === badId);
    for (const { name } of registry?.getMetadata().methods ?? []) {
      const request = { toolName: `${registry?.id}_${name}`, args: {} };
      expect(typeof (await executeSingleRequest(request, { toolRegistryManager, caller: 'user' })).status).toBe(
        'string',
      );
    }
    JSON.stringify(siege.hub.devices());
    device.socket.terminate();
    await siege.calm();
  });
});

test('names of the prototype are names like any other, wherever they stand', async () => {
  const siege = await besiege();
  const evil = '{"polluted":true}';
  const keys = `"__proto__":${evil},"constructor":{"prototype":${evil}},"hasOwnProperty":1,"toString":null`;
  const names = ['__proto__', 'constructor', 'toString'];
  const device = await intrude(siege, {
    answer: ({ id, method, params }) => {
      const schema = `{"type":"object","properties":{${names.map((name) => `"${name}":{"type":"integer"}`).join()}},${keys}}`;
      const tools = names.map((name) => `{"name":"${name}","description":"x","inputSchema":${schema},${keys}}`);
      const results: Record<string, string> = {
        initialize: `{"serverInfo":{"name":"__proto__",${keys}},${keys}}`,
        'tools/list': `{"tools":[${tools.join()}],${keys}}`,
        'tools/call': `{"content":[{"type":"text","text":${JSON.stringify(JSON.stringify(params))},${keys}}],${keys}}`,
      };
      return id === undefined
        ? undefined
        : `{"type":"mcp","payload":{"jsonrpc":"2.0","id":${id},"result":${results[method]},${keys}},${keys}}`;
    },
  });
  device.send(`{"type":"hello","features":{"mcp":true,${keys}},"audio_params":{${keys}},${keys}}`);
  await becomes(siege, 'ready');
  const { toolRegistryManager, hub, port } = siege;
  const registry = toolRegistryManager.getAllTools().find(({ source }) => source.id === badId);
  for (const name of names) {
    const args = JSON.parse(`{"__proto__":1,"constructor":2,"toString":3}`) as Record<string, number>;
    const outcome = await executeSingleRequest(
      { toolName: registry?.id ?? '', command: name, args },
      { toolRegistryManager, caller: 'user' },
    );
    expect(outcome).toMatchObject({ status: 'success' });
    const called = device.requests.findLast(({ method }) => method === 'tools/call')?.params;
    expect(called?.name).toBe(name);
    expect(Object.entries(called?.arguments ?? {})).toEqual(Object.entries(args));
  }
  const ota = httpRequest('POST /xiaozhi/ota/', {
    headers: { 'Device-Id': '__proto__' },
    body: `{"application":{${keys}},"board":{"name":"constructor",${keys}},${keys}}`,
  });
  expect(statusOf(await askRaw(port, ota))).toBe(200);
  expect(hub.device('__proto__')).toMatchObject({ board: 'constructor' });
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"; filename="__proto__"\r\n\r\n${value}\r\n`;
  const form = httpRequest('POST /mcp/vision/explain', {
    headers: { Authorization: `Bearer ${visionToken(siege)}`, 'Content-Type': 'multipart/form-data; boundary=b' },
    body: `${names.map((name) => part(name, 'x')).join('')}${part('file', 'GIF89a')}--b--\r\n`,
  });
  expect(statusOf(await askRaw(port, form))).toBe(200);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  device.socket.terminate();
  await siege.calm();
});

describe('connections that hold still', () => {
  test.each([
    ['headers that never end', 'POST /xiaozhi/ota/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: '],
    ['a body that never ends', 'POST /xiaozhi/ota/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n\r\n{'],
    [
      'a chunk that never ends',
      'POST /xiaozhi/ota/ HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{',
    ],
    ['a picture that never ends', ''],
  ])('%s are cut by the listener', async (what, start) => {
    const siege = await besiege({ requestMs: 500 });
    const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${visionToken(siege)}\r\nContent-Length: 8000000\r\n`;
    const picture = `POST /mcp/vision/explain HTTP/1.1\r\n${head}\r\n--b`;
    const socket = await openRaw(siege.port, what === 'a picture that never ends' ? picture : start);
    let answer = '';
    socket.on('data', (data: Buffer) => {
      answer += data.toString('latin1');
    });
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout/);
    await siege.calm();
  });

  test('a device that never reads is cut once 4 MiB wait for it', async () => {
    const siege = await besiege();
    const device = await intrude(siege);
    device.hello();
    await becomes(siege, 'ready');
    tcpOf(device.socket).pause();
    const text = JSON.stringify({ type: 'custom', payload: 'x'.repeat(mib) });
    const sendMany = async (): Promise<void> => {
      for (let count = 0; count < 100; count += 1) {
        siege.hub.send({ id: badId, text });
        await new Promise(setImmediate);
      }
    };
    await expect(sendMany()).rejects.toThrow('accepts no more');
    await becomes(siege, 'closed');
    expect(siege.hub.device(badId)?.error?.message).toContain('does not read');
    device.socket.terminate();
    await siege.calm();
  });
});
