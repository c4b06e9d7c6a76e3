import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';

import type { FrameRow } from '../../../src-core/contract/types.ts';
import type { Workbench } from '../../../src-core/workbench.ts';
import { defaultDeviceLimits } from '../../../src-core/features/devices/limits.ts';
import { openStore } from '../../helpers/testStore.ts';
import { askOta } from '../features/devices/support/askOta.ts';
import { device as storedDevice, frame as storedFrame, noLimit } from '../store/frames.ts';
import { addDevice, call, dataFolder, openWorkbench, readyDevice, until } from './openWorkbench.ts';

const all = { limit: 20_000 };
const rowsOf = async ({ services }: Workbench, id?: string): Promise<FrameRow[]> =>
  (await services.frames.page({ source: 'device', ...all, ...(id !== undefined && { connection: id }) })).rows;

test('a log shows what came a moment ago, without texts; a frame has its text', async () => {
  const workbench = await openWorkbench();
  const device = await addDevice(workbench);
  await call(workbench, device, 'self.get_device_status');
  const { rows, firstSeq, lastSeq } = await workbench.services.frames.page({
    source: 'device',
    ...all,
    connection: device.id,
  });
  expect(rows[0]).toMatchObject({ seq: firstSeq, connection: device.id });
  expect(rows.map(({ type }) => type)).toEqual(expect.arrayContaining(['open', 'hello', 'listen', 'mcp']));
  const answer = rows.at(-1)!;
  expect(answer).toMatchObject({ seq: lastSeq, role: 'answer', method: 'tools/call', durationMs: expect.any(Number) });
  expect(rows.every((row) => !('text' in row))).toBe(true);
  const frame = await workbench.services.frames.frame({ source: 'device', connection: device.id, seq: answer.seq });
  expect(JSON.parse(frame.text!)).toMatchObject({ type: 'mcp', payload: { id: answer.rpcId } });
});

test('the frames of a call are there as it ends, and the same after a restart', async () => {
  const dataDir = dataFolder();
  const first = await openWorkbench({ dataDir });
  const device = await addDevice(first);
  const other = await addDevice(first);
  const { requestId: callId } = await call(first, device, 'self.get_device_status');
  await call(first, other, 'self.get_device_status');
  const frames = await first.services.frames.ofCall({ callId });
  expect(frames).toMatchObject([
    { connection: device.id, direction: 'out', role: 'request', method: 'tools/call', callId },
    { connection: device.id, direction: 'in', role: 'answer', method: 'tools/call', callId },
  ]);
  expect(frames[0]!.text).toContain('self.get_device_status');
  expect(await first.services.frames.ofCall({ callId: 'nobody' })).toEqual([]);
  await first.close();

  const second = await openWorkbench({ dataDir });
  expect(await second.services.frames.ofCall({ callId })).toEqual(frames);
  await second.services.frames.clear({ source: 'device', connection: device.id });
  expect(await second.services.frames.ofCall({ callId })).toEqual([]);
});

test('of a call with very many frames, or very long ones, the newest are returned', async () => {
  const dataDir = dataFolder();
  const store = openStore({ path: join(dataDir, 'toolwire.db') });
  const ofCall = (callId: string, text: string) => (_: unknown, at: number) =>
    storedFrame(at + (callId === 'many' ? 1 : 5_000), { callId, text });
  const frames = [
    ...Array.from({ length: 2_001 }, ofCall('many', 'x')),
    ...Array.from({ length: 4 }, ofCall('long', 'x'.repeat(900_000))),
  ];
  store.wire.write({ frames, devices: [], limit: noLimit });
  await store.close();
  const { services } = await openWorkbench({ dataDir });
  const many = await services.frames.ofCall({ callId: 'many' });
  expect([many.length, many[0]?.seq, many.at(-1)?.seq]).toEqual([2_000, 2, 2_001]);
  expect((await services.frames.ofCall({ callId: 'long' })).map(({ seq }) => seq)).toEqual([5_002, 5_003]);
});

test('a window that asks after its last row gets the rest, page by page', async () => {
  const workbench = await openWorkbench();
  const device = await addDevice(workbench);
  await call(workbench, device, 'self.get_device_status');
  const { frames } = workbench.services;
  const paged: FrameRow[] = [];
  for (;;) {
    const { rows } = await frames.page({
      source: 'device',
      connection: device.id,
      limit: 3,
      afterSeq: paged.at(-1)?.seq ?? 0,
    });
    if (rows.length === 0) break;
    paged.push(...rows);
  }
  expect(paged).toEqual(await rowsOf(workbench, device.id));
  expect(paged.length).toBeGreaterThan(6);
});

