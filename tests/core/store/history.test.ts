import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';

import { migrate } from '../../../src-core/store/migrations.ts';
import type { HistoryRow } from '../../../src-core/store/types.ts';
import { begunCall, databasePath, find, ids, open, openFailing, row } from './historyRows.ts';
import { openStore } from './tables.ts';

describe('what is searched', () => {
  test('a text is found in the name, the arguments and the result, whatever its case, and nowhere else', () => {
    const store = open();
    store.history.append(row({ callId: 'name', name: 'Radio_play' }));
    store.history.append(row({ callId: 'args', args: { station: 'RADIO Ö1' } }));
    store.history.append(row({ callId: 'result', result: 'the radio plays' }));
    store.history.append(row({ callId: 'radio' }));
    expect(ids(store, { text: 'radio' })).toEqual(['result', 'args', 'name']);
    expect(ids(store, { text: 'ö1' })).toEqual(['args']);
    expect(ids(store, { text: '100%' })).toEqual([]);
    expect(ids(store, { text: '"station":"RADIO' })).toEqual(['args']);
    expect(ids(store, { text: "'; DROP TABLE history_calls; --" })).toEqual([]);
  });

  test('a text is found as it was typed, though JSON writes it with backslashes', () => {
    const store = open();
    store.history.append(
      row({ callId: 'args', args: { path: 'C:\\temp', say: 'he said "hi"', lines: 'a\nb', ö: 'É"' } }),
    );
    store.history.append(row({ callId: 'result', result: JSON.stringify({ path: 'C:\\temp' }) }));
    store.history.append(row({ callId: 'plain', result: 'C:\\temp said "hi"\na\nb É"' }));
    store.history.append(row({ callId: 'none', result: 'C:/temp said hi, a b' }));
    expect(ids(store, { text: 'C:\\TEMP' })).toEqual(['plain', 'result', 'args']);
    expect(ids(store, { text: 'said "hi"' })).toEqual(['plain', 'args']);
    expect(ids(store, { text: 'a\nb' })).toEqual(['plain', 'args']);
    expect(ids(store, { text: 'é"' })).toEqual(['plain', 'args']);
    expect(ids(store, { text: '"path":"C:' })).toEqual(['result', 'args']);
  });

  test('by tool, source, status and time, together', () => {
    const store = open();
    store.history.append(row({ callId: 'a', at: 10 }));
    store.history.append(row({ callId: 'b', at: 20, failed: true, result: 'too slow' }));
    store.history.append(row({ callId: 'c', at: 30, soft: true }));
    store.history.append(row({ callId: 'd', at: 40, kind: 'builtin', name: 'time_now' }));
    expect(ids(store, { status: 'success' })).toEqual(['d', 'a']);
    expect(ids(store, { status: 'soft-failure' })).toEqual(['c']);
    expect(ids(store, { status: 'error' })).toEqual(['b']);
    expect(ids(store, { source: 'builtin' })).toEqual(['d']);
    expect(ids(store, { qualifiedName: 'lamp_set' })).toEqual(['c', 'b', 'a']);
    expect(ids(store, { from: 20, to: 40 })).toEqual(['c', 'b']);
    expect(ids(store, { qualifiedName: 'lamp_set', source: 'device', text: 'SLOW', from: 15 })).toEqual(['b']);
    expect(store.history.names()).toEqual(['lamp_set', 'time_now']);
    store.history.append(row({ callId: 'e', at: 50, mismatched: true }));
    expect(ids(store, { status: 'mismatch' })).toEqual(['e']);
    expect(ids(store, { status: 'success' })).toEqual(['d', 'a']);
  });

  test('a found row tells enough for a list, and no more', () => {
    const store = open();
    store.history.append(
      row({
        callId: 'a',
        failed: true,
        details: { node: 'lost', ran: false, ms: 5, description: 'z'.repeat(257), issues: [] },
        result: 'x'.repeat(5_000),
        args: { text: 'y'.repeat(5_000) },
      }),
    );
    const [found] = find(store, {});
    expect(found).toMatchObject({
      callId: 'a',
      status: 'error',
      errorCode: 'timeout',
      durationMs: 3,
      origin: 'executor',
    });
    expect(found!.errorFacts).toEqual({ node: 'lost', ran: false, ms: 5 });
    expect(found!.result).toBe('x'.repeat(200));
    expect(found!.args).toHaveLength(200);
  });

  test('looks at few long calls in a step, at many short ones, and at one that is longer than a step', () => {
    const store = open();
    for (let i = 0; i < 300; i++) store.history.append(row({ callId: `short ${i}`, result: 'x' }));
    for (let i = 0; i < 100; i++) store.history.append(row({ callId: `long ${i}`, result: 'ä'.repeat(50_000) }));
    store.history.append(row({ callId: 'pictures', args: { ö: 'ä'.repeat(500_000) } }));
    const slices = [...store.history.search({ text: 'ä' })].map((found) => found.length);
    // 4 MB a step: 39 calls of 100 kB.
    expect(slices.length).toBeGreaterThanOrEqual(3);
    expect(slices.length).toBeLessThan(12);
    expect(Math.max(...slices)).toBeLessThanOrEqual(40);
    expect(slices.reduce((sum, each) => sum + each)).toBe(101);
  });

  test('goes through many calls in slices, newest first, and on from any of them', () => {
    const store = open();
    for (let i = 0; i < 4_500; i++) store.history.append(row({ callId: `c${i}`, args: { i } }));
    const slices = [...store.history.search({ text: '"i":7' })];
    expect(slices.length).toBeGreaterThan(2);
    const found = slices.flat();
    expect(found).toHaveLength(111);
    expect(found.map(({ seq }) => seq)).toEqual(found.map(({ seq }) => seq).sort((a, b) => b - a));
    const rest = find(store, { text: '"i":7', before: found[9]!.seq });
    expect(rest.map(({ callId }) => callId)).toEqual(found.slice(10).map(({ callId }) => callId));
  });
});

