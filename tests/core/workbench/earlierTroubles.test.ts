/** What came of the last call of a device is shown until a call succeeds: also after it left, and after a restart. */
import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { Workbench } from '../../../src-core/workbench.ts';
import type { VirtualFault } from '../../../src-core/features/devices/virtual/faults.ts';
import { firmwareProfile } from '../../../src-core/features/devices/virtual/firmware/firmwareProfile.ts';
import { createVirtualDevice } from '../../../src-core/features/devices/virtual/virtualDevice.ts';
import { openStore } from '../../helpers/testStore.ts';
import { device as storedDevice, frame as storedFrame, noLimit } from '../store/frames.ts';
import { addDevice, call, dataFolder, openWorkbench, readyDevice, until } from './openWorkbench.ts';

const status = 'self.get_device_status';
const find = ({ services }: Workbench, id: string) => services.devices.list().find((device) => device.id === id)!;
const lastStep = (bench: Workbench, id: string) => find(bench, id).doctor.steps.at(-1);

/** The device connects by itself, without a fault. */
async function comesBack(bench: Workbench, deviceId: string) {
  const url = `ws://127.0.0.1:${bench.info().device.port}/xiaozhi/v1/`;
  await createVirtualDevice({ url, profile: firmwareProfile, deviceId }).connect();
  return readyDevice(bench, deviceId);
}

test.each<[VirtualFault, string, string]>([
  ['crash-on-call', 'left-during-call', 'back-after-crash'],
  ['garbage', 'broken-frames', 'broken-frames'],
])('of a call that failed by the fault %s', async (fault, health, healthBack) => {
  const dataDir = dataFolder();
  const first = await openWorkbench({ dataDir });
  const device = await addDevice(first, { faults: [fault] });
  const { id, deviceId } = device;
  expect((await call(first, device, status)).status).toBe('error');
  await first.services.devices.disconnect({ id });
  await until(first, () => find(first, id).state === 'closed');
  expect(find(first, id)).toMatchObject({ state: 'closed', health, doctor: { cause: health } });
  const { faults } = find(first, id).doctor;
  const { userAgent, remoteAddress, protocolVersion, features, audioParams } = find(first, id);
  expect([userAgent, remoteAddress, protocolVersion, features, audioParams]).not.toContain(undefined);
  await first.close();

  const second = await openWorkbench({ dataDir });
  const said = { userAgent, remoteAddress, protocolVersion, features, audioParams };
  expect(find(second, id)).toMatchObject({ state: 'closed', health, ...said });
  expect(find(second, id).doctor.faults).toEqual(faults);
  const back = await comesBack(second, deviceId);
  expect(back.health).toBe(healthBack);
  expect(back.doctor.faults).toEqual(faults);
  expect(lastStep(second, id)).toMatchObject({ id: 'call', state: 'failed' });
  expect((await call(second, back, status)).status).toBe('success');
  expect(find(second, id)).toMatchObject({ state: 'ready', health: 'ready' });
});

test('of a call that timed out before the engine was killed', async () => {
  const dataDir = dataFolder();
  const store = openStore({ path: join(dataDir, 'toolwire.db') });
  const callFault = { id: 5, cause: 'call-timeout', tookMs: 30_000, at: 7 };
  const ofAnotherVersion = { ...callFault, cause: 'struck-by-lightning' };
  const crash = { ...callFault, cause: 'back-after-crash' };
  const facts = [
    storedDevice('02:00:00:00:00:01', { connected: true, doctor: { steps: [] }, callFault }),
    storedDevice('02:00:00:00:00:02', { connected: true, doctor: { steps: [] }, callFault: ofAnotherVersion }),
    storedDevice('02:00:00:00:00:03', { connected: true, doctor: { steps: [] }, callFault: crash }),
  ];
  const first = store.wire.reserve(facts.length);
  const frames = facts.map(({ id }, at) => storedFrame(first + at, { connection: id }));
  store.wire.write({ frames, devices: facts, limit: noLimit });
  await store.close();
  const bench = await openWorkbench({ dataDir });
  const [known, unknown, wasBack] = facts.map(({ id }) => id) as [string, string, string];
  // The advice is about what the state names.
  expect(find(bench, known)).toMatchObject({ health: 'call-timeout', doctor: { cause: 'call-timeout' } });
  expect(find(bench, wasBack)).toMatchObject({ health: 'back-after-crash', doctor: { cause: 'back-after-crash' } });
  expect(find(bench, unknown)).toMatchObject({ health: 'closed', doctor: { cause: 'toolwire-ended' } });
  expect((await comesBack(bench, known)).health).toBe('call-timeout');
  expect(lastStep(bench, known)).toMatchObject({ id: 'call', state: 'failed', fact: '#5', tookMs: 30_000 });
  expect((await comesBack(bench, unknown)).health).toBe('ready');
});
