import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { describe, expect, test } from 'vitest';
import { ToolError } from '../../../../src-core/base/errors.ts';
import { invokeOptions, openHub } from './support/openHub.ts';
import { connectScripted, standardAnswer } from './support/scriptedDevice.ts';

const mac = '02:00:00:aa:bb:cc';

describe('a device that connects again', () => {
  test('replaces its former connection on hello, keeps its registry id and its log', async () => {
    const { wsUrl, device, registry, toolRegistryManager, hub } = await openHub();
    const first = await connectScripted(wsUrl, {
      answer: (request) => (request.method === 'tools/call' ? undefined : standardAnswer(request)),
    });
    first.hello();
    const before = await registry();
    const call = before.invoke('x', {}, invokeOptions()).catch((error: unknown) => error);
    await first.request('tools/call');

    const second = await connectScripted(wsUrl, { headers: { 'Device-Id': mac.toUpperCase() } });
    expect(toolRegistryManager.getAllTools()).toEqual([before]);
    second.hello();

    expect(await first.closed).toEqual({ code: 1000, reason: 'the device connected again' });
    expect(await call).toMatchObject({ code: 'disconnected' });
    const info = await device(({ registryId }) => registryId !== undefined);
    expect(info).toMatchObject({ id: mac, registryId: before.id, state: 'ready' });
    const [after] = toolRegistryManager.getAllTools();
    expect(after).not.toBe(before);
    expect((await after?.invoke('x', {}, invokeOptions()))?.value).toBe('true');
    expect(hub.frames({ deviceId: mac, limit: 100 }).filter(({ kind }) => kind === 'open')).toHaveLength(2);
    expect(hub.devices()).toHaveLength(1);
  });

  test('does not lose the good connection to one that says no hello', async () => {
    const { wsUrl, device, registry } = await openHub();
    const good = await connectScripted(wsUrl);
    good.hello();
    const source = await registry();
    const bad = await connectScripted(wsUrl);
    bad.send('nonsense');
    expect((await bad.closed).code).toBe(1002);
    expect(await device(() => true)).toMatchObject({ state: 'ready', registryId: source.id });
    expect((await source.invoke('x', {}, invokeOptions())).value).toBe('true');
  });

  test('has another id than a device of an earlier run with the same end of its address', async () => {
    const taken = 'host-sim-aabbcc';
    const { wsUrl, registry } = await openHub({ isReserved: (registryId) => registryId === taken });
    const board = await connectScripted(wsUrl);
    board.hello();
    expect((await registry()).id).toBe('host-sim-020000aabbcc');
  });

  test('after it had gone has the same id', async () => {
    const { wsUrl, device, registry } = await openHub();
    const first = await connectScripted(wsUrl);
    first.hello();
    const { id } = await registry();
    first.socket.terminate();
    await device(({ state }) => state === 'closed');
    const second = await connectScripted(wsUrl);
    second.hello();
    expect((await device(({ state }) => state === 'ready')).registryId).toBe(id);
  });

  test('whose id another tool holds gets a longer one', async () => {
    const { wsUrl, device, toolRegistryManager } = await openHub();
    toolRegistryManager.register({
      id: 'host-sim-aabbcc',
      name: 'other',
      source: { kind: 'module', id: 'm', label: 'm' },
      getMetadata: () => ({ methods: [] }),
      invoke: () => Promise.reject(new ToolError('unknown-method', 'none')),
    });
    const board = await connectScripted(wsUrl);
    board.hello();
    expect((await device(({ state }) => state === 'ready')).registryId).toBe('host-sim-020000aabbcc');
  });
});

test('ids of tools stay unique; one is kept by a device that is away, and free once the device is forgotten', async () => {
  const { wsUrl, hub } = await openHub({ limits: { maxGone: 2 } });
  const idOf = (id: string) => {
    const found = hub.devices().find((one) => one.id === id);
    return found?.registryId ?? found?.lastRegistryId;
  };
  const connected = async (deviceId: string) => {
    const board = await connectScripted(wsUrl, { headers: { 'Device-Id': deviceId } });
    board.hello();
    await expect.poll(() => hub.devices().find(({ id }) => id === deviceId)?.state).toBe('ready');
    return board;
  };
  const leave = async (board: Awaited<ReturnType<typeof connected>>, deviceId: string) => {
    board.socket.close();
    await expect.poll(() => hub.devices().find(({ id }) => id === deviceId)?.state).toBe('closed');
  };
  const [one, other, third, fourth] = [
    '02:00:00:aa:bb:cc',
    '03:00:00:aa:bb:cc',
    '03-00-00-aa-bb-cc',
    '04:00:00:aa:bb:cc',
  ];
  const first = await connected(one);
  const second = await connected(other);
  await connected(third);
  expect([one, other, third].map(idOf)).toEqual([
    'host-sim-aabbcc',
    'host-sim-030000aabbcc',
    'host-sim-030000aabbcc-2',
  ]);
  await leave(first, one);
  await leave(second, other);
  await connected(fourth);
  expect(idOf(fourth)).toBe('host-sim-040000aabbcc');
  hub.forget(one);
  await connected('05:00:00:aa:bb:cc');
  expect(idOf('05:00:00:aa:bb:cc')).toBe('host-sim-aabbcc');
  // The one that left keeps its id, though another has got a free one since.
  await connected(other);
  expect(idOf(other)).toBe('host-sim-030000aabbcc');
  const ids = hub.devices().map(({ id }) => idOf(id));
  expect(new Set(ids).size).toBe(ids.length);
});

