import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { createLogFile, logFilePath } from '../../src-core/logFile.ts';

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-log-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('an error is appended with its time, place, stack and causes; the file is its owner’s', () => {
  const path = logFilePath(join(folder(), 'data'));
  const log = createLogFile({ path, now: () => Date.UTC(2026, 0, 2) });
  log(new Error('no luck', { cause: new Error('disk') }), 'a listener');
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(/^2026-01-02T00:00:00\.000Z Toolwire \d/);
  expect(text).toMatch(/\n2026-01-02T00:00:00\.000Z a listener: no luck\n {6}at /);
  expect(text).toMatch(/\n {2}Caused by: disk\n {6}at /);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('secrets and control characters do not reach the file, and no text begins a line of its own', () => {
  const path = logFilePath(folder());
  const log = createLogFile({ path });
  log(
    '"token":"abc123" ?token=abc123&x Bearer abc123 sk-live-abc123abc123 http://me:abc123@proxy:8080 \u001b[2J\u202e\u0000\n2026 forged',
    'a peer',
  );
  const text = readFileSync(path, 'utf8');
  expect(text).not.toMatch(/abc123/);
  expect(text).not.toMatch(/[\u0000\u001b\u202e]/);
  expect(text).toContain('\n  2026 forged\n');
});

test('the place of an error is cleaned like its text', () => {
  const path = logFilePath(folder());
  createLogFile({ path })('refused', 'the device "?api_key=abc123\u001b[2J\u202e\n2026 forged"');
  const text = readFileSync(path, 'utf8');
  expect(text).not.toMatch(/abc123|[\u001b\u202e]/);
  expect(text).toContain('\n  2026 forged": refused\n');
});

test('a long place does not make an entry longer than others', () => {
  const path = logFilePath(folder());
  createLogFile({ path })('refused', 'x'.repeat(100_000));
  expect(statSync(path).size).toBeLessThan(10_000);
});

test('a flood of long errors leaves at most two files of the limit', () => {
  const path = logFilePath(folder());
  let now = 0;
  const log = createLogFile({ path, maxBytes: 50_000, now: () => now });
  for (let at = 0; at < 200; at += 1) {
    now += 10_000;
    log(`${at} ${'x'.repeat(100_000)}`, 'a peer');
  }
  expect(statSync(path).size).toBeLessThanOrEqual(50_000);
  expect(statSync(`${path}.old`).size).toBeLessThanOrEqual(50_000);
  expect(readFileSync(path, 'utf8')).toContain('a peer: 199 x');
});

test('at most 100 errors of ten seconds are written; the next period names how many were not', () => {
  const path = logFilePath(folder());
  let now = 0;
  const log = createLogFile({ path, now: () => now });
  for (let at = 0; at < 1_000; at += 1) log('again', 'a peer');
  expect(readFileSync(path, 'utf8').match(/a peer: again/g)).toHaveLength(100);
  now = 10_000;
  log('later', 'a peer');
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('900 more errors were not logged.');
  expect(text).toContain('a peer: later');
});

test('a folder that cannot be written breaks nothing', () => {
  const dir = folder();
  writeFileSync(join(dir, 'file'), '');
  const inFile = createLogFile({ path: join(dir, 'file', 'toolwire.log') });
  mkdirSync(join(dir, 'toolwire.log'));
  const isFolder = createLogFile({ path: join(dir, 'toolwire.log') });
  for (const log of [inFile, isFolder]) expect(() => log(new Error('x'), 'y')).not.toThrow();
});

test.skipIf(!existsSync('/dev/full'))('a full disk does not throw', () => {
  const log = createLogFile({ path: '/dev/full' });
  expect(() => log(new Error('x'), 'y')).not.toThrow();
});

test('the first error that could not be written is written, with its time, once the disk can be written again', () => {
  const dir = folder();
  const path = join(dir, 'data', 'toolwire.log');
  let now = Date.UTC(2026, 0, 2);
  const log = createLogFile({ path, now: () => now });
  writeFileSync(join(dir, 'data'), '');
  log('The disk is full.', 'the store');
  now += 1_000;
  log('Another error.', 'a peer');
  rmSync(join(dir, 'data'));
  now += 1_000;
  log('It can be written again.', 'the store');
  log('The next error.', 'a peer');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^2026-01-02T00:00:00\.000Z Toolwire \d/),
    '2026-01-02T00:00:00.000Z the store: The disk is full.',
    '2026-01-02T00:00:02.000Z 1 more entry could not be written.',
    '2026-01-02T00:00:02.000Z the store: It can be written again.',
    '2026-01-02T00:00:02.000Z a peer: The next error.',
  ]);
});
