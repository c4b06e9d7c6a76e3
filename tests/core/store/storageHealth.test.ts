import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';

import { openStore } from './tables.ts';
import { StorageError } from '../../../src-core/store/storageError.ts';
import { createManualClock } from '../features/devices/support/manualClock.ts';

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-health-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('writing that fails is refused with the reason, records are dropped, and the next attempt that works is noted', () => {
  const dir = folder();
  const path = join(dir, 'toolwire.db');
  const clock = createManualClock();
  const store = openStore({ path, clock });
  onTestFinished(() => store.close());
  let changes = 0;
  store.health.onChange = () => (changes += 1);
  store.settings.set('theme', 'dark');
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  expect(() => store.settings.set('theme', 'light')).toThrow(StorageError);
  expect(() => store.settings.set('theme', 'light')).toThrow(
    `${path} cannot be written (database is locked). Try again.`,
  );
  store.savedRuns.append('folder', 'file', { at: 1, verdict: 'passed', durationMs: 1 });
  expect(store.settings.get('theme')).toBe('dark');
  const first = store.wire.reserve(10);
  expect(store.health.state()).toEqual({ dir, fault: 'failed', reason: 'database is locked', unreadable: {} });
  clock.advance(2_000);
  expect(changes).toBe(1);
  other.exec('COMMIT');
  clock.advance(2_000);
  expect(store.health.state()).toEqual({ dir, unreadable: {} });
  expect(changes).toBe(2);
  expect(store.savedRuns.list('folder', 'file', 10)).toEqual([]);
  store.settings.set('theme', 'light');
  // Numbers that were given out meanwhile are not given out again.
  expect(store.wire.reserve(10)).toBe(first + 10);
});

test('a directory that may not be written opens for reading, and refuses every change', () => {
  const dir = folder();
  const path = join(dir, 'toolwire.db');
  const before = openStore({ path });
  before.settings.set('theme', 'dark');
  before.close();
  for (const place of [path, join(dir, 'missing', 'toolwire.db')]) {
    const store = openStore({ path: place, mayWrite: false });
    expect(store.settings.get('theme')).toBe(place === path ? 'dark' : undefined);
    expect(() => store.settings.set('theme', 'light')).toThrow(
      ' is read-only. Allow Toolwire to write there, then start it again.',
    );
    expect(store.wire.reserve(10)).toBe(1);
    store.savedRuns.append('folder', 'file', { at: 1, verdict: 'passed', durationMs: 1 });
    store.history.setLimits({ calls: 1, bytes: 1 });
    expect(store.health.state()).toMatchObject({ fault: 'read-only', untilRestart: true });
    store.close();
  }
});

test('a start that could not write says once that the directory can be written by now, and still refuses', () => {
  const dir = folder();
  const clock = createManualClock();
  const path = join(dir, 'missing', 'toolwire.db');
  const store = openStore({ path, mayWrite: false, clock });
  onTestFinished(() => store.close());
  let changes = 0;
  store.health.onChange = () => (changes += 1);
  clock.advance(6_000);
  expect(changes).toBe(0);
  mkdirSync(dirname(path));
  clock.advance(6_000);
  expect(changes).toBe(1);
  expect(store.health.state()).toMatchObject({ fault: 'read-only', untilRestart: true, isSolved: true });
  expect(() => store.settings.set('theme', 'light')).toThrow(
    `${dirname(path)} can be written now. Start Toolwire again, then try again.`,
  );
  expect(changes).toBe(1);
  expect(readdirSync(dirname(path))).toEqual([]);
});
