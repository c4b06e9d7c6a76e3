import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createVirtualDevice } from '../../../../../src-core/features/devices/virtual/virtualDevice.ts';
import type {
  VirtualDevice,
  VirtualDeviceOptions,
} from '../../../../../src-core/features/devices/virtual/virtualDevice.ts';
import { firmwareProfile } from '../../../../../src-core/features/devices/virtual/firmware/firmwareProfile.ts';
import { invokeOptions, openHub } from '../support/openHub.ts';

function start(options: Omit<VirtualDeviceOptions, 'profile'>): VirtualDevice {
  const device = createVirtualDevice({ profile: firmwareProfile, ...options });
  onTestFinished(() => device.close());
  return device;
}

describe('a virtual device', () => {
  test('asks OTA, connects and offers a board that remembers what is set', async () => {
    const { otaUrl, device, registry } = await openHub();
    const virtual = start({ url: otaUrl, name: '书房音箱', deviceId: '02:00:00:00:00:42' });
    await virtual.connect();
    const source = await registry();
    expect(await device(() => true)).toMatchObject({
      id: '02:00:00:00:00:42',
      name: '书房音箱',
      board: 'esp32-s3-box',
      firmware: '2.4.2',
      virtual: true,
      toolCount: 15,
    });
    const call = async (name: string, args = {}) => (await source.invoke(name, args, invokeOptions())).value;
    expect(await call('self.audio_speaker.set_volume', { volume: 50 })).toBe('true');
    expect(await call('self.screen.set_theme', { theme: 'pink' })).toBe('false');
    expect(await call('self.screen.set_theme', { theme: 'dark' })).toBe('true');
    expect(await call('self.led_strip.set_single_color', { index: 2, red: 255, green: 0, blue: 16 })).toBe('true');
    expect(await call('self.led_strip.blink', { red: 1, green: 1, blue: 1 })).toBe('blinking every 500 ms');
    const status = JSON.parse(String(await call('self.get_device_status'))) as { led_strip: string[] };
    expect(status).toMatchObject({ audio_speaker: { volume: 50 }, screen: { theme: 'dark', brightness: 80 } });
    expect(status.led_strip[2]).toBe('#ff0010');
  });

  test('keeps user-only tools from models and marks reboot as dangerous; rebooting drops the wire', async () => {
    const { wsUrl, registry, device } = await openHub();
    const states: string[] = [];
    await start({
      url: wsUrl,
      onState: (state, reason) => states.push(reason === undefined ? state : `${state}: ${reason}`),
    }).connect();
    const source = await registry();
    expect(source.getMetadata().methods.find(({ name }) => name === 'self.reboot')).toMatchObject({
      agentCallable: false,
      danger: expect.any(String) as string,
    });
    expect((await source.invoke('self.reboot', {}, invokeOptions())).value).toMatch(
      /^esp32-s3-box disconnected .* after the request, as this call requires\. /,
    );
    await device(({ state }) => state === 'closed');
    expect(states).toEqual(['connecting', 'connected', 'closed: no close frame (1006)']);
  });

  test('whose plug is pulled during a slow call leaves at once, and can come back as the same', async () => {
    const { wsUrl, registry, device, toolRegistryManager } = await openHub();
    const virtual = start({ url: wsUrl, latencyMs: 60_000 });
    await virtual.connect();
    const source = await registry();
    let call: Promise<unknown> = Promise.resolve();
    await new Promise<void>((onStart) => {
      call = source.invoke('self.get_device_status', {}, invokeOptions({ onStart })).catch((error: unknown) => error);
    });
    virtual.pullPlug();
    expect(await call).toMatchObject({ code: 'disconnected', info: { details: { code: 1006 } } });
    await device(({ state }) => state === 'closed');
    expect(toolRegistryManager.getAllTools()).toEqual([]);
    await virtual.connect();
    expect((await registry()).id).toBe(source.id);
  });

  test('closes when its signal aborts, as a board does: without a close frame', async () => {
    const { wsUrl, device, registry } = await openHub();
    const stop = new AbortController();
    await start({ url: wsUrl, signal: stop.signal }).connect();
    await registry();
    stop.abort();
    expect((await device(({ state }) => state === 'closed')).error?.message).toContain('without a close frame (1006)');
  });

  test('says why it cannot connect', async () => {
    const { port, wsUrl } = await openHub({ isLocal: () => false });
    await expect(start({ url: wsUrl }).connect()).rejects.toThrow('The server refused the connection with status 401');
    await expect(start({ url: `http://127.0.0.1:${port}/nothing` }).connect()).rejects.toThrow(
      'answered with status 404',
    );
    await expect(start({ url: 'ws://127.0.0.1:1/' }).connect()).rejects.toThrow('ECONNREFUSED');
  });

  test('refuses an OTA answer that a board would hang on', async () => {
    const server = createServer((_request, response) => response.end('x'.repeat(9_000))).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(start({ url: `http://127.0.0.1:${port}/` }).connect()).rejects.toThrow('more than 8192 bytes');
  });
});