test('new frames are pushed to a subscriber', async () => {
  const workbench = await openWorkbench();
  const device = await addDevice(workbench);
  const abort = new AbortController();
  const name = { source: 'device', connection: device.id } as const;
  const batches = workbench.services.frames.follow(name, abort.signal);
  const first = (await batches.next()).value!;
  // The device streams sound meanwhile.
  const page = await workbench.services.frames.page({ ...name, ...all });
  const withoutAudio = ({ rows }: { rows: FrameRow[] }) => rows.filter(({ type }) => type !== 'audio');
  expect(first.more).toBe(false);
  expect(withoutAudio(first)).toEqual(withoutAudio(page));
  void call(workbench, device, 'self.get_device_status');
  let next = first;
  while (!next.rows.some(({ method }) => method === 'tools/call')) next = (await batches.next()).value!;
  expect(withoutAudio(next)[0]).toMatchObject({ direction: 'out', method: 'tools/call' });
  expect(next.rows.every(({ seq }) => seq > first.lastSeq)).toBe(true);
  abort.abort();
  expect((await batches.next()).done).toBe(true);
});

test('a device that left during a call reads so after a restart, with the reason and the time', async () => {
  const dataDir = dataFolder();
  const first = await openWorkbench({ dataDir });
  const { deviceId } = await first.services.devices.addVirtual({ name: 'Lamp', faults: ['crash-on-call'] });
  const device = await readyDevice(first, deviceId);
  await call(first, device, 'self.get_device_status', {});
  const before = first.services.devices.list().find(({ id }) => id === device.id)!;
  expect(before).toMatchObject({ health: 'left-during-call', leftAt: expect.any(Number) as number });
  await first.close();

  const second = await openWorkbench({ dataDir });
  const { state, health, error, leftAt, doctor } = before;
  const [earlier] = second.services.devices.list();
  expect(earlier).toMatchObject({ state, health, error, leftAt });
  expect(earlier?.doctor).toEqual(doctor);
  expect(doctor.cause).toBe('left-during-call');
  expect(doctor.steps.map((step) => step.state)).toContain('done');
  expect(earlier).not.toHaveProperty('registryId');
  // Its tools are known to have left with it.
  expect(
    second.services.tools.missing({ toolName: `${device.registryId}_self.get_device_status` }).error,
  ).toMatchObject({
    code: 'disconnected',
    details: { device: 'Lamp' },
  });
});

test('logs are there after a restart, numbers go on, and the device is listed as one of earlier', async () => {
  const dataDir = dataFolder();
  const first = await openWorkbench({ dataDir });
  const device = await addDevice(first, { name: '书房音箱' });
  await call(first, device, 'self.audio_speaker.set_volume', { volume: 41 });
  const before = await rowsOf(first, device.id);
  await first.close();

  const second = await openWorkbench({ dataDir });
  const earlier = second.services.devices.list();
  expect(earlier).toMatchObject([
    {
      id: device.id,
      deviceId: device.deviceId,
      name: '书房音箱',
      board: device.board,
      firmware: device.firmware,
      state: 'closed',
      virtual: true,
      toolCount: 0,
      doctor: { cause: 'closed-here' },
      error: { message: 'The connection to 书房音箱 was closed here: Toolwire is closing.' },
    },
  ]);
  const after = await rowsOf(second, device.id);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.at(-1)).toMatchObject({ type: 'close' });
  expect(await second.services.frames.search({ source: 'device', connection: device.id, text: '"VOLUME":41' })).toEqual(
    {
      seqs: [expect.any(Number)],
    },
  );

  const another = await addDevice(second);
  expect((await rowsOf(second, another.id))[0]!.seq).toBe(after.at(-1)!.seq + 1);
  expect(second.services.devices.list().map(({ id }) => id)).toEqual([another.id, device.id]);
  expect((await rowsOf(second)).length).toBe(after.length + (await rowsOf(second, another.id)).length);
});

test('a device that asked OTA after it had left is not listed as connected by the next run', async () => {
  const dataDir = dataFolder();
  const first = await openWorkbench({ dataDir });
  const { id, deviceId } = await addDevice(first);
  const find = ({ services }: Workbench) => services.devices.list().find((device) => device.id === id)!;
  await first.services.devices.disconnect({ id });
  await until(first, () => find(first).state === 'closed');
  await askOta(`http://127.0.0.1:${first.info().device.port}/xiaozhi/ota/`, { 'Device-Id': deviceId });
  await until(first, () => find(first).state === 'announced');
  const { doctor } = find(first);
  expect(doctor.cause).toBe('never-connected');
  await first.close();

  const earlier = find(await openWorkbench({ dataDir }));
  expect(earlier).toMatchObject({ state: 'closed', doctor: { cause: 'never-connected' } });
  expect(earlier).not.toHaveProperty('error');
  expect(earlier.doctor.steps.map(({ state }) => state)).not.toContain('current');
});

