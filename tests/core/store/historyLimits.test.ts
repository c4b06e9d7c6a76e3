import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';

import { databasePath, open, openFailing, row } from './historyRows.ts';
import { openStore } from './tables.ts';

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
