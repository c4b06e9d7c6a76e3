import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';

import { openDatabase } from '../../../src-core/store/openDatabase.ts';
import { logTransaction, transaction } from '../../../src-core/store/transaction.ts';

function open(): DatabaseSync {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-transaction-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const { database } = openDatabase(join(dir, 'toolwire.db'));
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

test('what is written waits for the disk, what a log writes does not, and the next one does again', () => {
  const database = open();
  expect(level(database)).toBe(full);
  expect(transaction(database, () => level(database))).toBe(full);
  expect(logTransaction(database, () => level(database))).toBe(normal);
  expect(level(database)).toBe(full);
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
  expect(level(database)).toBe(full);
});