describe('the schema at that time', () => {
  test('comes with the call, and is kept once for all calls of it', () => {
    const path = databasePath();
    const store = open(path);
    const before = { type: 'object', properties: { on: { type: 'boolean' } } };
    const after = { type: 'object', properties: { level: { type: 'integer' } } };
    store.history.append(row({ callId: 'a' }), before);
    store.history.append(row({ callId: 'b' }), structuredClone(before));
    store.history.append(row({ callId: 'c' }), after);
    store.history.append(row({ callId: 'd' }));
    expect(store.history.get('a')!.inputSchema).toEqual(before);
    expect(store.history.get('b')!.inputSchema).toEqual(before);
    expect(store.history.get('c')!.inputSchema).toEqual(after);
    expect(store.history.get('d')).toEqual(row({ callId: 'd' }));
    expect(store.history.get('nobody')).toBeUndefined();
    const database = new DatabaseSync(path);
    expect(database.prepare('SELECT count(*) AS n FROM history_schemas').get()).toMatchObject({ n: 2 });
    database.close();
  });

  test('is inserted again after a write that was undone, and the call ends with the next one', () => {
    const store = openFailing();
    store.history.begin(begunCall({ callId: 'held' }));
    const undone = row({ callId: 'held', name: 'undone' });
    expect(() => store.history.append(undone, { title: 'new' })).toThrow('undone');
    store.history.append(row({ callId: 'held' }), { title: 'new' });
    expect(store.history.get('held')!.inputSchema).toEqual({ title: 'new' });
    expect(store.history.begun()).toEqual([]);
  });

  test('goes with the last call of it', async () => {
    const path = databasePath();
    const store = open(path);
    store.history.append(row({ callId: 'old' }), { title: 'old' });
    for (let i = 0; i < 5; i++) store.history.append(row(), { title: 'new' });
    store.history.setLimits({ calls: 3, bytes: 1e9 });
    const database = new DatabaseSync(path);
    const schemas = (): unknown => database.prepare('SELECT schema FROM history_schemas').all();
    await expect.poll(schemas).toMatchObject([{ schema: '{"title":"new"}' }]);
    database.close();
  });
});

