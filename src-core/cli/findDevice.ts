import type { Client } from '../rpc/client.ts';
import type { DeviceInfo } from '../contract/types.ts';

/**
 * Finds the device that the user means: by its id, or by its name if only one device has it. With `own`, an id means the device of this node,
 * also if the list shows it at another node only.
 */
export async function findDevice(client: Client, wanted: string, { own = false } = {}): Promise<DeviceInfo> {
  const ids = [wanted, wanted.toLowerCase()];
  const here = own ? (await client.devices.list({ own })).find(({ id }) => ids.includes(id)) : undefined;
  if (here !== undefined) return here;
  const devices = await client.devices.list();
  const found = devicesCalled(devices, wanted);
  const [device] = found;
  if (device !== undefined && found.length === 1) return device;
  if (device !== undefined)
    throw new Error(`Several devices are named "${wanted}". Give the id: ${found.map(({ id }) => id).join(', ')}.`);
  const known = devices.slice(0, 10).map(({ id, name }) => `${id} (${name})`);
  throw new Error(
    `No device "${wanted}" is known. ${known.length === 0 ? 'None has connected yet.' : `There are: ${known.join(', ')}.`}`,
  );
}

/**
 * The device with this id; without one, those of other nodes with this Device-Id; without any, those of this name. At its own node, the id
 * of a device is its Device-Id.
 */
export function devicesCalled(devices: readonly DeviceInfo[], wanted: string): readonly DeviceInfo[] {
  const deviceId = wanted.toLowerCase();
  const tests: ((device: DeviceInfo) => boolean)[] = [
    ({ id }) => id === wanted,
    ({ id }) => id === deviceId,
    (device) => device.deviceId === deviceId,
    ({ name }) => name === wanted,
  ];
  return tests.map((test) => devices.filter(test)).find(({ length }) => length > 0) ?? [];
}
