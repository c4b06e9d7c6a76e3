import { expect, it } from 'vitest';

import type { DeviceInfo } from '../../../../src-core/contract/types.ts';
import { createEarlierDevices } from '../../../../src-core/features/devices/earlierDevices.ts';
import { defaultDeviceLimits } from '../../../../src-core/features/devices/limits.ts';
import type { StoredDevice, StoredLog } from '../../../../src-core/store/frameTypes.ts';
import { device } from '../../store/frames.ts';

/** Stored devices, and the hub's own ones. */
async function earlierDevices(
  stored: string[],
  own: Partial<DeviceInfo>[],
  onChange: () => void = () => undefined,
  change: Partial<StoredDevice> = {},
) {
  const devices = stored.map((id) => device(id, change));
  return createEarlierDevices({
    wire: {
      devices: async () => devices,
      device: async (id) => devices.find((each) => each.id === id),
      drop: async () => undefined,
    },
    hub: {
      devices: () => own as DeviceInfo[],
      device: (id) => own.find((each) => each.id === id) as DeviceInfo | undefined,
      forget(id) {
        if (own.find((each) => each.id === id)?.state === 'ready') throw new Error('It is connected.');
      },
    },
    frames: {
      flush: () => undefined,
      log: () => ({ bounds: async () => undefined }) as unknown as StoredLog,
      setAside: async () => undefined,
      putBack: async () => undefined,
    },
    approvals: new Map<string, string>(),
    bin: { handle: () => undefined, put: () => '' },
    toolRegistryManager: { addDeparted: () => undefined },
    givenName: () => undefined,
    onChange,
  });
}

it('forgets the others if a device reconnects meanwhile', async () => {
  const own: Partial<DeviceInfo>[] = [{ id: 'a', name: 'a', deviceId: 'a', state: 'closed' }];
  const earlier = await earlierDevices(['b', 'c'], own, () => {
    if (own.length === 1) own.push({ id: 'b', state: 'ready' });
  });
  expect(await earlier.forgetAll()).toEqual({
    forgotten: ['a', 'c'],
    failed: [{ name: 'The b', reason: 'It is connected.' }],
  });
});

it('reserves the tool ids of listed devices until they are forgotten', async () => {
  const registryId = 'esp32-s3-box-000003';
  const earlier = await earlierDevices(['a', 'b'], [], () => undefined, { registryId });
  const isReserved = (id: string) => earlier.isReserved(registryId, id);
  expect(isReserved('a')).toBe(false);
  expect(isReserved('c')).toBe(true);
  await earlier.forgetAll();
  expect(isReserved('c')).toBe(false);
});

it('lists at most 512 disconnected devices with those of this run', async () => {
  const { maxGone } = defaultDeviceLimits;
  const own = [
    { id: 'a', state: 'closed' as const },
    { id: 'b', state: 'ready' as const },
  ];
  const earlier = await earlierDevices(
    Array.from({ length: maxGone }, (_, at) => `earlier-${at}`),
    own,
  );
  expect(earlier.list()).toHaveLength(maxGone - 1);
});
