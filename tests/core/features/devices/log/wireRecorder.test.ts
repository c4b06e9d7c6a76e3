import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

import type { DeviceInfo, WireFrame } from '../../../../../src-core/contract/types.ts';
import type { WireStore } from '../../../../../src-core/store/frameTypes.ts';
import type { Store } from '../../../../../src-core/store/types.ts';
import { createWireRecorder } from '../../../../../src-core/features/devices/log/wireRecorder.ts';
import { createManualClock } from '../support/manualClock.ts';
import { databasePath, device, frame } from '../../../store/frames.ts';
import { framesOf, openStore, openTestStore } from '../../../../helpers/storeInProcess.ts';

/** A hub whose frames and devices a test makes up. */
function fakeHub() {
  let hearFrame: (frame: WireFrame) => void = () => {};
  let hearChange: (id: string) => void = () => {};
  const devices = new Map<string, DeviceInfo>();
  return {
    onFrame: (hear: typeof hearFrame) => ((hearFrame = hear), () => {}),
    onChange: (hear: typeof hearChange) => ((hearChange = hear), () => {}),
    device: (id: string) => devices.get(id),
    isConnected: () => false,
    devices,
    say: (...args: Parameters<typeof frame>) => hearFrame(frame(...args) as WireFrame),
    change: (id: string) => hearChange(id),
  };
}

/** The store's logs with a `write` of the test's own. */
function withWrite(wire: WireStore, write: (...given: Parameters<WireStore['write']>) => Promise<boolean>): WireStore {
  return Object.assign(Object.create(wire) as WireStore, { write });
}

async function record(store: Store, wire = store.wire) {
  const clock = createManualClock();
  const errors: unknown[] = [];
  let heard = 0;
  const recorder = await createWireRecorder({
    store: wire,
    limitMb: 64,
    clock,
    onFrame: () => (heard += 1),
    onError: (error) => errors.push(error),
  });
  const hub = fakeHub();
  recorder.follow(hub);
  const kept = async () => (await framesOf(store.wire.log())).map(({ seq }) => seq);
  return { recorder, clock, hub, errors, kept, heard: () => heard };
}

test('frames are written a moment after they came, many at once', async () => {
  const { hub, clock, kept, heard } = await record(openTestStore());
  hub.say(1);
  hub.say(2);
  expect([await kept(), heard()]).toEqual([[], 2]);
  clock.advance(99);
  expect(await kept()).toEqual([]);
  clock.advance(1);
  expect(await kept()).toEqual([1, 2]);
  for (let seq = 3; seq < 503; seq += 1) hub.say(seq);
  expect(await kept()).toHaveLength(502);
});

test('long texts do not wait for many frames', async () => {
  const { hub, kept } = await record(openTestStore());
  const text = 'x'.repeat(65_536);
  for (let seq = 1; seq <= 40; seq += 1) hub.say(seq, { text });
  expect((await kept()).length).toBeGreaterThan(30);
});

test('what is known of a device is kept with its frames, as it was last', async () => {
  const store = openTestStore();
  const { hub, recorder } = await record(store);
  const info = (name: string, board?: string) =>
    ({ ...device('lamp', { name }), ...(board && { board }), state: 'ready', userAgent: 'x' }) as unknown as DeviceInfo;
  hub.devices.set('lamp', info('lamp'));
  hub.say(1);
  hub.change('lamp');
  hub.change('nobody');
  recorder.flush();
  hub.devices.set('lamp', info('Lamp', 'esp32'));
  hub.change('lamp');
  recorder.flush();
  expect(await store.wire.devices()).toEqual([device('lamp', { name: 'Lamp', board: 'esp32' })]);
});

test('figures that move are no reason to write; the last word of a device is', async () => {
  const store = openTestStore();
  let writes = 0;
  const wire = withWrite(store.wire, (batch) => {
    writes += 1;
    return store.wire.write(batch);
  });
  const { hub, recorder, clock } = await record(store, wire);
  const be = async (state: string, lastSeenAt: number): Promise<void> => {
    hub.devices.set('lamp', { ...device('lamp', { lastSeenAt }), state } as unknown as DeviceInfo);
    hub.change('lamp');
    clock.advance(100);
    await nextTurn();
  };
  hub.say(1);
  await be('ready', 5);
  for (let second = 0; second < 5; second += 1) await be('ready', 6 + second);
  expect([writes, (await store.wire.device('lamp'))?.lastSeenAt]).toEqual([1, 5]);
  await be('closed', 99);
  expect([writes, (await store.wire.device('lamp'))?.lastSeenAt]).toEqual([2, 99]);
  recorder.flush();
  expect(writes).toBe(2);
});