describe('the limits', () => {
  test('only so many calls stay, the newest', () => {
    const { history } = open();
    history.setLimits({ calls: 100, bytes: 1e9 });
    for (let i = 0; i < 103; i++) history.append(row({ callId: `c${i}` }));
    const all = history.list({ limit: 1_000 });
    expect(all).toHaveLength(100);
    expect(all[0]!.callId).toBe('c102');
    expect(all.at(-1)!.callId).toBe('c3');
  });

  test('only so many bytes stay, but always the last call', () => {
    const { history } = open();
    history.setLimits({ calls: 1_000, bytes: 100_000 });
    for (let i = 0; i < 50; i++) history.append(row({ callId: `c${i}`, result: 'x'.repeat(10_000) }));
    expect(history.size().bytes).toBeLessThanOrEqual(100_000);
    expect(history.size().calls).toBe(9);
    history.append(row({ callId: 'large', args: { text: 'y'.repeat(120_000) } }));
    expect(history.list({ limit: 10 }).map(({ callId }) => callId)).toEqual(['large']);
  });

  test('evicts what an attempt left whose end failed', async () => {
    const path = databasePath();
    const errors: unknown[] = [];
    // A deferred constraint fails at COMMIT.
    const setUp = (database: DatabaseSync): void =>
      database.exec(
        `CREATE TABLE parents (id INTEGER PRIMARY KEY);
         CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED);
         CREATE TRIGGER fail AFTER DELETE ON history_calls BEGIN INSERT INTO children VALUES (1); END`,
      );
    const { history, close } = openStore({ path, onOpen: setUp, onError: (error) => void errors.push(error) });
    onTestFinished(close);
    for (let i = 0; i < 30; i++) history.append(row({ result: 'x'.repeat(10_000) }));
    history.setLimits({ calls: 1_000, bytes: 100_000 });
    await expect.poll(() => errors.length).toBe(1);
    expect(history.size().calls).toBe(30);
    const database = new DatabaseSync(path);
    database.exec('DROP TRIGGER fail');
    database.close();
    history.append(row());
    expect(history.size().bytes).toBeLessThanOrEqual(100_000);
  });

  test('thousands of calls beyond a lowered limit go by and by, and the file gets smaller', async () => {
    const path = databasePath();
    const store = open(path);
    const pages = (): number => {
      const database = new DatabaseSync(path, { readOnly: true });
      const { page_count: count } = database.prepare('PRAGMA page_count').get() as { page_count: number };
      database.close();
      return count;
    };
    for (let i = 0; i < 3_000; i++) {
      const schema = { title: `schema ${Math.floor(i / 5)}` };
      store.history.append(row({ callId: `c${i}`, result: 'x'.repeat(8_000) }), schema);
    }
    const before = pages();
    store.history.setLimits({ calls: 100, bytes: 1e9 });
    // Not all at once: whatever else there is to do has its turn.
    expect(store.history.size().calls).toBeGreaterThan(2_000);
    await expect.poll(() => store.history.size().calls, { timeout: 60_000 }).toBe(100);
    await expect.poll(pages, { timeout: 60_000 }).toBeLessThan(before / 4);
    expect(store.history.list({ limit: 200 }).map(({ callId }) => callId)).toEqual(
      Array.from({ length: 100 }, (_, index) => `c${2_999 - index}`),
    );
    const database = new DatabaseSync(path);
    expect(database.prepare('SELECT count(*) AS n FROM history_schemas').get()).toMatchObject({ n: 20 });
    database.close();
  });

  test('what is beyond the limit when it closes goes after the next start', async () => {
    const path = databasePath();
    const first = open(path);
    for (let i = 0; i < 1_000; i++) first.history.append(row());
    first.history.setLimits({ calls: 10, bytes: 1e9 });
    first.close();
    const { history } = open(path);
    history.setLimits({ calls: 10, bytes: 1e9 });
    await expect.poll(() => history.size().calls, { timeout: 60_000 }).toBe(10);
  });

  test('counts neither what a failed write would have added nor a replaced call', () => {
    const { history } = openFailing();
    history.setLimits({ calls: 1_000, bytes: 100_000 });
    history.append(row({ callId: 'kept' }));
    for (let count = 0; count < 20; count += 1) {
      expect(() => history.append(row({ name: 'undone', result: 'x'.repeat(10_000) }))).toThrow('undone');
      history.append(row({ callId: 'replaced', result: 'x'.repeat(10_000) }));
    }
    expect(history.list({ limit: 10 }).map(({ callId }) => callId)).toEqual(['replaced', 'kept']);
    expect(history.size().bytes).toBeLessThan(12_000);
  });
});

/** As version 3 wrote it: arguments as JSON in the record. */
function asThen({ argsJson, ...rest }: HistoryRow): object {
  return { ...rest, args: JSON.parse(argsJson) as unknown };
}

