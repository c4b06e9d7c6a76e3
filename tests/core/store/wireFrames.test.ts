import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';

import { openCheckedStore, openStore, type Tables } from './tables.ts';

import { databasePath, device, frame, noLimit, openTestStore } from './frames.ts';

type Wire = Tables['wire'];
type Log = ReturnType<Wire['log']>;

/** More than any log here has. */
const all = { limit: 1e6, characters: 1e9 };

const seqs = (log: Log, afterSeq = -1): number[] => log.rows({ afterSeq, limit: 1e6 }).map(({ seq }) => seq);
const found = (log: Log, text: string): number[] => [...log.search(text)].flat();

/** Returns a log whole. False if it has been deleted. */
function bringBack(wire: Tables['wire'], key: string, id: string): boolean {
  for (;;) {
    const isBack = wire.putBack(key, id);
    if (isBack !== 'more') return isBack;
  }
}

function write(
  store: Tables,
  frames: Parameters<Wire['write']>[0]['frames'],
  limit = noLimit,
): ReturnType<Wire['write']> {
  return store.wire.write({ frames, devices: [], limit });
}

test('frames come back as they were, after reopening too', () => {
  const path = databasePath();
  const store = openTestStore(path);
  const whole = frame(7, {
    role: 'answer',
    method: 'tools/call',
    rpcId: 3,
    callId: 'c',
    durationMs: 1.5,
    failed: true,
    cut: true,
    text: '{"ü":"\u0000书房"}',
  });
  const bare = { ...frame(8, { kind: 'close', type: 'close', direction: 'out' }) };
  delete bare.text;
  write(store, [whole, bare]);
  store.close();
  const { wire } = openTestStore(path);
  const { cut, text, ...row } = whole;
  expect(cut && text).toBeTruthy();
  expect(wire.log('lamp').rows({ afterSeq: -1, limit: 9 })).toStrictEqual([row, bare]);
  expect([...wire.log('lamp').frames()]).toStrictEqual([whole, bare]);
  expect(wire.log('lamp').frame(7)).toStrictEqual(whole);
  expect(wire.log('lamp').frame(9)).toBeUndefined();
});

test('a page goes on after a place; a device has its own frames, everybody all of them', () => {
  const store = openTestStore();
  write(
    store,
    [1, 2, 3, 4, 5, 6].map((seq) => frame(seq, { connection: seq % 2 ? 'lamp' : 'door' })),
  );
  const { wire } = store;
  expect(wire.log('lamp').rows({ afterSeq: 1, limit: 1 })).toMatchObject([{ seq: 3, connection: 'lamp' }]);
  expect(seqs(wire.log('door'), 2)).toEqual([4, 6]);
  expect(wire.log().rows({ afterSeq: 2, limit: 2 })).toMatchObject([
    { seq: 3, connection: 'lamp' },
    { seq: 4, connection: 'door' },
  ]);
  expect([wire.log('lamp').bounds(), wire.log().bounds()]).toEqual([
    { first: 1, last: 5 },
    { first: 1, last: 6 },
  ]);
  expect(wire.log('lamp').frame(2)).toBeUndefined();
});

test('the frames of a call are those of its id, newest first, of devices whose log is there', () => {
  const path = databasePath();
  const store = openTestStore(path);
  const ofCall = (wire: Wire): number[] => wire.callFrames('c', all).map(({ seq }) => seq);
  const callId = 'c';
  const whole = frame(5, { callId, cut: true, text: 'text' });
  write(store, [frame(1), frame(2, { callId }), frame(3, { callId: 'other' }), frame(4, { callId }), whole]);
  write(store, [frame(6, { callId, connection: 'door' }), frame(7, { callId, source: 'gateway' })]);
  store.close();
  const { wire } = openTestStore(path);
  expect(ofCall(wire)).toEqual([6, 5, 4, 2]);
  expect(wire.callFrames('c', all)[1]).toStrictEqual(whole);
  expect(wire.callFrames('c', { ...all, limit: 2 }).map(({ seq }) => seq)).toEqual([6, 5]);
  expect(wire.callFrames('c', { ...all, characters: 10 }).map(({ seq }) => seq)).toEqual([6]);
  expect(wire.callFrames('nobody', all)).toEqual([]);
  wire.setAside('lamp', { key: 'k', keepFacts: true });
  expect(ofCall(wire)).toEqual([6]);
  expect(bringBack(wire, 'k', 'lamp')).toBe(true);
  expect(ofCall(wire)).toEqual([6, 5, 4, 2]);
});

