import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';

import { migrate } from '../../../src-core/store/migrations.ts';
import { openCheckedStore } from './tables.ts';
import { openStore, type Tables } from './tables.ts';
import type { HistoryRow } from '../../../src-core/store/types.ts';

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-checked-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function open(path: string): Promise<Tables> {
  const store = await openCheckedStore({ path });
  onTestFinished(() => store.close());
  return store;
}

function row(callId: string): HistoryRow {
  return {
    callId,
    toolId: 'lamp',
    methodName: 'set',
    qualifiedName: 'lamp_set',
    origin: 'executor',
    source: { kind: 'device', id: 'd1', label: 'Lamp' },
    argsJson: '{"on":true}',
    startedAt: 1,
    timeoutMs: 1,
    result: { requestId: callId, toolName: 'lamp_set', status: 'success', result: 'y'.repeat(4_000), durationMs: 3 },
  };
}

/** 200 calls in the database at `path`, as it lies there once it was closed, or while it is open. */
function fill(path: string, as: 'closed' | 'left open'): void {
  const store = openStore({ path: as === 'closed' ? path : `${path}.other` });
  for (let i = 0; i < 200; i++) store.history.append(row(`call ${i}`));
  store.settings.set('theme', 'dark');
  if (as === 'left open') {
    const database = new DatabaseSync(`${path}.other`);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    store.history.append(row('late'));
    store.settings.set('late', true);
    for (const suffix of ['', '-wal']) copyFileSync(`${path}.other${suffix}`, path + suffix);
  }
  store.close();
}

function damage(path: string): void {
  const bytes = readFileSync(path);
  // Behind what SQLite needs to know of its tables.
  bytes.fill(0x5a, 100 * 4_096, bytes.length - 4_096);
  writeFileSync(path, bytes);
}

/** A database of a Toolwire before free pages went back to the disk: 12 MB, most of it free. */
function fillAsBefore(path: string): void {
  fill(path, 'closed');
  const database = new DatabaseSync(path);
  database.exec(`
    PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM;
    CREATE TABLE gone (bytes BLOB);
    INSERT INTO gone WITH RECURSIVE many (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM many WHERE n < 12)
      SELECT zeroblob(1000000) FROM many;
    DROP TABLE gone;
    PRAGMA journal_mode = WAL`);
  database.close();
}

test('a database of before gives the room back that was freed, and does so by itself from then on', async () => {
  const path = join(folder(), 'toolwire.db');
  fillAsBefore(path);
  const before = statSync(path).size;
  expect(before).toBeGreaterThan(12_000_000);
  const store = await open(path);
  expect(store.notice).toBeUndefined();
  expect(store.history.size().calls).toBe(200);
  store.close();
  expect(statSync(path).size).toBeLessThan(before - 11_000_000);
  const database = new DatabaseSync(path, { readOnly: true });
  expect(database.prepare('PRAGMA auto_vacuum').get()).toEqual({ auto_vacuum: 2 });
  database.close();
});

test('a database of before keeps its room while another has it open, who could not write meanwhile', async () => {
  const path = join(folder(), 'toolwire.db');
  fillAsBefore(path);
  const other = openStore({ path });
  other.settings.set('theme', 'light');
  const store = await open(path);
  expect(store.notice).toBeUndefined();
  expect(store.settings.get('theme')).toBe('light');
  expect(statSync(path).size).toBeGreaterThan(12_000_000);
  store.close();
  other.close();
});

test('a database that was left open is looked through, and all of it is there where it is sound', async () => {
  const path = join(folder(), 'toolwire.db');
  fill(path, 'left open');
  const store = await open(path);
  expect(store.notice).toBeUndefined();
  expect(store.history.size().calls).toBe(201);
  expect(store.history.get('late')).toBeDefined();
  store.close();
  expect(existsSync(`${path}-wal`)).toBe(false);
});

test('a database that was left open and is damaged is moved aside, with what came last', async () => {
  const dir = folder();
  const path = join(dir, 'toolwire.db');
  fill(path, 'left open');
  damage(path);
  const store = await open(path);
  expect(store.notice).toMatch(/toolwire\.db was damaged .*kept as .*toolwire\.db\.damaged-/);
  expect(store.history.list({ limit: 1 })).toEqual([]);
  store.settings.set('a', 1);
  store.close();
  const aside = join(
    dir,
    readdirSync(dir).find((name) => name.includes('.damaged-'))!,
  );
  const kept = new DatabaseSync(aside, { readOnly: true });
  expect(kept.prepare("SELECT value FROM settings WHERE key = 'late'").get()).toMatchObject({ value: 'true' });
  kept.close();
  const again = await open(path);
  expect(again.notice).toBeUndefined();
  expect(again.settings.get('a')).toBe(1);
});

test('damage in a database that was closed is said where it is met, and moved aside at the next start', async () => {
  const path = join(folder(), 'toolwire.db');
  fill(path, 'closed');
  damage(path);
  const damaged = await open(path);
  expect(damaged.notice).toBeUndefined();
  expect(damaged.settings.get('theme')).toBe('dark');
  expect(() => [...damaged.history.search({ text: 'nothing' })]).toThrow(
    /toolwire\.db is damaged .*Start Toolwire again: it is moved aside/,
  );
  damaged.close();
  const fresh = await open(path);
  expect(fresh.notice).toMatch(/was damaged .*kept as .*\.damaged-/);
  fresh.close();
  expect((await open(path)).notice).toBeUndefined();
});

test('the database of an older Toolwire is brought up to date before it is opened', async () => {
  const path = join(folder(), 'toolwire.db');
  const database = new DatabaseSync(path);
  migrate(database, 3);
  database.exec(`INSERT INTO settings VALUES ('theme', '"dark"')`);
  database.close();
  expect((await open(path)).settings.get('theme')).toBe('dark');
});

test('does not change a database of a newer version, even if it was not closed', async () => {
  const path = join(folder(), 'toolwire.db');
  fill(path, 'left open');
  const database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 99');
  writeFileSync(`${path}.suspect`, '');
  database.close();
  await expect(openCheckedStore({ path })).rejects.toThrow(/toolwire\.db cannot be opened: a newer Toolwire made it/);
  await expect(openCheckedStore({ path })).rejects.toThrow(/schema 99/);
});

test('a folder in its place is an error that names it; a file that is no database is moved aside', async () => {
  const dir = folder();
  await expect(openCheckedStore({ path: dir })).rejects.toThrow(`${dir} cannot be opened`);
  const path = join(dir, 'toolwire.db');
  writeFileSync(path, 'no database');
  expect((await open(path)).notice).toMatch(/was damaged/);
});