test('the id of a device that is dropped from the list is free', async () => {
  const { wsUrl, device, hub } = await openHub({ limits: { maxGone: 0 } });
  for (const start of ['02', '03']) {
    const board = await connectScripted(wsUrl, { headers: { 'Device-Id': `${start}:00:00:aa:bb:cc` } });
    board.hello();
    expect(await device(({ state }) => state === 'ready')).toMatchObject({ registryId: 'host-sim-aabbcc' });
    board.socket.close();
    await expect.poll(() => hub.devices()).toEqual([]);
  }
});

describe('the list', () => {
  test('keeps the departed up to a bound, forgets on request, and not who is connected', async () => {
    const { wsUrl, device, hub } = await openHub({ limits: { maxGone: 2 } });
    const dropped: string[] = [];
    hub.onChange((id) => {
      if (hub.device(id) === undefined) dropped.push(id);
    });
    for (const end of ['01', '02', '03']) {
      const board = await connectScripted(wsUrl, { headers: { 'Device-Id': `02:00:00:00:00:${end}` } });
      board.hello();
      await device(({ state }) => state === 'ready');
      board.socket.close();
      await device(({ state, id }) => state === 'closed' && id.endsWith(end));
    }
    expect(hub.devices().map(({ id }) => id)).toEqual(['02:00:00:00:00:02', '02:00:00:00:00:03']);
    expect(dropped).toEqual(['02:00:00:00:00:01']);
    hub.forget('02:00:00:00:00:02');
    expect(hub.devices().map(({ id }) => id)).toEqual(['02:00:00:00:00:03']);
    expect(() => hub.disconnect('nobody')).toThrow('No device "nobody" is listed.');

    const board = await connectScripted(wsUrl);
    board.hello();
    await device(({ state }) => state === 'ready');
    expect(() => hub.forget(mac)).toThrow('Disconnect it first');
  });

  test('has room for so many connections; one more is turned away with the reason', async () => {
    const { wsUrl, device } = await openHub({ limits: { maxDevices: 1 } });
    const first = await connectScripted(wsUrl);
    first.hello();
    await device(({ state }) => state === 'ready');
    const second = await connectScripted(wsUrl, { headers: { 'Device-Id': '02:00:00:00:00:99' } });
    expect(await second.closed).toEqual({ code: 1013, reason: 'too-many-devices' });
    expect((await device(({ state }) => state === 'failed')).error?.code).toBe('too-many-devices');
    first.socket.terminate();
    await device(({ state }) => state === 'closed');
    const third = await connectScripted(wsUrl, { headers: { 'Device-Id': '02:00:00:00:00:99' } });
    third.hello();
    await device(({ state, id }) => state === 'ready' && id.endsWith('99'));
  });

  test('shows what a device says of itself as one printable line', async () => {
    const { wsUrl, device } = await openHub();
    const board = await connectScripted(wsUrl);
    board.hello({ device_name: `\u202e<b>\n${'x'.repeat(500)}` });
    expect((await device(({ state }) => state === 'ready')).name).toBe(`<b> ${'x'.repeat(60)}`);
  });
});

describe('who may connect', () => {
  const refusal = async (url: string, headers: Record<string, string>): Promise<number | undefined> => {
    const socket = new WebSocket(url, { headers, perMessageDeflate: false });
    socket.on('error', () => {});
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode?: number }];
    socket.terminate();
    return response.statusCode;
  };

  test('a web page may not, unless its origin is listed', async () => {
    const { wsUrl, hub } = await openHub({ allowedOrigins: () => ['http://localhost:5173'] });
    expect(await refusal(wsUrl, { Origin: 'https://evil.example' })).toBe(403);
    expect(await refusal(wsUrl, { Origin: 'null' })).toBe(403);
    expect(hub.devices()).toEqual([]);
    const page = await connectScripted(wsUrl, { headers: { Origin: 'http://localhost:5173' } });
    expect(page.socket.readyState).toBe(WebSocket.OPEN);
  });

  test('a foreign Host may not; a Host without a port may, as boards send it', async () => {
    const { wsUrl } = await openHub();
    expect(await refusal(wsUrl, { Host: 'evil.example' })).toBe(421);
    expect(await refusal(wsUrl, { Host: 'evil.example:80' })).toBe(421);
    const board = await connectScripted(wsUrl, { headers: { Host: '127.0.0.1' } });
    expect(board.socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe('closing the hub', () => {
  test('ends every connection and unregisters, in the middle of whatever they do', async () => {
    const { wsUrl, hub, listener, registry, toolRegistryManager } = await openHub();
    const calling = await connectScripted(wsUrl, {
      answer: (request) => (request.method === 'tools/call' ? undefined : standardAnswer(request)),
    });
    calling.hello();
    const call = (await registry()).invoke('x', {}, invokeOptions()).catch((error: unknown) => error);
    await calling.request('tools/call');
    const listing = await connectScripted(wsUrl, {
      headers: { 'Device-Id': '02:00:00:00:00:02' },
      answer: (request) => (request.method === 'tools/list' ? undefined : standardAnswer(request)),
    });
    listing.hello();
    await listing.request('tools/list');
    const silent = await connectScripted(wsUrl, { headers: { 'Device-Id': '02:00:00:00:00:03' } });
    const { port } = listener.address() ?? { port: 0 };
    const halfOpen = connect(port, '127.0.0.1');
    await once(halfOpen, 'connect');

    await hub.close();
    expect(await call).toMatchObject({ code: 'disconnected' });
    expect(toolRegistryManager.getAllTools()).toEqual([]);
    for (const { closed } of [calling, listing, silent]) expect((await closed).code).toBe(1001);
    const gone = once(halfOpen, 'close');
    await listener.close();
    await gone;
    expect(listener.address()).toBeUndefined();
    await hub.close();
    await listener.close();
  });
});