test.each(['nobody', "'; DROP TABLE wire_frames; --", '__proto__', ''])('the log of %j is empty', (id) => {
  const { wire } = openTestStore();
  expect(seqs(wire.log(id))).toEqual([]);
  expect(wire.log(id).bounds()).toBeUndefined();
  expect(wire.device(id)).toBeUndefined();
  wire.setAside(id, { key: 'k', keepFacts: true });
  wire.setAside(id, { key: 'k', keepFacts: false });
  expect(bringBack(wire, 'k', id)).toBe(false);
});

test('the oldest frames of all devices go beyond the limit, and only they', () => {
  const store = openTestStore();
  const text = 'x'.repeat(830); // with its row about 1,000 bytes
  for (let seq = 1; seq <= 100; seq += 1) write(store, [frame(seq, { text, connection: `d${seq % 3}` })], 20_000);
  const kept = seqs(store.wire.log());
  expect(kept.at(-1)).toBe(100);
  expect(kept).toHaveLength(20);
  expect(kept[0]).toBe(81);
  expect(store.wire.devices()).toEqual([]);
});

test('a limit that was lowered takes effect by steps, and says while there is more to do', () => {
  const store = openTestStore();
  write(
    store,
    Array.from({ length: 9_000 }, (_, index) => frame(index + 1, { text: 'x'.repeat(30) })),
  );
  const steps = [0, 1, 2].map(() => write(store, [], 20_000));
  expect(steps).toEqual(['more', 'more', 'evicted']);
  expect(seqs(store.wire.log())).toHaveLength(99);
});

test('a log set aside leaves the others alone and the device known, or not', () => {
  const path = databasePath();
  const store = openTestStore(path);
  store.wire.write({
    frames: [frame(1), frame(2, { connection: 'door' })],
    devices: [device('lamp'), device('door', { board: 'esp32' })],
    limit: noLimit,
  });
  expect(store.wire.devices()).toEqual([device('door', { board: 'esp32' }), device('lamp')]);
  store.wire.setAside('lamp', { key: 'one', keepFacts: true });
  expect(seqs(store.wire.log())).toEqual([2]);
  expect(store.wire.device('lamp')).toEqual(device('lamp'));
  write(store, [frame(3)]);
  expect(seqs(store.wire.log('lamp'))).toEqual([3]);
  store.wire.setAside('door', { key: 'two', keepFacts: false });
  expect(store.wire.device('door')).toBeUndefined();
  expect(seqs(store.wire.log())).toEqual([3]);
  store.wire.setAside('lamp', { key: 'three', keepFacts: true });
  store.close();
  const { wire } = openTestStore(path);
  expect(wire.device('lamp')).toBeUndefined();
  expect(wire.devices()).toEqual([]);

  expect(bringBack(wire, 'three', 'lamp')).toBe(true);
  expect(bringBack(wire, 'one', 'lamp')).toBe(true);
  expect(seqs(wire.log('lamp'))).toEqual([1, 3]);
  expect(wire.devices()).toEqual([device('lamp')]);
  expect(bringBack(wire, 'two', 'door')).toBe(true);
  expect(wire.device('door')).toEqual(device('door', { board: 'esp32' }));
  expect(seqs(wire.log())).toEqual([1, 2, 3]);
  expect(bringBack(wire, 'two', 'door')).toBe(false);
});

test.each([
  ['few', 10],
  ['more', 4_000],
])('a long log comes back beside %s frames that came since, of which none is lost', (_, count) => {
  const store = openTestStore();
  const { wire } = store;
  const many = (first: number, length: number) => Array.from({ length }, (_each, index) => frame(first + index));
  write(store, many(1, 3_000));
  wire.setAside('lamp', { key: 'k', keepFacts: true });
  expect(seqs(wire.log())).toEqual([]);
  write(store, many(3_001, count));
  const isLongRest = wire.putBack('k', 'lamp') === 'more';
  expect(isLongRest).toBe(count === 4_000);
  // The device sends on in between.
  if (isLongRest) {
    write(store, [frame(9_000)]);
    expect(bringBack(wire, 'k', 'lamp')).toBe(true);
  }
  const came = 3_000 + count + Number(isLongRest);
  expect(seqs(wire.log('lamp'))).toHaveLength(came);
  expect(wire.log('lamp').bounds()?.first).toBe(1);
  expect(seqs(wire.log())).toHaveLength(came);
  // What is counted is what is there: a limit that is just enough lets nothing go.
  const bytes = [...wire.log('lamp').frames()].reduce((sum, { text = '' }) => sum + 170 + text.length, 0);
  expect(write(store, [], bytes)).toBe('kept');
  expect(seqs(wire.log('lamp'))).toHaveLength(came);
  write(store, [], bytes - 1);
  expect(seqs(wire.log('lamp')).length).toBeLessThan(came);
});