test('a diagnosis of another version is left out, and a step does not wait any more', async () => {
  const dataDir = dataFolder();
  const store = openStore({ path: join(dataDir, 'toolwire.db') });
  const steps = [
    { id: 'tcp', state: 'done', at: 1 },
    { id: 'hello', state: 'current' },
  ];
  const left = { at: 3, health: 'closed' };
  const broken = { steps: [], cause: 'broken-frames', faults: ['struck', 'cut'] };
  const facts = [
    storedDevice('old'),
    storedDevice('newer', { left, doctor: { steps, cause: 'struck-by-lightning' } }),
    storedDevice('broken', { left, doctor: broken }),
  ];
  const frames = facts.map(({ id }, at) => storedFrame(at + 1, { connection: id }));
  store.wire.write({ frames, devices: facts, limit: noLimit });
  await store.close();
  const { services } = await openWorkbench({ dataDir });
  expect(services.devices.list().map(({ id, doctor, error }) => ({ id, doctor, error }))).toEqual([
    { id: 'broken', doctor: { ...broken, faults: ['cut'] }, error: undefined },
    { id: 'newer', doctor: { steps: [steps[0], { id: 'hello', state: 'open' }] }, error: undefined },
    { id: 'old', doctor: { steps: [] }, error: undefined },
  ]);
});

test('a virtual device that was forgotten and restored can be powered on again', async () => {
  const bench = await openWorkbench();
  const { devices, removed } = bench.services;
  const { id, deviceId } = await addDevice(bench);
  const found = () => devices.list().find((each) => each.id === id);
  devices.pullPlug({ id });
  await until(bench, () => found()?.state === 'closed');
  const before = found();
  await devices.forget({ id });
  expect(found()).toBeUndefined();
  await removed.restore({ id: removed.list().find(({ kind }) => kind === 'device')!.id });
  expect(found()).toMatchObject({ ours: true, state: before?.state, health: before?.health });
  await Promise.all([devices.press({ id }), readyDevice(bench, deviceId)]);
  expect(devices.list()).toHaveLength(1);
});

test('forgetting a device takes its log, also one of earlier; a connected one is kept', async () => {
  const dataDir = dataFolder();
  const first = await openWorkbench({ dataDir });
  const device = await addDevice(first);
  await expect(first.services.devices.forget({ id: device.id })).rejects.toThrow(/is connected/);
  expect(await rowsOf(first, device.id)).not.toEqual([]);
  await first.close();
  const second = await openWorkbench({ dataDir });
  const other = await addDevice(second);
  await second.services.devices.forget({ id: device.id });
  expect(second.services.devices.list().map(({ id }) => id)).toEqual([other.id]);
  expect(await rowsOf(second, device.id)).toEqual([]);
  await expect(second.services.devices.forget({ id: device.id })).rejects.toThrow(/No device/);
  await second.services.devices.disconnect({ id: other.id });
  await until(second, () => second.services.devices.list()[0]?.state === 'closed');
  await second.services.devices.forget({ id: other.id });
  expect(second.services.devices.list()).toEqual([]);
  expect(await rowsOf(second)).toEqual([]);
});

test('all disconnected devices are forgotten, also more than are listed', async () => {
  const dataDir = dataFolder();
  const first = await openWorkbench({ dataDir });
  await addDevice(first);
  await first.close();
  const store = openStore({ path: join(dataDir, 'toolwire.db') });
  const others = Array.from({ length: 1_000 }, (_, at) => storedDevice(`other-${at}`));
  const seq = store.wire.reserve(others.length);
  store.wire.write({
    frames: others.map(({ id }, at) => storedFrame(seq + at, { connection: id })),
    devices: others,
    limit: noLimit,
  });
  await store.close();
  const second = await openWorkbench({ dataDir });
  const other = await addDevice(second);
  expect(second.services.devices.list()).toHaveLength(defaultDeviceLimits.maxGone + 1);
  const { forgotten, failed } = await second.services.devices.forgetDisconnected();
  expect(failed).toEqual([]);
  expect(forgotten).toHaveLength(others.length + 1);
  expect(second.services.removed.list()).toHaveLength(forgotten.length);
  await second.close();
  const third = await openWorkbench({ dataDir });
  expect(third.services.devices.list().map(({ id }) => id)).toEqual([other.id]);
});

