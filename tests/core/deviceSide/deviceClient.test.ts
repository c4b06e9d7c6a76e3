import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DeviceClient, McpServer, McpTool, type DeviceClientOptions } from '../../../src-core/device.ts';
import { backoffMs } from '../../../src-core/deviceSide/client/backoff.ts';
import { createManualClock } from '../features/devices/support/manualClock.ts';
import { mcp, startXiaozhiServer } from './support/xiaozhiServer.ts';

/** A tool that ends when its connection does, and tells when it started and how it ended. */
function patientTool() {
  let start = (): void => {};
  let end: (reason: string) => void = () => {};
  const started = new Promise<void>((resolve) => (start = resolve));
  const ended = new Promise<string>((resolve) => (end = resolve));
  const tool = new McpTool({
    name: 'patient',
    description: '',
    callback: (_args, { signal }) => {
      start();
      return new Promise<string>((resolve) =>
        signal.addEventListener('abort', () => {
          end('aborted');
          resolve('too late');
        }),
      );
    },
  });
  return { tool, started, ended };
}

function createClient(options: Partial<DeviceClientOptions> & { url: string }) {
  const states: string[] = [];
  const waiting = new Set<{ state: string; resolve: () => void }>();
  const server = options.server ?? new McpServer();
  const client = new DeviceClient({
    ...options,
    server,
    onState: (state, reason) => {
      states.push(reason === undefined ? state : `${state}: ${reason}`);
      for (const each of waiting) if (each.state === state) each.resolve();
    },
  });
  onTestFinished(() => client.close());
  /** Resolves when the client comes into a state, after now. */
  const becomes = (state: string) => new Promise<void>((resolve) => void waiting.add({ state, resolve }));
  return { client, server, states, becomes };
}

