import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

import type { StoredDevice } from '../../../../src-core/store/frameTypes.ts';
import { openStore, openTestStore } from '../../../helpers/testStore.ts';
import { databasePath, device, frame, noLimit } from '../../store/frames.ts';
import { newFrame, openLog, withWrite } from './support.ts';

test('frames are written a moment after they came, many at once', async () => {
  const { say, clock, kept } = await openLog();
  say();
  say();
  clock.advance(99);
  expect(await kept()).toEqual([]);
  clock.advance(1);
  expect(await kept()).toEqual([1, 2]);
  for (let count = 0; count < 500; count += 1) say();
  expect(await kept()).toHaveLength(502);
});

test('long texts do not wait for many frames', async () => {
  const { say, kept } = await openLog();
  for (let count = 0; count < 40; count += 1) say('x'.repeat(65_536));
  expect((await kept()).length).toBeGreaterThan(30);
});

test('a frame has its place, time and owner, and only what it has', async () => {
  const { log, clock } = await openLog();
  clock.advance(5);
  const seqs = [
    log.add(newFrame('a', { note: { type: 'event', summary: 'a', callId: undefined, failed: false } })),
    log.add({
      source: 'device',
      connection: 'lamp',
      direction: 'out',
      kind: 'close',
      bytes: 0,
      at: 7,
      note: {
        type: 'close',
        role: 'answer',
        method: 'm',
        summary: '1000',
        rpcId: 3,
        callId: 'c',
        durationMs: 1.5,
        failed: true,
      },
    }),
  ];
  const owner = { source: 'device', connection: 'lamp' };
  const expected = [
    {
      ...owner,
      seq: 1,
      at: clock.wall(),
      direction: 'in',
      kind: 'text',
      type: 'event',
      summary: 'a',
      bytes: 1,
      text: 'a',
    },
    {
      ...owner,
      seq: 2,
      at: 7,
      direction: 'out',
      kind: 'close',
      type: 'close',
      role: 'answer',
      method: 'm',
      summary: '1000',
      bytes: 0,
      rpcId: 3,
      callId: 'c',
      durationMs: 1.5,
      failed: true,
    },
  ];
  const read = () => Promise.all(seqs.map((seq) => log.log('lamp').frame(seq)));
  expect(await read()).toStrictEqual(expected);
  log.flush();
  await nextTurn();
  expect(await read()).toStrictEqual(expected);
});

test('what is known of a device is kept with its frames, as it was last', async () => {
  const { log, store, say } = await openLog();
  const known = new Map([['lamp', device('lamp', { name: 'lamp' })]]);
  log.describe = (id) => known.get(id);
  say();
  log.touch('lamp');
  log.touch('nobody');
  log.flush();
  known.set('lamp', device('lamp', { name: 'Lamp', board: 'esp32' }));
  log.touch('lamp');
  log.flush();
  expect(await store.wire.devices()).toEqual([device('lamp', { name: 'Lamp', board: 'esp32' })]);
});

test('figures that move are no reason to write; the last facts of a device are', async () => {
  const store = openTestStore();
  let writes = 0;
  const wire = withWrite(store.wire, (batch) => {
    writes += 1;
    return store.wire.write(batch);
  });
  const { log, say, clock } = await openLog({ store, wire });
  let facts: StoredDevice | undefined;
  log.describe = () => facts;
  const be = async (change: Partial<StoredDevice>): Promise<void> => {
    facts = device('lamp', change);
    log.touch('lamp');
    clock.advance(100);
    await nextTurn();
  };
  say();
  await be({ connected: true, lastSeenAt: 5 });
  for (let second = 0; second < 5; second += 1) await be({ connected: true, lastSeenAt: 6 + second });
  expect([writes, (await store.wire.device('lamp'))?.lastSeenAt]).toEqual([1, 5]);
  await be({ left: { at: 99, health: 'closed' }, lastSeenAt: 99 });
  expect([writes, (await store.wire.device('lamp'))?.lastSeenAt]).toEqual([2, 99]);
  log.flush();
  expect(writes).toBe(2);
});

test('a database that another process locks is reported once; its frames are read from memory until it is free', async () => {
  const path = databasePath();
  const { log, say, clock, kept, errors, store } = await openLog({ store: openTestStore(path) });
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  say();
  clock.advance(100);
  say();
  log.flush(); // does not wait for the lock again
  await nextTurn();
  expect(errors).toHaveLength(1);
  expect(String(errors[0])).toMatch(/locked/);
  expect(await log.log('lamp').bounds()).toEqual({ first: 1, last: 2 });
  expect(await store.wire.log('lamp').bounds()).toBeUndefined();
  other.exec('COMMIT');
  clock.advance(5_000);
  await nextTurn();
  expect(await kept()).toEqual([1, 2]);
  say();
  clock.advance(100);
  expect(await kept()).toEqual([1, 2, 3]);
});

test('of frames that cannot be written the oldest are dropped; one that never can be stops no other', async () => {
  const store = openTestStore();
  let isFull = true;
  const wire = withWrite(store.wire, (batch) => {
    if (isFull) throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    return store.wire.write(batch);
  });
  const { log, say, clock, kept, errors } = await openLog({ store, wire });
  for (let count = 0; count < 12_000; count += 1) say();
  await nextTurn();
  isFull = false;
  clock.advance(5_000);
  expect((await kept()).at(-1)).toBe(12_000);
  expect((await kept()).length).toBeLessThanOrEqual(10_000);
  expect(errors).toHaveLength(1);
  await nextTurn();
  store.wire.write({ frames: [frame(log.upcomingSeq, { connection: 'door' })], devices: [], limit: noLimit });
  say(); // its number is taken
  clock.advance(100);
  await nextTurn();
  const last = say();
  clock.advance(5_000);
  expect((await kept()).at(-1)).toBe(last);
  expect(errors).toHaveLength(2);
});

test('a lowered limit takes effect without new frames', async () => {
  const { log, say, clock, kept } = await openLog();
  for (let count = 0; count < 9_000; count += 1) say('x'.repeat(200));
  log.setLimit(1);
  for (let step = 0; step < 10; step += 1) {
    clock.advance(100);
    await nextTurn();
  }
  expect((await kept()).length).toBeLessThan(2_800);
  expect((await kept()).length).toBeGreaterThan(2_500);
});

test('numbers go on from run to run without a gap, and past what was reserved', async () => {
  const path = databasePath();
  const store = openTestStore(path);
  const first = await openLog({ store });
  for (let count = 0; count < 25_000; count += 1) first.say();
  expect(first.log.upcomingSeq).toBe(25_001);
  first.log.close();
  await store.close();
  const second = await openLog({ store: openTestStore(path) });
  expect(second.say()).toBe(25_001);
});

test('after kill -9 everything that was written is there, and the database is sound', async () => {
  const path = databasePath();
  const root = new URL('../../../../src-core/', import.meta.url).href;
  const script = `
    import { openFrameLog } from '${root}features/frames/frameLog.ts';
    import { connectStore } from '${root}store/connectStore.ts';
    import { openStore } from '${root}store/openStore.ts';
    const onError = (error) => { throw error; };
    const store = connectStore(openStore({ path: ${JSON.stringify(path)}, onError }));
    const log = await openFrameLog({ store: store.wire, limitMb: 1, onError });
    const note = { type: 'mcp', summary: '' };
    const frame = { source: 'device', connection: 'lamp', direction: 'in', kind: 'text', bytes: 500, text: 'x'.repeat(500), note };
    for (;;) {
      const seq = log.add(frame);
      if (seq % 500 !== 0) continue;
      log.flush();
      // A read sees what was written before it.
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
