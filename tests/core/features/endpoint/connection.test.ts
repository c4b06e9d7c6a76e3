import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { WebSocketServer } from 'ws';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { renderMessage } from '../../../../src-core/base/messages/message.ts';
import { zh } from '../../../../src-core/base/messages/zh/index.ts';
import { maskAddress } from '../../../../src-core/features/endpoint/endpointAddresses.ts';
import { openEndpoint } from '../../../../src-core/features/endpoint/service.ts';
import { registryOf } from '../hosts/support.ts';
import { all, openEndpoints, said } from './support.ts';

describe('the connection', () => {
  test('waits 1, 2, 4 … 60 s, and 1 s again after a life of 60 s', async () => {
    const { broker, service, become, clock } = await openEndpoints();
    await service.add({ url: broker.toolUrl('a'), chosen: all, enabled: true });
    await become('connected');
    const delays: number[] = [];
    const next = async (): Promise<void> => {
      const [info] = service.list();
      const delay = (info?.retryAt ?? 0) - clock.wall();
      delays.push(delay);
      clock.pass(delay - 1);
      expect(service.list()[0]?.state).toBe('waiting');
      clock.pass(1);
      await become('connected');
    };
    for (let round = 0; round < 8; round += 1) {
      broker.end('a', 4004);
      await become('waiting');
      await next();
    }
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    const caller = await broker.call('a');
    for (let round = 0; round < 3; round += 1) {
      clock.pass(20_000);
      // The first answer comes after the ping was answered; the second is read after that answer.
      await caller.request(1, 'ping');
      await caller.request(2, 'ping');
    }
    broker.end('a', 1006 + 5);
    await become('waiting');
    await next();
    expect(delays.at(-1)).toBe(1_000);
  });

  test.each([
    [1000, 'endpoint.replaced'],
    [1008, 'endpoint.tokenRefused'],
  ])('close %i stops, says why, and waits for the user', async (code, reason) => {
    const { broker, service, become, clock } = await openEndpoints();
    const { id } = await service.add({ url: broker.toolUrl('a'), chosen: all, enabled: true });
    await become('connected');
    broker.end('a', code);
    await become('stopped');
    const [info] = service.list();
    expect(info?.reason?.code).toBe(reason);
    expect(renderMessage(info?.reason ?? { text: '' }, zh)).not.toBe(info?.reason?.text);
    clock.pass(600_000);
    expect([service.list()[0]?.state, broker.connections]).toEqual(['stopped', 1]);
    await service.connect({ id });
    await become('connected');
  });

  test('another program with the token stops it, and does not start a fight', async () => {
    const { broker, service, become, clock } = await openEndpoints();
    const other = await openEndpoints();
    await service.add({ url: broker.toolUrl('a'), chosen: all, enabled: true });
    await become('connected');
    await other.service.add({ url: broker.toolUrl('a'), chosen: all, enabled: true });
    await other.become('connected');
    await become('stopped');
    clock.pass(600_000);
    expect([broker.connections, other.state()]).toEqual([2, 'connected']);
  });

  test('a wrong token and a refusal by HTTP stop; a wrong path and a closed port are tried again', async () => {
    const { broker, service, become } = await openEndpoints();
    const base = new URL(broker.toolUrl('a')).origin.replace('http', 'ws');
    const cases = [
      [`${base}/mcp_endpoint/mcp/?token=wrong`, 'stopped', 'endpoint.tokenRefused'],
      [`${base}/refused?token=t`, 'stopped', 'endpoint.tokenRefused'],
      [`${base}/elsewhere?token=t`, 'waiting', 'endpoint.noWebSocket'],
      ['ws://127.0.0.1:1/?token=t', 'waiting', 'endpoint.unreachable'],
    ] as const;
    for (const [url, state, reason] of cases) {
      const { id } = await service.add({ url, chosen: all, enabled: true });
      await become(state);
      expect(service.list()[0]?.reason?.code).toBe(reason);
      await service.remove({ id });
    }
  });

  test('a connection that does not answer a ping is made anew', async () => {
    const { broker, service, become, clock } = await openEndpoints();
    await service.add({ url: broker.toolUrl('a'), chosen: all, enabled: true });
    await become('connected');
    // Both are due before an answer can arrive.
    clock.pass(40_000);
    await become('waiting');
    expect(service.list()[0]?.reason).toMatchObject({ code: 'endpoint.silent' });
  });

  test('a connection that asks and receives no answers is made anew', async () => {
    const listener = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(listener, 'listening');
    onTestFinished(() => void listener.close());
    listener.on('connection', (socket) => {
      socket.pause();
      for (let id = 0; id < 2_000; id += 1) socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }));
    });
    const tool = { run: () => said(''), description: 'x'.repeat(64_000) };
    const { service, become } = await openEndpoints({ tool });
    const url = `ws://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
    await service.add({ url, chosen: all, enabled: true });
    await become('waiting');
    expect(service.list()[0]?.reason).toMatchObject({ code: 'endpoint.stuck' });
  });

  test('is made anew when the tools change, but not while a call runs', async () => {
    const release = Promise.withResolvers<string>();
    const { broker, service, become, clock, manager } = await openEndpoints({
      wait: { run: async () => said(await release.promise) },
    });
    await service.add({ url: broker.toolUrl('a'), chosen: all, enabled: true });
    await become('connected');
    const caller = await broker.call('a');
    const call = caller.request(1, 'tools/call', { name: 'box_wait' });
    await caller.request(2, 'ping');
    manager.register(registryOf('late', { tool: { run: () => said('') } }));
    clock.pass(1_000);
    expect(broker.connections).toBe(1);
    release.resolve('ready');
    expect(await call).toMatchObject({ result: { content: [{ text: 'ready' }] } });
    await vi.waitFor(() => expect(broker.connections).toBe(2));
    await become('connected');
    expect(JSON.stringify(await caller.request(3, 'tools/list'))).toContain('late_tool');
  });
});

test('a change of tools while it connects does not end the connection after the first call', async () => {
  const { broker, service, become, clock, manager } = await openEndpoints();
  const { id } = await service.add({ url: broker.toolUrl('a'), chosen: all, enabled: false });
  manager.register(registryOf('late', { tool: { run: () => said('') } }));
  await service.connect({ id });
  expect(service.list()[0]?.state).toBe('connecting');
  clock.pass(1_000);
  await become('connected');
  const caller = await broker.call('a');
  expect(JSON.stringify(await caller.request(1, 'tools/list'))).toContain('late_tool');
  await caller.request(2, 'tools/call', { name: 'box_echo', arguments: {} });
  await caller.request(3, 'ping');
  expect([service.list()[0]?.state, broker.connections]).toEqual(['connected', 1]);
});

describe('what is kept', () => {
  test('a path that is a token is masked as well', () => {
    expect(maskAddress('wss://agent.example/mcp/4f9c1e7ab2d84e0c9a/tools')).toBe('wss://agent.example/mcp/***/tools');
  });

  test('the address is a secret: only its masked form is stored and listed', async () => {
    const { broker, service, store, secrets, errors, become } = await openEndpoints();
    const url = broker.toolUrl('a');
    const token = new URL(url).searchParams.get('token') ?? '';
    const { id } = await service.add({ url, label: 'Kitchen', chosen: all, enabled: true });
    await become('connected');
    broker.end('a', 1000);
    await become('stopped');
    expect(secrets.values.get(`endpoint:${id}`)).toBe(url);
    const shown = JSON.stringify([service.list(), store.get('endpoints'), errors.map(String)]);
    expect(shown).not.toContain(token);
    expect(shown).not.toContain(encodeURIComponent(token));
    expect(service.list()[0]?.place).toBe(`${new URL(url).protocol}//${new URL(url).host}/mcp_endpoint/mcp/?***`);
    await service.remove({ id });
    expect([service.list(), secrets.values.size]).toEqual([[], 0]);
  });

  test('only chosen tools are listed and called; the list counts tokens', async () => {
    const { broker, service, become, manager } = await openEndpoints({
      one: { run: () => said('1') },
      two: { run: () => said('2') },
    });
    manager.register(registryOf('server', { three: { run: () => said('3') } }, { kind: 'mcp', id: 'm1', label: 'M' }));
    const chosen = { all: false, sources: ['mcp:m1'], tools: ['box_two'] };
    const { id } = await service.add({ url: broker.toolUrl('a'), chosen, enabled: true });
    await become('connected');
    const caller = await broker.call('a');
    const names = async (): Promise<string[]> =>
      ((await caller.request(1, 'tools/list')) as { result: { tools: { name: string }[] } }).result.tools.map(
        ({ name }) => name,
      );
    expect(await names()).toEqual(['box_two', 'server_three']);
    expect(await caller.request(2, 'tools/call', { name: 'box_one' })).toMatchObject({ error: { code: -32_602 } });
    expect(service.tools().map(({ name, source }) => [name, source])).toContainEqual(['server_three', 'mcp:m1']);
    expect(service.list()[0]).toMatchObject({ toolCount: 2, calls: 1 });
    expect(service.list()[0]?.listTokens).toBeGreaterThan(10);
    await service.change({ id, chosen: { all: false, sources: [], tools: [] } });
    await vi.waitFor(() => expect(broker.connections).toBe(2));
    await become('connected');
    expect(await names()).toEqual([]);
  });

  test('wrong input names the field, and a token is used once', async () => {
    const { broker, service } = await openEndpoints();
    for (const url of [
      'https://api.example.com/mcp',
      'not a url',
      'file:///x',
      'ws://127.0.0.1:1/mcp?token=a#b',
      'ws://127.0.0.1:1/#',
    ])
      await expect(service.add({ url, chosen: all, enabled: false })).rejects.toMatchObject({
        field: 'url',
        said: { code: 'endpoint.badUrl' },
      });
    expect(service.list()).toEqual([]);
    const { id } = await service.add({ url: broker.toolUrl('a'), label: 'First', chosen: all, enabled: false });
    await expect(service.add({ url: broker.toolUrl('a'), chosen: all, enabled: true })).rejects.toThrow(
      '"First" uses this address already.',
    );
    await service.change({ id, url: broker.toolUrl('a') });
    await expect(service.connect({ id: 'gone' })).rejects.toMatchObject({ said: { code: 'endpoint.unknown' } });
    for (let index = 0; index < 15; index += 1)
      await service.add({ url: broker.toolUrl(`b${index}`), chosen: all, enabled: false });
    await expect(service.add({ url: broker.toolUrl('z'), chosen: all, enabled: false })).rejects.toMatchObject({
      said: { code: 'endpoint.tooMany' },
    });
    expect(broker.connections).toBe(0);
  });

  test('after a restart it connects again if it was connected', async () => {
    const { broker, service, close, options, become } = await openEndpoints();
    await service.add({ url: broker.toolUrl('a'), chosen: all, enabled: true });
    const { id } = await service.add({ url: broker.toolUrl('b'), chosen: all, enabled: true });
    await become('connected');
    service.disconnect({ id });
    close();
    const again = openEndpoint(options);
    onTestFinished(() => again.close());
    await again.connectAll();
    await vi.waitFor(() => expect(again.service.list().map(({ state }) => state)).toEqual(['connected', 'off']));
  });
});