test('a database that another process locks is said once, and made good when it is free again', async () => {
  const path = databasePath();
  const store = openTestStore(path);
  const { hub, clock, kept, errors, recorder } = await record(store);
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  hub.say(1);
  clock.advance(100);
  hub.say(2);
  recorder.flush(); // does not wait for the lock again
  await nextTurn();
  expect(errors).toHaveLength(1);
  expect(String(errors[0])).toMatch(/locked/);
  other.exec('COMMIT');
  clock.advance(5_000);
  await nextTurn();
  expect(await kept()).toEqual([1, 2]);
  hub.say(3);
  clock.advance(100);
  expect(await kept()).toEqual([1, 2, 3]);
});

test('of frames that cannot be written the oldest go; one that never can be stops no other', async () => {
  const store = openTestStore();
  let isFull = true;
  const wire = withWrite(store.wire, (batch) => {
    if (isFull) return Promise.reject(Object.assign(new Error('database or disk is full'), { errcode: 13 }));
    return store.wire.write(batch);
  });
  const { hub, clock, kept, errors } = await record(store, wire);
  for (let seq = 1; seq <= 12_000; seq += 1) hub.say(seq);
  await nextTurn();
  isFull = false;
  clock.advance(5_000);
  expect((await kept()).at(-1)).toBe(12_000);
  expect((await kept()).length).toBeLessThanOrEqual(10_000);
  expect(errors).toHaveLength(1);
  hub.say(12_000); // a number twice
  clock.advance(100);
  await nextTurn();
  hub.say(12_001);
  clock.advance(5_000);
  expect((await kept()).at(-1)).toBe(12_001);
  expect(errors).toHaveLength(2);
});

test('a lowered limit takes effect without new frames', async () => {
  const store = openTestStore();
  const { hub, clock, kept, recorder } = await record(store);
  for (let seq = 1; seq <= 9_000; seq += 1) hub.say(seq, { text: 'x'.repeat(200) });
  recorder.setLimit(1);
  for (let step = 0; step < 10; step += 1) {
    clock.advance(100);
    await nextTurn();
  }
  expect((await kept()).length).toBeLessThan(2_800);
  expect((await kept()).length).toBeGreaterThan(2_500);
});

test('numbers go on from run to run without a gap, and past what was reserved', async () => {
  const path = databasePath();
  const one = openTestStore(path);
  const first = await record(one);
  for (let count = 0; count < 25_000; count += 1) first.hub.say(first.recorder.nextSeq());
  expect(first.recorder.upcomingSeq).toBe(25_001);
  await first.recorder.close();
  await one.close();
  const second = await record(openTestStore(path));
  expect(second.recorder.nextSeq()).toBe(25_001);
});

test('after kill -9 everything that was written is there, and the database is sound', async () => {
  const path = databasePath();
  const root = new URL('../../../../../src-core/', import.meta.url).href;
  const script = `
    import { createWireRecorder } from '${root}features/devices/log/wireRecorder.ts';
    import { connectStore } from '${root}store/storeClient.ts';
    import { openInProcess } from '${root}store/storeChannel.ts';
    const onError = (error) => { throw error; };
    const store = connectStore(await openInProcess()({ path: ${JSON.stringify(path)}, mayWrite: true, onError }));
    const recorder = await createWireRecorder({ store: store.wire, limitMb: 1, onFrame() {}, onError });
    let say;
    recorder.follow({ onFrame: (hear) => (say = hear), onChange() {}, device() {} });
    const text = 'x'.repeat(500);
    for (;;) {
      const seq = recorder.nextSeq();
      say({ seq, deviceId: 'lamp', at: 1, direction: 'in', kind: 'text', type: 'mcp', summary: '', bytes: 500, text });
      if (seq % 500 !== 0) continue;
      recorder.flush();
      // Requests are answered in their order: the frames are written now.
      await store.wire.ids();
      process.stdout.write(seq + '\\n');
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    said += data;
    if (said.length > 400) child.kill('SIGKILL'); // in the middle of whatever it does
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  const written = Math.max(...said.trim().split('\n').slice(0, -1).map(Number));
  const store = openStore({ path });
  onTestFinished(() => store.close());
  expect(store.notice).toBeUndefined();
  const { first, last } = (await store.wire.log('lamp').bounds())!;
  expect(last).toBeGreaterThanOrEqual(written);
  const rows = await store.wire.log('lamp').rows({ afterSeq: -1, limit: 1e6 });
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => first + index));
  expect(rows.length).toBeLessThan(2_000);
  const database = new DatabaseSync(path);
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
});