test('a log that is cleared while it comes back stays cleared, and is not lost', () => {
  const store = openTestStore();
  const { wire } = store;
  const many = (first: number, length: number) => Array.from({ length }, (_each, index) => frame(first + index));
  write(store, many(1, 2_500));
  wire.setAside('lamp', { key: 'old', keepFacts: true });
  write(store, many(5_000, 3_000));
  expect(wire.putBack('old', 'lamp')).toBe('more');
  wire.setAside('lamp', { key: 'new', keepFacts: true });
  expect(bringBack(wire, 'old', 'lamp')).toBe(true);
  expect(bringBack(wire, 'new', 'lamp')).toBe(true);
  expect(seqs(wire.log('lamp'))).toHaveLength(5_500);
});

test('of logs that are set aside the frames go first where the limit is met; one that has gone is said to be gone', () => {
  const store = openTestStore();
  const text = 'x'.repeat(830);
  write(
    store,
    [1, 2, 3].map((seq) => frame(seq, { text })),
  );
  write(
    store,
    [4, 5, 6].map((seq) => frame(seq, { text, connection: 'door' })),
  );
  store.wire.setAside('door', { key: 'k', keepFacts: true });
  write(store, [frame(7, { text })], 4_000);
  expect(seqs(store.wire.log())).toEqual([1, 2, 3, 7]);
});

test('a log that is let go is nobody’s at once, and leaves the disk by steps, over a restart too', async () => {
  const path = databasePath();
  const store = openTestStore(path);
  write(
    store,
    Array.from({ length: 2_500 }, (_, index) => frame(index + 1)),
  );
  write(store, [frame(9_000, { connection: 'door' })]);
  store.wire.setAside('lamp', { key: 'k', keepFacts: false });
  store.wire.drop('k');
  expect(bringBack(store.wire, 'k', 'lamp')).toBe(false);
  expect(seqs(store.wire.log())).toEqual([9_000]);
  store.close();
  openTestStore(path);
  const reader = new DatabaseSync(path, { readOnly: true });
  const left = (): unknown => reader.prepare('SELECT count(*) AS n FROM wire_frames').get()?.['n'];
  await vi.waitUntil(() => left() === 1);
  await vi.waitUntil(() => reader.prepare('SELECT count(*) AS n FROM gone_frames').get()?.['n'] === 0);
  reader.close();
});

test('what cannot be written leaves nothing behind', () => {
  const store = openTestStore();
  write(store, [frame(1)]);
  expect(() => write(store, [frame(2, { connection: 'new' }), frame(1)])).toThrow(/UNIQUE/);
  expect(seqs(store.wire.log())).toEqual([1]);
  write(store, [frame(2, { connection: 'new' })]);
  expect(seqs(store.wire.log('new'))).toEqual([2]);
});

test('a number is given out once, whoever asks, and what was not used comes back', () => {
  const path = databasePath();
  const [one, other] = [openTestStore(path).wire, openStore({ path })];
  expect(one.reserve(10)).toBe(1);
  expect(other.wire.reserve(10)).toBe(11);
  one.release(4, 11); // too late: the next ones are taken
  expect(one.reserve(10)).toBe(21);
  one.release(25, 31);
  other.close();
  expect(one.reserve(1)).toBe(25);
});

test('an answer with a number that JSON does not have is kept without it', () => {
  const store = openTestStore();
  write(store, [frame(1, { rpcId: Infinity }), frame(2, { rpcId: 1.5 })]);
  expect(store.wire.log().rows({ afterSeq: 0, limit: 9 })).toMatchObject([{ seq: 1 }, { rpcId: 1.5 }]);
  expect(store.wire.log().frame(1)).not.toHaveProperty('rpcId');
});

test('frames of some methods come with every opening of a connection', () => {
  const store = openTestStore();
  write(store, [
    frame(1, { kind: 'open', type: 'open' }),
    frame(2, { method: 'tools/list' }),
    frame(3, { method: 'tools/call' }),
    frame(4, { type: 'listen' }),
  ]);
  const some = [...store.wire.log('lamp').frames({ only: { kind: 'open', methods: ['tools/call', '") --'] } })];
  expect(some.map(({ seq }) => seq)).toEqual([1, 3]);
});