test('an emptied log says that what the window holds has gone', async () => {
  const workbench = await openWorkbench();
  const device = await addDevice(workbench);
  const { frames } = workbench.services;
  const { lastSeq } = await frames.page({ source: 'device', ...all, connection: device.id });
  await frames.clear({ source: 'device', connection: device.id });
  expect(await frames.page({ source: 'device', ...all, connection: device.id })).toEqual({
    rows: [],
    firstSeq: lastSeq + 1,
    lastSeq,
  });
  await call(workbench, device, 'self.get_device_status');
  // Beside them the board's silence after hello may still come in.
  expect((await rowsOf(workbench, device.id)).filter(({ type }) => type === 'mcp')).toHaveLength(2);
});

test('the limit of the settings is kept, at once where it is lowered', async () => {
  const workbench = await openWorkbench();
  const device = await addDevice(workbench);
  await workbench.services.settings.set({ captureLimitMb: 1 });
  const text = 'x'.repeat(60_000);
  for (let count = 0; count < 20; count += 1) await call(workbench, device, 'self.screen.set_theme', { theme: text });
  const page = () => workbench.services.frames.page({ source: 'device', ...all, connection: device.id });
  const bytesOf = (rows: readonly FrameRow[]): number => rows.reduce((sum, { bytes }) => sum + bytes, 0);
  // The limit is applied when the frames are written.
  await expect.poll(async () => bytesOf((await page()).rows)).toBeLessThan(1_000_000);
  const { rows, firstSeq } = await page();
  expect(firstSeq).toBeGreaterThan(1);
  expect(rows[0]!.seq).toBe(firstSeq);
  const bytes = bytesOf(rows);
  expect(bytes).toBeGreaterThan(800_000);
});

test('a search can be called off', async () => {
  const workbench = await openWorkbench();
  const device = await addDevice(workbench);
  const search = { source: 'device', connection: device.id, text: 'hello' } as const;
  await expect(workbench.services.frames.search(search, AbortSignal.abort())).rejects.toThrow(/abort/);
});

test.each([
  [{ source: 'device', connection: 'x', captureId: '1' } as const, /only one of them/],
  [{ captureId: '7' }, /no capture "7"/],
  [{ captureId: '__proto__' }, /no capture/],
])('%j names no log', async (source, message) => {
  const { frames } = (await openWorkbench()).services;
  await expect(frames.page({ ...all, ...source })).rejects.toThrow(message);
  await expect(frames.frame({ seq: 1, ...source })).rejects.toThrow(message);
  await expect(frames.search({ text: 'a', ...source })).rejects.toThrow(message);
});

test('a frame that has gone is an error that says so', async () => {
  const { frames } = (await openWorkbench()).services;
  await expect(frames.frame({ source: 'device', connection: 'nobody', seq: 5 })).rejects.toThrow(
    /Frame 5 is not in the log/,
  );
});

test('100,000 rows come page by page, and a search goes through all of them', async () => {
  const dataDir = dataFolder();
  const store = openStore({ path: join(dataDir, 'toolwire.db') });
  const first = store.wire.reserve(100_000);
  const stored = Array.from({ length: 100_000 }, (_, index) =>
    storedFrame(first + index, { text: index % 10_000 === 0 ? 'a needle' : '书房' }),
  );
  for (let at = 0; at < stored.length; at += 10_000)
    store.wire.write({ frames: stored.slice(at, at + 10_000), devices: [storedDevice('lamp')], limit: noLimit });
  await store.close();
  const { devices, frames } = (await openWorkbench({ dataDir })).services;
  expect(devices.list()).toMatchObject([{ id: 'lamp', state: 'closed' }]);
  const seqs: number[] = [];
  for (let rows = 20_000; rows === 20_000;) {
    const page = await frames.page({ source: 'device', connection: 'lamp', limit: 20_000, afterSeq: seqs.at(-1) });
    rows = page.rows.length;
    for (const { seq } of page.rows) seqs.push(seq);
  }
  expect(seqs).toEqual(stored.map(({ seq }) => seq));
  const { seqs: needles } = await frames.search({ source: 'device', text: 'NEEDLE' });
  expect(needles).toEqual(Array.from({ length: 10 }, (_, index) => first + index * 10_000));
  expect((await frames.search({ source: 'device', connection: 'lamp', text: '书房' })).seqs).toHaveLength(99_990);
});

test('a device without a Device-Id does not receive the log of another run', async () => {
  const dataDir = dataFolder();
  const comeAndGo = async () => {
    const workbench = await openWorkbench({ dataDir });
    const socket = new WebSocket(workbench.info().device.webSocketUrl);
    await once(socket, 'open');
    await until(workbench, () => workbench.services.devices.list().some(({ state }) => state === 'hello'));
    socket.terminate();
    const ids = workbench.services.devices.list().map(({ id }) => id);
    await workbench.close();
    return ids;
  };
  expect(await comeAndGo()).toEqual(['Unnamed-1']);
  expect(await comeAndGo()).toEqual(['Unnamed-2', 'Unnamed-1']);
});
