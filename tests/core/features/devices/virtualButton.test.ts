/** Audio and the button of the virtual devices (docs/protocols/xiaozhi.md#messages). */
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createVirtualDeviceOf } from '../../../../src-core/features/devices/virtual/profiles.ts';
import type { VirtualDeviceOptions } from '../../../../src-core/features/devices/virtual/virtualDevice.ts';
import { mcp, startXiaozhiServer } from '../../deviceSide/support/xiaozhiServer.ts';
import { createManualClock } from './support/manualClock.ts';
import { openHub } from './support/openHub.ts';

async function connected(profile: string, options: Partial<VirtualDeviceOptions> = {}) {
  const { url, visit, visits } = await startXiaozhiServer();
  const clock = createManualClock();
  const states: string[] = [];
  let changed = (): void => {};
  const device = createVirtualDeviceOf(profile, {
    url,
    clock,
    deviceId: '02:00:00:00:00:42',
    onState: (state, reason) => {
      states.push(reason === undefined ? state : `${state}: ${reason}`);
      changed();
    },
    ...options,
  });
  onTestFinished(() => device.close());
  await device.connect();
  const closed = () => new Promise<void>((resolve) => (changed = () => device.state() === 'closed' && resolve()));
  return { device, clock, states, closed, visit, visits };
}

/** Sends a request and waits for its answer, so that the device has had data. */
async function talk(server: Awaited<ReturnType<Awaited<ReturnType<typeof connected>>['visit']>>, id: number) {
  server.send(mcp(id, 'initialize'));
  await server.frame(`"id":${id}`);
}

describe('the button of a board', () => {
  test('connects where it is not connected, and listens where it is', async () => {
    const { device, closed, visit, visits } = await connected('firmware');
    const server = await visit(0);
    await device.press();
    await server.frame('"state":"start"');
    const gone = closed();
    device.pullPlug();
    await gone;
    await device.press();
    expect(device.state()).toBe('connected');
    expect(visits).toHaveLength(2);
  });

  test('drops a connection that has been silent for 120 s, and opens another as the same device', async () => {
    const { device, clock, states, visit, visits } = await connected('firmware');
    const first = await visit(0);
    await talk(first, 1);
    clock.advance(119_999);
    await device.press();
    expect(visits).toHaveLength(1);
    clock.advance(1);
    await device.press();
    expect(await first.closed).toBe(1006);
    const second = await visit(1);
    expect(second.headers['device-id']).toBe('02:00:00:00:00:42');
    expect(states).toEqual(['connecting', 'connected', 'closed: no close frame (1006)', 'connecting', 'connected']);
    await talk(second, 2);
  });

  test('is held off by data, not by pings; and MCP works meanwhile', async () => {
    const { device, clock, visit, visits } = await connected('firmware');
    const server = await visit(0);
    clock.advance(100_000);
    await talk(server, 1);
    clock.advance(100_000);
    const pong = once(server.socket, 'pong');
    server.socket.ping();
    await pong;
    await device.press();
    expect(visits).toHaveLength(1);
    clock.advance(20_000);
    await talk(server, 2);
    clock.advance(120_000);
    await device.press();
    expect(visits).toHaveLength(2);
  });
});

test('py-xiaozhi keeps its connection however long it has been silent', async () => {
  const { device, clock, visits } = await connected('py-xiaozhi');
  clock.advance(3_600_000);
  await device.press();
  expect(visits).toHaveLength(1);
});

describe('audio', () => {
  test('a board sends silence after it began to listen, one frame each 60 ms, and then no more', async () => {
    const { clock, visit } = await connected('firmware');
    const server = await visit(0);
    const heard: string[] = [];
    server.socket.on('message', (data, isBinary) => void (isBinary && heard.push((data as Buffer).toString('hex'))));
    for (let ms = 0; ms < 60_000; ms += 60) clock.advance(60);
    await talk(server, 1);
    // The first may have come before the test listened.
    expect(heard.length).toBeGreaterThanOrEqual(49);
    expect(heard.length).toBeLessThanOrEqual(50);
    expect(new Set(heard)).toEqual(new Set(['fb03fffefffefffe']));
  });

  test.each([1, 2, 3] as const)('counts audio of version %d, none of it malformed', async (protocolVersion) => {
    const { wsUrl, hub, registry } = await openHub();
    const clock = createManualClock();
    const device = createVirtualDeviceOf('firmware', { url: wsUrl, clock, protocolVersion });
    onTestFinished(() => device.close());
    await device.connect();
    await registry();
    for (let frame = 0; frame < 60; frame += 1) clock.advance(60);
    // Its answer comes behind all of the audio.
    await hub.refreshTools(device.deviceId);
    expect(hub.device(device.deviceId)).toMatchObject({
      protocolVersion,
      audio: { frames: 50, bytes: 400, malformed: 0 },
    });
    expect(hub.device(device.deviceId)?.counters).toMatchObject({ binaryIn: 50, invalidIn: 0 });
  });

  test('py-xiaozhi sends no audio unless asked', async () => {
    const { wsUrl, device: until } = await openHub();
    const device = createVirtualDeviceOf('py-xiaozhi', { url: wsUrl });
    onTestFinished(() => device.close());
    await device.connect();
    expect((await until(({ state }) => state === 'ready')).audio).toBeUndefined();
  });
});