test.each([
  ['volume', ['{"VOLUME":1}', 'set_volume'], ['valume']],
  ['100%', ['at 100% now'], ['at 1000 now', '100']],
  ['a_b', ['a_b', 'A_B'], ['axb', 'a-b']],
  ['\\u', ['{"x":"\\u00e9"}'], ['u']],
  ["'", ["it's"], ['its']],
  ['书房', ['{"name":"书房"}', '{"name": "\\u4e66\\u623f"}'], ['书', '房书', '\\u4e66']],
  ['😀', ['a 😀', '"\\uD83D\\uDE00"'], ['😁']],
  ['Ärger', ['ÄRGER', 'ärger', '"\\u00c4rger"', '"\\u00E4RGER"'], ['arger', 'xrger', '"\\u00e5rger"']],
  ['C:\\temp', ['C:\\temp', '{"path":"C:\\\\temp"}'], ['C:temp', 'C:\temp']],
  ['said "hi"', ['{"text":"He said \\"HI\\""}', 'he said "hi"'], ['said hi']],
  ['a\nb', ['{"lines":"a\\nb"}', 'a\nb'], ['a b', 'anb']],
  [
    '"Ö"\t书',
    ['{"t":"\\"ö\\"\\t书"}', '{"t":"\\"\\u00f6\\"\\t\\u4e66"}', '"Ö"\t书'],
    ['"O"\t书', '{"t":"\\"Ä\\"\\t书"}'],
  ],
  ['привет', ['ПРИВЕТ', 'Привет мир'], ['приве']],
])('a search for %j finds whatever holds it, and nothing else', (text, right, wrong) => {
  const store = openTestStore();
  write(
    store,
    [...right, ...wrong].map((held, index) => frame(index + 1, { text: held })),
  );
  expect(found(store.wire.log('lamp'), text)).toEqual(right.map((_, index) => index + 1).reverse());
  expect(found(store.wire.log(), text)).toHaveLength(right.length);
});

test('a search goes through a long log by slices, newest first', () => {
  const store = openTestStore();
  const kept = Array.from({ length: 12_345 }, (_, index) =>
    frame(index * 3 + 1, { text: index % 1_000 === 0 ? 'needle' : 'hay' }),
  );
  write(store, kept);
  const slices = [...store.wire.log('lamp').search('needle')];
  expect(slices.length).toBeGreaterThan(2);
  expect(slices.flat()).toEqual(
    kept
      .filter(({ text }) => text === 'needle')
      .map(({ seq }) => seq)
      .reverse(),
  );
  expect([...openTestStore().wire.log().search('x')].flat()).toEqual([]);
});

test('a search reads few long frames in a step', () => {
  const store = openTestStore();
  write(
    store,
    Array.from({ length: 300 }, (_, index) => frame(index + 1, { text: `é${'x'.repeat(50_000)}` })),
  );
  for (const log of [store.wire.log(), store.wire.log('lamp')]) {
    const slices = [...log.search('É')];
    expect(slices.length).toBeGreaterThanOrEqual(4);
    expect(slices.flat()).toEqual(Array.from({ length: 300 }, (_, index) => 300 - index));
  }
});

test('a log that is found damaged in use is said so, and moved aside at the next start', async () => {
  const path = databasePath();
  const store = openTestStore(path);
  write(
    store,
    Array.from({ length: 2_000 }, (_, index) => frame(index + 1, { text: 'x'.repeat(500) })),
  );
  store.settings.set('a', 1);
  store.close();
  const bytes = readFileSync(path);
  // The pages of the first frames: what else there is lies before and behind them.
  bytes.fill(0x5a, 100 * 4_096, 160 * 4_096);
  writeFileSync(path, bytes);
  const damaged = openTestStore(path);
  expect(damaged.notice).toBeUndefined();
  expect(damaged.settings.get('a')).toBe(1);
  expect(() => write(damaged, [], 1_000)).toThrow(/toolwire\.db is damaged .*Start Toolwire again/);
  damaged.close();
  const fresh = await openCheckedStore({ path });
  expect(fresh.notice).toMatch(/was damaged .*kept as .*\.damaged-/);
  write(fresh, [frame(1)]);
  fresh.close();
  expect(openTestStore(path).notice).toBeUndefined();
});
