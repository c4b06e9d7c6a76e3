/** The limits of docs/protocols/gateway.md#limits. */
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';

import { ResultQueue } from '../../../../src-core/features/gateway/resultQueue.ts';
import { createManualClock } from '../devices/support/manualClock.ts';
import { openGateway } from './support/openGateway.ts';
import { inShort } from './support/testClient.ts';
import { ask, clientTool, register } from './support/wording.ts';

test('a message of 1 MiB is taken, one byte more closes with 1009', async () => {
  const { connect } = await openGateway({ turns: [{ text: 'long' }] });
  const client = await connect();
  const frame = JSON.stringify(ask(''));
  client.send(frame.replace('""', `"${'a'.repeat(1_048_576 - frame.length)}"`));
  await client.upTo('idle');
  client.send(frame.replace('""', `"${'a'.repeat(1_048_577 - frame.length)}"`));
  expect(await client.closed).toBe(1009);
});

test('answers 100 connections at once; closes the 101st with 1013 without a message', async () => {
  const all = Promise.withResolvers<undefined>();
  let asked = 0;
  const { connect, gateway, url } = await openGateway({
    turns: async ({ messages }) => {
      asked += 1;
      if (asked === 100) all.resolve(undefined);
      await all.promise;
      return { text: `re ${String(messages.at(-1)!.content)}` };
    },
  });
  const clients = await Promise.all(Array.from({ length: 100 }, () => connect()));
  const late = new WebSocket(url);
  onTestFinished(() => late.terminate());
  const heard: unknown[] = [];
  late.on('message', (data) => heard.push(data));
  const [code] = (await once(late, 'close')) as [number];
  expect([code, heard]).toEqual([1013, []]);
  clients.forEach((client, index) => client.send(ask(`question ${index}`)));
  const answers = await Promise.all(
    clients.map(async (client) => (await client.upTo('llm_response')).at(-1)!['content']),
  );
  expect(answers).toEqual(clients.map((_, index) => `re question ${index}`));
  expect(gateway.connections()).toHaveLength(100);
  clients[0]!.socket.close();
  await clients[0]!.closed;
  const next = await connect();
  expect(next.sessionId).not.toBe('');
});

test('pings every 30 s and closes after 300 s of silence', async () => {
  const clock = createManualClock();
  const { connect, url } = await openGateway({ clock });
  const alive = await connect();
  const dumb = new WebSocket(url, { autoPong: false });
  onTestFinished(() => dumb.terminate());
  const closed = once(dumb, 'close') as Promise<[number]>;
  await once(dumb, 'message');
  for (let beat = 0; beat < 9; beat += 1) {
    const [pinged, answered] = [once(dumb, 'ping'), once(alive.socket, 'ping')];
    clock.advance(30_000);
    await Promise.all([pinged, answered]);
    // The pong before it is in the same stream: it has been read once this is answered.
    alive.send({ type: 'ping' });
    await alive.upTo('pong');
  }
  expect(dumb.readyState).toBe(dumb.OPEN);
  clock.advance(30_000);
  expect((await closed)[0]).toBe(1011);
  alive.send({ type: 'ping' });
  expect(inShort(await alive.upTo('pong'))).toEqual(['pong']);
});

test('any frame is a sign of life, also if pongs never come', async () => {
  const clock = createManualClock();
  const { url, gateway } = await openGateway({ clock });
  const socket = new WebSocket(url, { autoPong: false });
  onTestFinished(() => socket.terminate());
  await once(socket, 'message');
  for (let time = 0; time < 3; time += 1) {
    clock.advance(299_999);
    socket.send('{"type":"ping"}');
    await once(socket, 'message');
  }
  expect(gateway.connections()).toHaveLength(1);
});

test('refuses a page of a foreign origin, accepts an allowed one and programs without an origin', async () => {
  const { connect, url, settings } = await openGateway({ settings: { allowedOrigins: 'http://app.test,null' } });
  const refused = async (origin: string): Promise<number> => {
    const socket = new WebSocket(url, { origin });
    socket.on('error', () => undefined);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    socket.terminate();
    return response.statusCode;
  };
  expect(await refused('http://evil.test')).toBe(403);
  expect((await connect({ origin: 'http://app.test' })).sessionId).not.toBe('');
  expect((await connect({ origin: 'null' })).sessionId).not.toBe('');
  settings.allowedOrigins = '';
  expect(await refused('http://app.test')).toBe(403);
  expect(await refused(url.replace('ws:', 'http:'))).toBe(403);
  settings.allowedOrigins = '*';
  expect((await connect({ origin: 'http://evil.test' })).sessionId).not.toBe('');
});