test.each(['5', 'null', '[1]', '{}', '{"source":{"kind":"device"},"result":{}}', '{"result":{"durationMs":1}}'])(
  'a record %s is hidden and counted as damaged, however it is read',
  (record) => {
    const path = databasePath();
    const store = open(path);
    store.history.append(row({ callId: 'series.1' }));
    store.history.append(row({ callId: 'sound' }));
    const database = new DatabaseSync(path);
    database.prepare("UPDATE history_calls SET record = ? WHERE call_id = 'series.1'").run(record);
    database.close();
    expect(find(store, {}).map(({ callId }) => callId)).toEqual(['sound']);
    expect(store.history.list({ limit: 9 }).map(({ callId }) => callId)).toEqual(['sound']);
    expect(store.history.get('series.1')).toBeUndefined();
    expect(store.health.state().unreadable).toEqual({ history: 1 });
  },
);

test('a list ends after 32 MB, and a search finds the calls after that', () => {
  const store = open();
  const large = 'x'.repeat(500_000);
  const content = Array.from({ length: 2 }, () => ({ type: 'text' as const, text: large }));
  for (let n = 0; n < 50; n += 1) {
    const call = row({ callId: `large ${n}` });
    store.history.append({ ...call, result: { ...call.result, content } });
  }
  const listed = store.history.list({ limit: 1_000 });
  expect(listed).toHaveLength(34);
  expect(listed[0]).toMatchObject({ callId: 'large 49', result: { content } });
  expect(store.history.list({ limit: 2 })).toHaveLength(2);
  expect(find(store, {})).toHaveLength(50);
});

test('the history of an older Toolwire comes along, searchable', () => {
  const path = databasePath();
  const database = new DatabaseSync(path);
  migrate(database, 3);
  const insert = database.prepare(
    'INSERT INTO history (call_id, qualified_name, started_at, status, record) VALUES (?, ?, ?, ?, ?)',
  );
  const old = [
    row({ callId: 'a', result: 'ein "Text"\n' }),
    row({ callId: 'b', failed: true }),
    row({ callId: 'c', soft: true }),
    row({ callId: 'd', mismatched: true }),
  ];
  for (const each of old)
    insert.run(each.callId, each.qualifiedName, each.startedAt, each.result.status, JSON.stringify(asThen(each)));
  database.close();
  const store = open(path);
  expect(store.history.list({ limit: 10 })).toEqual(old.toReversed());
  expect(ids(store, { text: '"Text"' })).toEqual(['a']);
  expect(ids(store, { status: 'soft-failure' })).toEqual(['c']);
  expect(ids(store, { status: 'mismatch' })).toEqual(['d']);
  expect(ids(store, { status: 'success' })).toEqual(['a']);
  expect(store.history.size().bytes).toBeGreaterThan(900);
});

describe('calls that have begun', () => {
  test('are kept until they end, and are in no list meanwhile', () => {
    const path = databasePath();
    const store = open(path);
    const held = begunCall({ callId: 'held', args: { on: false } });
    store.history.begin(held);
    store.history.begin(begunCall({ callId: 'other' }));
    // Another process would find them after this one was killed.
    expect(open(path).history.begun()).toEqual([held, begunCall({ callId: 'other' })]);
    expect(store.history.list({ limit: 10 })).toEqual([]);
    expect(find(store, {})).toEqual([]);
    store.history.append(row({ callId: 'held' }));
    expect(store.history.begun().map(({ callId }) => callId)).toEqual(['other']);
    expect(store.history.list({ limit: 10 }).map(({ callId }) => callId)).toEqual(['held']);
  });

  test('are hidden and counted if their row is damaged', () => {
    const path = databasePath();
    const store = open(path);
    store.history.begin(begunCall({ callId: 'held' }));
    store.history.begin(begunCall({ callId: 'half' }));
    const database = new DatabaseSync(path);
    database.exec(`UPDATE begun_calls SET record = '{"callId":' WHERE call_id = 'half'`);
    database.close();
    expect(store.history.begun().map(({ callId }) => callId)).toEqual(['held']);
    expect(store.health.state().unreadable).toEqual({ history: 1 });
    // The next start does not count it again.
    const again = open(path);
    expect(again.history.begun().map(({ callId }) => callId)).toEqual(['held']);
    expect(again.health.state().unreadable).toEqual({});
  });

  test('keep no arguments of more than 1 MB', () => {
    const store = open();
    store.history.begin(begunCall({ args: { text: 'x'.repeat(1024 * 1024) } }));
    expect(store.history.begun()[0]?.argsJson).toMatch(/^{"\(not kept\)":"The arguments had 1,048,\d+ characters/);
  });
});
