import { expect, test } from 'vitest';

import type { Client } from '../../../src-core/rpc/client.ts';
import { findDevice } from '../../../src-core/cli/findDevice.ts';

const deviceId = '02:00:00:00:00:07';
const own = { id: deviceId, deviceId, name: 'Lamp' };
const remote = { ...own, id: `${deviceId}@0123456789abcdef` };
const other = { id: '02:00:00:00:00:08@0123456789abcdef', deviceId: '02:00:00:00:00:08', name: 'Lamp' };

test('a row of this node that the list hides is named by its id for what is done with its log', async () => {
  const list = (input?: { own: boolean }) => Promise.resolve(input?.own === true ? [own] : [remote]);
  const client = { devices: { list } } as unknown as Client;
  expect((await findDevice(client, own.id.toUpperCase(), { own: true })).id).toBe(own.id);
  expect((await findDevice(client, own.name, { own: true })).id).toBe(remote.id);
  expect((await findDevice(client, own.id)).id).toBe(remote.id);
});

const find = async (wanted: string, ...devices: object[]) =>
  (await findDevice({ devices: { list: () => Promise.resolve(devices) } } as unknown as Client, wanted)).id;

test('an exact id names one device, also if another node lists the same Device-Id', async () => {
  expect(await find(own.id, remote, own)).toBe(own.id);
  expect(await find(remote.id, own, remote)).toBe(remote.id);
});

test('a Device-Id in capitals names the device of this node', async () => {
  const capital = { ...own, id: 'ab:00:00:00:00:07', deviceId: 'ab:00:00:00:00:07' };
  const elsewhere = { ...capital, id: `${capital.id}@0123456789abcdef` };
  expect(await find('AB:00:00:00:00:07', elsewhere, capital)).toBe(capital.id);
});

test('a Device-Id that only another node lists names the device there', async () => {
  expect(await find(deviceId, remote, other)).toBe(remote.id);
});

test('a name that several devices have is refused, with their ids', async () => {
  await expect(find('Lamp', own, other)).rejects.toThrow(
    `Several devices are named "Lamp". Give the id: ${own.id}, ${other.id}.`,
  );
});
