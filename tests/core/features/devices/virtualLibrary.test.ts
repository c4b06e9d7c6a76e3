/** The virtual device with all tools of toolwire/device, through the hub. */
import { expect, onTestFinished, test } from 'vitest';

import { createVirtualDeviceOf } from '../../../../src-core/features/devices/virtual/profiles.ts';
import { executeSingleRequest } from '../../../../src-core/engine/executor.ts';
import type { JsonObject } from '../../../../src-core/base/json.ts';
import { openHub } from './support/openHub.ts';

test('a virtual device offers infrared, music and screenshots, all simulated', async () => {
  const { wsUrl, registry, device, toolRegistryManager } = await openHub();
  const virtual = createVirtualDeviceOf('device-library', { url: wsUrl });
  onTestFinished(() => virtual.close());
  await virtual.connect();
  const { id } = await registry();
  expect(await device(({ state }) => state === 'ready')).toMatchObject({ toolCount: 23, virtual: true });
  const call = async (name: string, args: JsonObject = {}) =>
    executeSingleRequest({ toolName: `${id}_${name}`, args }, { toolRegistryManager, caller: 'user' });
  expect(await call('self.ir.send_named', { name: 'tv_power' })).toMatchObject({
    status: 'success',
    result: '已模拟发送 5 字节',
  });
  expect((await call('self.ir.learn_external', { name: 'fan' })).result).toContain('已模拟学习并保存 "fan"');
  expect((await call('self.ir.list_codes')).result).toContain('"codes":["tv_power","tv_volume_up","fan"]');
  expect(await call('self.music_player.search_and_play', { song_name: 'Morning Train' })).toMatchObject({
    result: 'Morning Train',
  });
  expect((await call('self.screen.take_screenshot', { question: '?' })).content).toMatchObject([
    { type: 'image', mimeType: 'image/png' },
  ]);
});
