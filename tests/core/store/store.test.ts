import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';

import { openStore, type Tables } from './tables.ts';
import type { HistoryRow } from '../../../src-core/store/types.ts';

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-store-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function open(path = join(folder(), 'toolwire.db')): Tables {
  const store = openStore({ path });
  onTestFinished(() => store.close());
  return store;
}

function row(callId: string, change: Partial<HistoryRow> = {}): HistoryRow {
  return {
    callId,
    toolId: 'lamp',
    methodName: 'set',
    qualifiedName: 'lamp_set',
    source: { kind: 'device', id: 'd1', label: 'Lamp' },
    origin: 'executor',
    argsJson: '{"on":true}',
    startedAt: 1_700_000_000_000,
    timeoutMs: 30_000,
    result: { requestId: callId, toolName: 'lamp_set', status: 'success', result: 'ok', durationMs: 3 },
    ...change,
  };
}

test('settings are there again after reopening, whatever JSON they hold', () => {
  const path = join(folder(), 'deep', 'toolwire.db');
  const first = open(path);
  expect(first.settings.get('theme')).toBeUndefined();
  first.settings.set('theme', 'dark');
  first.settings.set('ui', { list: [null, 'ü\u0000', 1e300] });
  first.settings.set('theme', null);
  first.close();
  first.close();
  const second = open(path);
  expect(second.settings.get('theme')).toBeNull();
  expect(second.settings.get('ui')).toEqual({ list: [null, 'ü\u0000', 1e300] });
});

test('history comes newest first, by method where asked, whole', () => {
  const { history } = open();
  const failed = row('b', {
    qualifiedName: 'lamp_get',
    result: {
      requestId: 'b',
      toolName: 'lamp_get',
      status: 'error',
      result: 'gone',
      durationMs: 1,
      error: { code: 'disconnected', message: 'gone', details: { code: 1006 } },
      content: [{ type: 'text', text: 'gone' }],
    },
  });
  for (const each of [row('a'), failed, row('c', { startedAt: 5 })]) history.append(each);
  expect(history.list({ limit: 10 }).map(({ callId }) => callId)).toEqual(['c', 'b', 'a']);
  expect(history.list({ limit: 2 }).map(({ callId }) => callId)).toEqual(['c', 'b']);
  expect(history.list({ limit: 10, qualifiedName: 'lamp_get' })).toEqual([failed]);
  expect(history.list({ limit: 10, qualifiedName: "'; DROP TABLE history; --" })).toEqual([]);
});

test('a call id that comes twice is kept once', () => {
  const { history } = open();
  history.append(row('a'));
  history.append(row('a', { argsJson: '{"on":false}' }));
  expect(history.list({ limit: 10 })).toEqual([row('a', { argsJson: '{"on":false}' })]);
});

test('long results and arguments are cut and say so; large pictures are left out', () => {
  const { history } = open();
  history.append(
    row('a', {
      argsJson: JSON.stringify({ text: 'x'.repeat(2_000_000) }),
      result: {
        ...row('a').result,
        result: 'é'.repeat(200_000),
        content: [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(2_000_000) }],
      },
    }),
  );
  const [kept] = history.list({ limit: 1 });
  expect(kept!.result.result).toMatch(/^é+… \(68,928 more characters were not kept\)$/);
  expect(kept!.result.content).toBeUndefined();
  expect(kept!.argsJson).toBe('{"(not kept)":"The arguments had 2,000,011 characters of JSON."}');
});

test.runIf(process.platform !== 'win32')('nobody else can read it, its journal included', () => {
  const path = join(folder(), 'toolwire.db');
  writeFileSync(path, '', { mode: 0o644 });
  const store = open(path);
  store.settings.set('a', 1);
  for (const name of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(name).mode & 0o777).toBe(0o600);
});

test('a file that is no database is moved aside with a notice, not lost', () => {
  const dir = folder();
  const path = join(dir, 'toolwire.db');
  writeFileSync(path, 'this is no database, but somebody may want it back. '.repeat(100));
  const store = open(path);
  expect(store.notice).toMatch(/toolwire\.db was damaged .*kept as .*toolwire\.db\.damaged-/);
  store.settings.set('a', 1);
  const aside = readdirSync(dir).find((name) => name.includes('.damaged-'))!;
  expect(readFileSync(join(dir, aside), 'utf8')).toContain('somebody may want it back');
  expect(open(path).notice).toBeUndefined();
});

test('a database of a newer version is left alone', () => {
  const path = join(folder(), 'toolwire.db');
  openStore({ path }).close();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 99');
  database.close();
  expect(() => openStore({ path })).toThrow(
    /toolwire\.db cannot be opened: a newer Toolwire made it \(schema 99; .*Update/,
  );
  expect(() => openStore({ path })).toThrow(/schema 99/);
});

test('a folder in its place is an error that names it', () => {
  const dir = folder();
  expect(() => openStore({ path: dir })).toThrow(new RegExp(`${dir} cannot be opened: .*EISDIR`));
});

test('two processes share it; one that keeps it locked is named as the reason', async () => {
  const path = join(folder(), 'toolwire.db');
  const store = open(path);
  store.settings.set('a', 1);
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(process.argv[1]);
    database.prepare('UPDATE settings SET value = ?').run('2');
    process.stdout.write('written');
    process.stdin.once('data', () => { database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE'); process.stdout.write('locked'); });
    process.stdin.on('end', () => process.exit());`;
  const other = spawn(process.execPath, ['-e', script, path], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void other.kill());
  await once(other.stdout, 'data');
  expect(store.settings.get('a')).toBe(2);
  store.close();
  other.stdin.write('lock');
  await once(other.stdout, 'data');
  expect(() => openStore({ path })).toThrow(/cannot be opened: another process has locked it .*--data-dir/);
  other.stdin.end();
  await once(other, 'exit');
  expect(open(path).settings.get('a')).toBe(2);
});

test('what was appended is there after kill -9', async () => {
  const path = join(folder(), 'toolwire.db');
  const source = new URL('./tables.ts', import.meta.url).href;
  const script = `
    import { openStore } from ${JSON.stringify(source)};
    const { history } = openStore({ path: ${JSON.stringify(path)} });
    const row = ${JSON.stringify(row('x'))};
    for (let i = 1; i <= 50; i++) history.append({ ...row, callId: 'call ' + i }, { type: 'object', maxProperties: i });
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  const store = open(path);
  expect(store.notice).toBeUndefined();
  expect(store.history.list({ limit: 100 })).toHaveLength(50);
  expect(store.history.get('call 50')!.inputSchema).toEqual({ type: 'object', maxProperties: 50 });
});
