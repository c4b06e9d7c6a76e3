import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';

import { openDatabase } from '../../../src-core/store/openDatabase.ts';
import { openStore } from '../../../src-core/store/openStore.ts';
import { logTransaction, transaction } from '../../../src-core/store/transaction.ts';

function databasePath(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-transaction-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, 'toolwire.db');
}

function open(): DatabaseSync {
  const { database } = openDatabase(databasePath());
  onTestFinished(() => database.close());
  return database;
}

const full = 2;
const normal = 1;
const level = (database: DatabaseSync): unknown => database.prepare('PRAGMA synchronous').get()?.['synchronous'];
const keys = (database: DatabaseSync): unknown[] =>
  database
    .prepare('SELECT key FROM settings')
    .all()
    .map(({ key }) => key);

test('a change waits for the disk, a record of what happened does not', () => {
  const database = open();
  expect(logTransaction(database, () => level(database))).toBe(normal);
  expect(transaction(database, () => level(database))).toBe(full);
  expect(logTransaction(database, () => level(database))).toBe(normal);
});

test('each change of the store waits for the disk', () => {
  let waits = 0;
  const onOpen = (database: DatabaseSync): void => {
    const { exec } = database;
    database.exec = (sql) => {
      if (sql === 'PRAGMA synchronous = FULL') waits += 1;
      exec(sql);
    };
  };
  const { settings, chats, captures, removed, wire, close } = openStore({ path: databasePath(), onOpen });
  onTestFinished(close);
  const capture = { name: 'a', createdAt: 1, exportedAt: 1, device: { deviceId: 'd' } } as Parameters<
    typeof captures.create
  >[0];
  const chat = '{"title":"a","options":{}}';
  let id = '';
  const changes: (() => unknown)[] = [
    () => settings.set({ theme: 'dark' }),
    () => chats.put({ id: 'c', updatedAt: 1, running: false, record: chat }),
    () => chats.begin({ id: 'b', updatedAt: 1, record: chat }),
    () => chats.finish('b'),
    () => chats.removeUnfinished(),
    () => chats.putEntry({ chatId: 'c', id: 'e', record: '{"role":"user"}', updatedAt: 2 }),
    () => chats.copyEntries({ from: 'c', to: 'b', upTo: 1 }),
    () => chats.putStep({ id: 's', chatId: 'c', record: '{}' }),
    () => chats.remove('c'),
    () => (id = captures.create(capture)),
    () => captures.append(id, { frames: [], size: 0, toolCount: 0, callCount: 0 }),
    () => captures.rename(id, 'b'),
    () => captures.remove(id),
    () => removed.add({ id: 'r', place: {}, text: 'x' }),
    () => removed.remove(['r']),
    () => wire.setAside('device d', { key: 'k', keepFacts: false }),
    () => wire.putBack('k', 'device d'),
    () => wire.drop('k'),
  ];
  for (const change of changes) {
    waits = 0;
    change();
    expect(waits, String(change)).toBe(1);
  }
});

test.each([transaction, logTransaction])('what throws changes nothing: %o', (run) => {
  const database = open();
  const change = (key: string): void => database.exec(`INSERT INTO settings VALUES ('${key}', '1')`);
  run(database, () => change('a'));
  expect(() =>
    run(database, () => {
      change('b');
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(keys(database)).toEqual(['a']);
  expect(level(database)).toBe(normal);
});