test('a refused page is logged once, with what allows it, and listed until it is allowed', async () => {
  const clock = createManualClock();
  const { connect, url, settings, gateway, events } = await openGateway({ clock });
  const attempt = async (origin: string): Promise<void> => {
    const socket = new WebSocket(url, { origin });
    socket.on('error', () => undefined);
    await once(socket, 'unexpected-response');
    socket.terminate();
  };
  const logged = (): unknown[] =>
    events.filter(({ message }) => message === 'web page refused').map(({ origin }) => origin);
  await attempt('http://localhost:5173');
  await attempt('null');
  await attempt('http://localhost:5173');
  expect(logged()).toEqual(['http://localhost:5173', 'null']);
  expect(events.find(({ message }) => message === 'web page refused')).toMatchObject({
    level: 'WARNING',
    advice: expect.stringContaining('--allow-origin http://localhost:5173 or CLOUD_ALLOWED_ORIGINS=') as string,
  });
  expect(gateway.refusedPages().map(({ origin, count }) => [origin, count])).toEqual([
    ['http://localhost:5173', 2],
    ['null', 1],
  ]);
  clock.advance(60_000);
  await attempt('http://localhost:5173');
  expect(logged()).toHaveLength(3);
  settings.allowedOrigins = 'http://localhost:5173';
  expect(gateway.refusedPages().map(({ origin }) => origin)).toEqual(['null']);
  expect((await connect({ origin: 'http://localhost:5173' })).sessionId).not.toBe('');
  for (let index = 0; index < 30; index += 1) await attempt(`http://page-${index}.test`);
  expect(gateway.refusedPages()).toHaveLength(20);
});

test('refuses a page with a foreign host name (DNS rebinding); programs may use any name', async () => {
  const { url } = await openGateway({ settings: { allowedOrigins: 'http://app.test' } });
  const status = async (headers: Record<string, string>): Promise<number> => {
    const socket = new WebSocket(url, { headers });
    onTestFinished(() => socket.terminate());
    const refusal = once(socket, 'unexpected-response') as Promise<[unknown, { statusCode: number }]>;
    refusal.catch(() => undefined);
    const opened = once(socket, 'open').then(() => 101);
    opened.catch(() => undefined);
    socket.on('error', () => undefined);
    return Promise.race([opened, refusal.then(([, response]) => response.statusCode)]);
  };
  expect(await status({ host: 'rebound.test', origin: 'http://app.test' })).toBe(421);
  expect(await status({ host: 'app.test', origin: 'http://app.test' })).toBe(101);
  expect(await status({ host: 'gateway.lan' })).toBe(101);
});

test('answers a browser with the test page', async () => {
  const { url } = await openGateway();
  const answer = await fetch(url.replace('ws:', 'http:'));
  expect([answer.status, await answer.text()]).toEqual([426, expect.stringMatching(/WebSocket/)]);
});

test('accepts a WebSocket on every path', async () => {
  const { url } = await openGateway();
  const socket = new WebSocket(`${url}/any/path?token=secret`);
  onTestFinished(() => socket.terminate());
  expect(JSON.parse(String((await once(socket, 'message'))[0]))).toMatchObject({ status: 'connected' });
});

test('a client that does not read is let go, and the others notice nothing', async () => {
  const { url, connect, gateway, until } = await openGateway();
  const { port } = new URL(url);
  const deaf = connectTcp(Number(port), '127.0.0.1');
  onTestFinished(() => void deaf.destroy());
  deaf.on('error', () => undefined);
  deaf.write(
    'GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await until(() => gateway.connections().length === 1);
  deaf.pause();
  const { id } = gateway.connections()[0]!;
  const text = 'x'.repeat(1024 * 1024);
  expect(() => {
    for (let count = 0; count < 64; count += 1) gateway.send(id, text, { confirmed: true });
  }).toThrow(/closing/);
  await until(() => gateway.connections().length === 0);
  const client = await connect();
  client.send({ type: 'ping' });
  expect(inShort([await client.next()])).toEqual(['pong']);
});

test('results that wait: reading stops at the limit, goes on below it, and nothing is dropped', async () => {
  const seen: string[] = [];
  const queue = new ResultQueue<number>({
    size: 2,
    deliver: (result) => seen.push(`${result}`),
    pause: () => seen.push('pause'),
    resume: () => seen.push('resume'),
  });
  // What the socket had read already still comes after the pause.
  for (const result of [1, 2, 3]) queue.add(result);
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  while (!seen.includes('3')) await turn();
  expect(seen).toEqual(['pause', '1', '2', 'resume', '3']);
  queue.add(4);
  queue.add(5);
  queue.flush();
  expect(seen.slice(-3)).toEqual(['pause', '4', '5']);
});

test('closing: clients are told 1001, calls by hand end, server tools leave', async () => {
  const { connect, gateway, toolRegistryManager } = await openGateway();
  const client = await connect();
  client.send(register(clientTool('f')));
  await client.upTo('tools_registered');
  const call = toolRegistryManager
    .getTool('gateway-client-1')!
    .invoke('f', {}, { signal: new AbortController().signal, timeoutMs: 60_000, callId: 'c' });
  const outcome = expect(call).rejects.toMatchObject({ code: 'disconnected' });
  await gateway.close();
  await outcome;
  expect(await client.closed).toBe(1001);
  expect(toolRegistryManager.getAllTools()).toEqual([]);
});
