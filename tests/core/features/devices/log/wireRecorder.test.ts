import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';

import type { DeviceInfo, WireFrame } from '../../../../../src-core/contract/types.ts';
import { openStore } from '../../../../../src-core/store/openStore.ts';
import type { Store } from '../../../../../src-core/store/types.ts';
import { createWireRecorder } from '../../../../../src-core/features/devices/log/wireRecorder.ts';
import { createManualClock } from '../support/manualClock.ts';
import { databasePath, device, frame, openTestStore } from '../../../store/frames.ts';

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

function record(store: Store, limitMb = 64) {
  const clock = createManualClock();
  const errors: unknown[] = [];
  let heard = 0;
  const recorder = createWireRecorder({
    store: store.wire,
    limitMb,
    clock,
    onFrame: () => (heard += 1),
    onError: (error) => errors.push(error),
  });
  const hub = fakeHub();
  recorder.follow(hub);
  const kept = () => [...store.wire.log().frames()].map(({ seq }) => seq);
  return { recorder, clock, hub, errors, kept, heard: () => heard };
}

test('frames are written a moment after they came, many at once', () => {
  const { hub, clock, kept, heard } = record(openTestStore());
  hub.say(1);
  hub.say(2);
  expect([kept(), heard()]).toEqual([[], 2]);
  clock.advance(99);
  expect(kept()).toEqual([]);
  clock.advance(1);
  expect(kept()).toEqual([1, 2]);
  for (let seq = 3; seq < 503; seq += 1) hub.say(seq);
  expect(kept()).toHaveLength(502);
});

test('frames of a call that wait for their write are told apart', () => {
  const { hub, clock, recorder, kept } = record(openTestStore());
  hub.say(1, { callId: 'c' });
  hub.say(2, { callId: 'other' });
  hub.say(3);
  expect(recorder.waiting('c').map(({ seq }) => seq)).toEqual([1]);
  expect(kept()).toEqual([]);
  clock.advance(100);
  expect(recorder.waiting('c')).toEqual([]);
  expect(kept()).toEqual([1, 2, 3]);
});

test('long texts do not wait for many frames', () => {
  const { hub, kept } = record(openTestStore());
  const text = 'x'.repeat(65_536);
  for (let seq = 1; seq <= 40; seq += 1) hub.say(seq, { text });
  expect(kept().length).toBeGreaterThan(30);
});

test('what is known of a device is kept with its frames, as it was last', () => {
  const store = openTestStore();
  const { hub, recorder } = record(store);
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
  expect(store.wire.devices()).toEqual([device('lamp', { name: 'Lamp', board: 'esp32' })]);
});

test('figures that move are no reason to write; the last word of a device is', () => {
  const store = openTestStore();
  const { hub, recorder, clock } = record(store);
  const write = store.wire.write.bind(store.wire);
  let writes = 0;
  store.wire.write = (batch) => {
    writes += 1;
    return write(batch);
  };
  const be = (state: string, lastSeenAt: number) => {
    hub.devices.set('lamp', { ...device('lamp', { lastSeenAt }), state } as unknown as DeviceInfo);
    hub.change('lamp');
    clock.advance(100);
  };
  hub.say(1);
  be('ready', 5);
  for (let second = 0; second < 5; second += 1) be('ready', 6 + second);
  expect([writes, store.wire.device('lamp')?.lastSeenAt]).toEqual([1, 5]);
  be('closed', 99);
  expect([writes, store.wire.device('lamp')?.lastSeenAt]).toEqual([2, 99]);
  recorder.flush();
  expect(writes).toBe(2);
});

test('a database that another process locks is said once, and made good when it is free again', () => {
  const path = databasePath();
  const store = openTestStore(path);
  const { hub, clock, kept, errors, recorder } = record(store);
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  hub.say(1);
  clock.advance(100);
  hub.say(2);
  recorder.flush(); // does not wait for the lock again
  expect(errors).toHaveLength(1);
  expect(String(errors[0])).toMatch(/locked/);
  other.exec('COMMIT');
  clock.advance(5_000);
  expect(kept()).toEqual([1, 2]);
  hub.say(3);
  clock.advance(100);
  expect(kept()).toEqual([1, 2, 3]);
});

test('of frames that cannot be written the oldest go; one that never can be stops no other', () => {
  const store = openTestStore();
  const { hub, clock, kept, errors } = record(store);
  const write = store.wire.write.bind(store.wire);
  let isFull = true;
  store.wire.write = (batch) => {
    if (isFull) throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    return write(batch);
  };
  for (let seq = 1; seq <= 12_000; seq += 1) hub.say(seq);
  isFull = false;
  clock.advance(5_000);
  expect(kept().at(-1)).toBe(12_000);
  expect(kept().length).toBeLessThanOrEqual(10_000);
  expect(errors).toHaveLength(1);
  hub.say(12_000); // a number twice
  clock.advance(100);
  hub.say(12_001);
  clock.advance(5_000);
  expect(kept().at(-1)).toBe(12_001);
  expect(errors).toHaveLength(2);
});

test('a lowered limit takes effect without new frames', () => {
  const store = openTestStore();
  const { hub, clock, kept, recorder } = record(store);
  for (let seq = 1; seq <= 9_000; seq += 1) hub.say(seq, { text: 'x'.repeat(200) });
  recorder.setLimit(1);
  for (let step = 0; step < 3; step += 1) clock.advance(100);
  expect(kept().length).toBeLessThan(2_800);
  expect(kept().length).toBeGreaterThan(2_500);
});

test('numbers go on from run to run without a gap, and past what was reserved', () => {
  const path = databasePath();
  const one = openTestStore(path);
  const first = record(one);
  for (let count = 0; count < 25_000; count += 1) first.hub.say(first.recorder.nextSeq());
  expect(first.recorder.upcomingSeq).toBe(25_001);
  first.recorder.close();
  one.close();
  const second = record(openTestStore(path));
  expect(second.recorder.nextSeq()).toBe(25_001);
});

test('after kill -9 everything that was written is there, and the database is sound', async () => {
  const path = databasePath();
  const root = new URL('../../../../../src-core/', import.meta.url).href;
  const script = `
    import { openStore } from '${root}store/openStore.ts';
    import { createWireRecorder } from '${root}features/devices/log/wireRecorder.ts';
    const store = openStore({ path: ${JSON.stringify(path)} });
    const recorder = createWireRecorder({ store: store.wire, limitMb: 1, onFrame() {}, onError(error) { throw error; } });
    let say;
    recorder.follow({ onFrame: (hear) => (say = hear), onChange() {}, device() {} });
    const text = 'x'.repeat(500);
    for (;;) {
      const seq = recorder.nextSeq();
      say({ seq, deviceId: 'lamp', at: 1, direction: 'in', kind: 'text', type: 'mcp', summary: '', bytes: 500, text });
      if (seq % 500 === 0) process.stdout.write(seq + '\\n');
      if (seq % 5000 === 0) await new Promise(setImmediate);
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
  const { first, last } = store.wire.log('lamp').bounds()!;
  expect(last).toBeGreaterThanOrEqual(written);
  const rows = store.wire.log('lamp').rows({ afterSeq: -1, limit: 1e6 });
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => first + index));
  expect(rows.length).toBeLessThan(2_000);
  const database = new DatabaseSync(path);
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
});