describe('a device client', () => {
  test('says who it is, greets, answers, and leaves with a close frame', async () => {
    const { url, visit } = await startXiaozhiServer();
    const { client, server, states } = createClient({
      url,
      deviceId: '02:00:00:00:00:01',
      clientId: 'c-1',
      token: 'secret',
      name: 'Desk lamp',
    });
    server.addTool(new McpTool({ name: 'on', description: 'Lights it.', callback: () => true }));
    await client.connect();
    const device = await visit(0);
    expect(device.headers).toMatchObject({
      'device-id': '02:00:00:00:00:01',
      'client-id': 'c-1',
      'protocol-version': '1',
      authorization: 'Bearer secret',
    });
    expect(JSON.parse(device.frames[0]!)).toMatchObject({
      type: 'hello',
      version: 1,
      features: { mcp: true },
      transport: 'websocket',
      device_name: 'Desk lamp',
    });
    device.send(mcp(7, 'tools/call', { name: 'on' }));
    expect(await device.frame('"id":7')).toBe(
      '{"session_id":"s-1","type":"mcp","payload":{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"true"}],"isError":false}}}',
    );
    await client.close();
    expect(await device.closed).toBe(1000);
    expect(states).toEqual(['connecting', 'connected', 'closed: code 1000']);
    await expect(client.connect()).rejects.toThrow();
    expect(client.send({ type: 'abort' })).toBe(false);
  });

  test('emits messages that are not MCP, sends messages, and ignores invalid frames', async () => {
    const { url, visit } = await startXiaozhiServer();
    const heard: unknown[] = [];
    let audio: (data: Buffer) => void = () => {};
    const opus = new Promise<Buffer>((resolve) => (audio = resolve));
    const { client } = createClient({ url, onMessage: (message) => heard.push(message), onAudio: audio });
    await client.connect();
    const device = await visit(0);
    for (const nothing of ['', 'no JSON {', '[1]', '5', '{"type":5}', '{"no":"type"}', '{"type":"mcp"}'])
      device.send(nothing);
    device.send(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    device.send({ type: 'tts', state: 'start' });
    device.send(mcp(1, 'ping'));
    await device.frame('"id":1');
    expect(heard).toEqual([{ type: 'tts', state: 'start' }]);
    device.socket.send(Buffer.from([1, 2, 3]));
    expect([...(await opus)]).toEqual([1, 2, 3]);
    expect(client.send({ type: 'abort', reason: 'wake_word_detected' })).toBe(true);
    expect(await device.frame('"abort"')).toBe('{"type":"abort","reason":"wake_word_detected"}');
    const binary = once(device.socket, 'message');
    expect(client.sendAudio(Uint8Array.of(4, 5))).toBe(true);
    expect((await binary)[1]).toBe(true);
  });

  test('runs calls beside one another, and stops them when the connection goes half-way', async () => {
    const { url, visit } = await startXiaozhiServer();
    const { tool, started, ended } = patientTool();
    const { client, server, becomes, states } = createClient({ url });
    server.addTool(tool);
    const closed = becomes('closed');
    await client.connect();
    const device = await visit(0);
    device.send(mcp(1, 'tools/call', { name: 'patient' }));
    device.send(mcp(2, 'ping'));
    await device.frame('"id":2');
    await started;
    device.socket.terminate();
    expect(await ended).toBe('aborted');
    await closed;
    expect(states.at(-1)).toBe('closed: no close frame (1006)');
    expect(device.frames.some((frame) => frame.includes('"id":1'))).toBe(false);
  });

  test('closes during a call, and while it connects', async () => {
    const { url, visit } = await startXiaozhiServer({ hello: false });
    const stop = new AbortController();
    const { client } = createClient({ url, signal: stop.signal });
    const connecting = client.connect();
    await (await visit(0)).frame('hello');
    stop.abort(new Error('enough'));
    await expect(connecting).rejects.toThrow('enough');
    expect(client.state).toBe('closed');

    const greeted = await startXiaozhiServer();
    const { tool, started, ended } = patientTool();
    const busy = createClient({ url: greeted.url });
    busy.server.addTool(tool);
    await busy.client.connect();
    (await greeted.visit(0)).send(mcp(1, 'tools/call', { name: 'patient' }));
    await started;
    await busy.client.close();
    expect(await ended).toBe('aborted');
  });

  test('closes the connection of a server that sends too much at once', async () => {
    const { url, visit } = await startXiaozhiServer();
    const { client, becomes } = createClient({ url, limits: { maxPayload: 1_000 } });
    const closed = becomes('closed');
    await client.connect();
    const device = await visit(0);
    device.send('x'.repeat(1_001));
    await closed;
    expect(await device.closed).toBe(1009);
  });

  test('closes the connection if the hello is missing or invalid', async () => {
    const clock = createManualClock();
    const { url, visit } = await startXiaozhiServer({ hello: { type: 'hello' } });
    const { client } = createClient({ url, after: clock.after });
    const connecting = expect(client.connect()).rejects.toThrow('The server answered no hello within 10 s.');
    await (await visit(0)).frame('hello');
    clock.advance(10_000);
    await connecting;
  });

  test.each(['ftp://x', 'nonsense', ''])('the constructor refuses the address %j', (url) => {
    expect(() => new DeviceClient({ url, server: new McpServer() })).toThrow('"url" must be an http, https, ws or wss');
  });
});

describe('a device client that reconnects', () => {
  const reconnect = { minDelayMs: 1_000, maxDelayMs: 8_000, random: () => 1 };

  test('comes back when the connection is lost, as the same device', async () => {
    const clock = createManualClock();
    const { url, visit, visits } = await startXiaozhiServer();
    const { client, states, becomes } = createClient({ url, reconnect, after: clock.after });
    await client.connect();
    const lost = becomes('waiting');
    (await visit(0)).socket.close(1001, 'restart');
    await lost;
    const back = becomes('connected');
    clock.advance(999);
    expect(visits).toHaveLength(1);
    clock.advance(1);
    await back;
    expect((await visit(1)).headers['device-id']).toBe(visits[0]!.headers['device-id']);
    expect(states).toEqual(['connecting', 'connected', 'waiting: code 1001, restart', 'connecting', 'connected']);
  });

  test('waits longer after each failure, and as at first after a success', async () => {
    const clock = createManualClock();
    const refused = createServer((_request, response) => response.end('{"websocket":{"url":"ws://127.0.0.1:1/"}}'));
    refused.listen(0, '127.0.0.1');
    onTestFinished(() => void refused.close());
    await once(refused, 'listening');
    const asked: number[] = [];
    const waits: number[] = [];
    const { client, becomes } = createClient({
      url: `http://127.0.0.1:${(refused.address() as AddressInfo).port}/`,
      reconnect,
      after: (ms, run) => {
        waits.push(ms);
        return clock.after(ms, run);
      },
    });
    refused.on('request', () => asked.push(clock.now()));
    const connecting = client.connect().catch((error: unknown) => error);
    for (const [index, ms] of [1_000, 2_000, 4_000, 8_000, 8_000].entries()) {
      await becomes('waiting');
      expect(waits.filter((wait) => wait !== 10_000)).toHaveLength(index + 1);
      expect(waits.at(-1)).toBe(ms);
      clock.advance(ms);
    }
    await becomes('waiting');
    // OTA is asked before every attempt.
    expect(asked).toHaveLength(6);
    await client.close();
    expect(await connecting).toBeInstanceOf(Error);
    expect(client.state).toBe('closed');
  });

  test('stays away when it was closed while it waited', async () => {
    const clock = createManualClock();
    const { url, visit, visits } = await startXiaozhiServer();
    const { client, becomes } = createClient({ url, reconnect, after: clock.after });
    await client.connect();
    const lost = becomes('waiting');
    (await visit(0)).socket.terminate();
    await lost;
    await client.close();
    clock.advance(60_000);
    expect(client.state).toBe('closed');
    expect(visits).toHaveLength(1);
  });

  test('waits half for certain and half by chance', () => {
    expect(backoffMs(0, { random: () => 0 })).toBe(500);
    expect(backoffMs(3, { random: () => 0.5 })).toBe(6_000);
    expect(backoffMs(1_000, { random: () => 1 })).toBe(60_000);
  });
});

describe('OTA', () => {
  async function otaClient(answer: string, status = 200, token?: string) {
    const ota = createServer((_request, response) => response.writeHead(status).end(answer)).listen(0, '127.0.0.1');
    onTestFinished(() => void ota.close());
    await once(ota, 'listening');
    return createClient({
      url: `http://127.0.0.1:${(ota.address() as AddressInfo).port}/`,
      ...(token === undefined ? {} : { token }),
    }).client;
  }

  test.each([
    [{ token: 'from-ota' }, 'Bearer from-ota'],
    [{}, 'Bearer told'],
  ])('the error names the address and %j; an own token has precedence', async (more, authorization) => {
    const { url, visit } = await startXiaozhiServer();
    const client = await otaClient(JSON.stringify({ websocket: { url, ...more } }), 200, 'told');
    await client.connect();
    expect((await visit(0)).headers.authorization).toBe(authorization);
  });

  test.each([
    ['not JSON', 'not valid JSON'],
    ['{}', 'named no "websocket"'],
    ['{"websocket":null}', 'named no "websocket"'],
    ['{"websocket":{"url":"http://127.0.0.1/"}}', 'named no "websocket"'],
    ['x'.repeat(9_000), 'more than 8192 bytes'],
  ])('reports an unusable OTA answer (%#)', async (answer, message) => {
    await expect((await otaClient(answer)).connect()).rejects.toThrow(message);
  });

  test('reports an OTA answer with another status', async () => {
    await expect((await otaClient('{}', 503)).connect()).rejects.toThrow('answered with status 503');
  });
});
