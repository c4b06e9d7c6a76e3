import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { hostname, networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { createVirtualDeviceOf } from '../../../src-core/features/devices/virtual/profiles.ts';
import type { DeviceInfo } from '../../../src-core/contract/deviceInfo.ts';
import { createWorkbench } from '../../../src-core/workbench.ts';
import type { Workbench, WorkbenchOptions } from '../../../src-core/workbench.ts';
import { askOta } from '../features/devices/support/askOta.ts';
import { connectScripted } from '../features/devices/support/scriptedDevice.ts';

let dataDir: string;
let workbench: Workbench | undefined;
let errors: unknown[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'toolwire-connecting-'));
  errors = [];
});
afterEach(async () => {
  await workbench?.close();
  workbench = undefined;
  rmSync(dataDir, { recursive: true, force: true });
  expect(errors).toEqual([]);
});

async function start(options: Partial<WorkbenchOptions> = {}): Promise<Workbench> {
  return (workbench = await createWorkbench({
    dataDir,
    devicePort: 0,
    shell: 'terminal',
    onError: (error) => errors.push(error),
    ...options,
  }));
}

/** Resolves with the first device that fits, now or after an event. */
async function device(bench: Workbench, fits: (info: DeviceInfo) => boolean): Promise<DeviceInfo> {
  for await (const { topics } of bench.services.workbench.events()) {
    const found = topics.includes('devices') ? bench.services.devices.list().find(fits) : undefined;
    if (found !== undefined) return found;
  }
  throw new Error('the workbench closed');
}

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

describe('lists the addresses for pointing a device here', () => {
  test('is the loopback address while the listener is closed to the network, and a token', async () => {
    const bench = await start();
    const { addresses, accessToken } = bench.services.devices.connectionFacts();
    const { port } = bench.info().device;
    expect(addresses).toEqual([
      {
        host: '127.0.0.1',
        interface: expect.any(String) as string,
        otaUrl: `http://127.0.0.1:${port}/xiaozhi/ota/`,
        webSocketUrl: `ws://127.0.0.1:${port}/xiaozhi/v1/`,
      },
    ]);
    expect(accessToken).toMatch(/^[\w-]{32}$/);
  });

  test.runIf(ownAddress)('is one address for each network where it is open, and loopback last', async () => {
    const bench = await start();
    await bench.services.settings.set({ openToNetwork: true });
    const { addresses } = bench.services.devices.connectionFacts();
    expect(addresses.length).toBeGreaterThan(1);
    expect(addresses.at(-1)?.host).toBe('127.0.0.1');
    expect(bench.info().device.otaUrl).toBe(addresses[0]?.otaUrl);
    const names = addresses.map((address) => address.interface);
    expect(new Set(names).size).toBe(names.length);
  });
});

test('a page may be a device if its origin is on the list, and only then', async () => {
  const bench = await start();
  const { otaUrl } = bench.info().device;
  const origin = 'http://localhost:5173';
  const ask = () => fetch(otaUrl, { method: 'OPTIONS', headers: { Origin: origin } });
  expect((await ask()).status).toBe(403);
  await bench.services.settings.set({ deviceOrigins: [origin] });
  const allowed = await ask();
  expect(allowed.status).toBe(204);
  expect(allowed.headers.get('access-control-allow-origin')).toBe(origin);
  await bench.services.settings.set({ deviceOrigins: [] });
  expect((await ask()).status).toBe(403);
});

describe.runIf(ownAddress)('a device of the network', () => {
  const board = { 'Device-Id': '02:00:00:aa:bb:cc', 'Client-Id': 'c-1' };

  test('waits for approval, and is remembered with its token over a restart', async () => {
    const before = await start();
    await before.services.settings.set({ openToNetwork: true });
    const otaUrl = (bench: Workbench) => `http://${ownAddress}:${bench.info().device.port}/xiaozhi/ota/`;
    const { url, token } = await askOta(otaUrl(before), board);
    expect(url).toBe(`ws://${ownAddress}:${before.info().device.port}/xiaozhi/v1/`);
    const headers = { ...board, Authorization: `Bearer ${token}` };
    const first = await connectScripted(url, { headers });
    first.hello();
    const waiting = await device(before, ({ state }) => state === 'approval');
    expect(waiting).toMatchObject({ remote: true, remoteAddress: ownAddress });
    const approve = (clientId: string) => before.services.devices.approve({ id: waiting.id, clientId });
    expect(() => approve('c-2')).toThrow('its Client-Id is different now');
    await approve('c-1');
    await device(before, ({ state }) => state === 'ready');
    await before.close();

    const after = await start();
    expect(after.info().device.host).toBe('0.0.0.0');
    const next = (path: string) => `ws://${ownAddress}:${after.info().device.port}${path}`;
    const second = await connectScripted(next('/xiaozhi/v1/'), { headers });
    second.hello();
    expect((await device(after, ({ state }) => state === 'ready')).id).toBe(waiting.id);
    await after.services.devices.refuse({ id: waiting.id });
    expect((await second.closed).code).toBe(1008);
  });

  test('asks again once it was forgotten', async () => {
    const bench = await start();
    await bench.services.settings.set({ openToNetwork: true });
    const { port } = bench.info().device;
    const { token } = await askOta(`http://${ownAddress}:${port}/xiaozhi/ota/`, board);
    const headers = { ...board, Authorization: `Bearer ${token}` };
    const connect = () => connectScripted(`ws://${ownAddress}:${port}/xiaozhi/v1/`, { headers });
    const first = await connect();
    first.hello();
    const { id } = await device(bench, ({ state }) => state === 'approval');
    await bench.services.devices.approve({ id, clientId: 'c-1' });
    await device(bench, ({ state }) => state === 'ready');
    first.socket.terminate();
    await device(bench, ({ state }) => state === 'closed');
    await bench.services.devices.forget({ id });
    (await connect()).hello();
    expect(await device(bench, ({ state }) => state === 'approval')).toMatchObject({ id });
  });

  test('may call this machine by any of its names, and by no other', async () => {
    const bench = await start();
    await bench.services.settings.set({ openToNetwork: true });
    const { port } = bench.info().device;
    const { accessToken } = bench.services.devices.connectionFacts();
    const connects = (host: string) =>
      connectScripted(`ws://${ownAddress}:${port}/xiaozhi/v1/`, {
        headers: { Host: host, Authorization: `Bearer ${accessToken}` },
      }).then(
        ({ socket }) => {
          socket.terminate();
          return true;
        },
        () => false,
      );
    expect(await connects(String(ownAddress))).toBe(true);
    expect(await connects(`${hostname().toUpperCase()}:${port}`)).toBe(true);
    expect(await connects(`${hostname()}.local`)).toBe(true);
    expect(await connects('rebound.example')).toBe(false);
    await bench.services.settings.set({ openToNetwork: false });
    expect(await connects(String(ownAddress))).toBe(false);
  });
});

describe('listening elsewhere', () => {
  test('moves the listener and is kept for the next start', async () => {
    const before = await start();
    const first = before.info().device.port;
    const virtual = createVirtualDeviceOf(undefined, { url: before.info().device.otaUrl });
    await virtual.connect();
    await device(before, ({ state }) => state === 'ready');
    await before.services.devices.listen({ port: 0 });
    const { port } = before.info().device;
    expect(port).not.toBe(first);
    expect(before.services.settings.get().devicePort).toBe(port);
    // The port that was left ended its connections, and the log says so as our doing.
    const { id } = await device(before, ({ state }) => state === 'closed');
    const { rows } = await before.services.frames.page({ source: 'device', connection: id, limit: 100 });
    const closes = rows.filter(({ kind }) => kind === 'close');
    expect(closes.map(({ direction, summary }) => [direction, summary])).toEqual([
      ['out', '1012 the address for devices was changed'],
      // A board answers no close frame.
      ['in', '1006 the address for devices was changed'],
    ]);
    await before.close();

    const after = await start({ devicePortMayMove: true });
    const { conflict, port: kept } = after.info().device;
    expect(conflict?.port ?? kept).toBe(port);
    await after.close();
    // A port that somebody names for one start goes before it.
    const named = await takenPort();
    expect((await start({ devicePort: named })).info().device).toMatchObject({ listening: false, port: named });
  });

  test('fails if another program uses the port, and leaves everything as it was', async () => {
    const bench = await start();
    const before = bench.info().device;
    const port = await takenPort();
    await expect(bench.services.devices.listen({ port })).rejects.toMatchObject({
      name: 'RequestError',
      field: 'port',
      message: expect.stringMatching(
        new RegExp(`^Port ${port} on 127.0.0.1 is used by another program\\. .* choose another port`),
      ) as string,
    });
    expect(bench.info().device).toEqual(before);
    expect(bench.services.settings.get().devicePort).toBeNull();
  });

  test('tries a port again that was taken at the start', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const bench = await start({ devicePort: port });
    expect(bench.info().device).toMatchObject({ listening: false, port, conflict: { port } });
    await expect(bench.services.devices.addVirtual({})).rejects.toThrow('No device can connect: Port');
    await expect(bench.services.devices.listen({ port })).rejects.toThrow('is used by');
    server.close();
    await once(server, 'close');
    await bench.services.devices.listen({ port });
    expect(bench.info().device).toMatchObject({ listening: true, port });
    expect(bench.info().device).not.toHaveProperty('conflict');
    expect(bench.info().device).not.toHaveProperty('error');
  });
});

describe('a virtual device', () => {
  test('has the faults and the slowness asked for', async () => {
    const bench = await start();
    await bench.services.devices.addVirtual({ faults: ['wrong-pages'], name: 'faulty', latencyMs: 5 });
    const faulty = await device(bench, ({ state, name }) => state === 'ready' && name === 'faulty');
    expect(faulty).toMatchObject({ virtual: true, remote: false, doctor: { cause: 'list-incomplete' } });
  });

  test.each([
    [{ faults: ['slow', 'sloww'] }, 'faults', 'There is no fault "sloww". Choose of: slow, silent,'],
    [{ faults: ['__proto__'] }, 'faults', 'There is no fault "__proto__".'],
    [{ profile: 'toaster' }, 'profile', 'There is no virtual device "toaster". Choose one of: firmware,'],
  ])('%j names the field and the known values', async (input, field, message) => {
    const bench = await start();
    const { devices } = bench.services;
    const failure = await devices.addVirtual(input).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'RequestError', field, message: expect.stringContaining(message) as string });
    expect(devices.list()).toEqual([]);
  });
});
