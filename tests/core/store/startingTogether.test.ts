import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';

import { migrate } from '../../../src-core/store/migrations.ts';
import { openStore } from './tables.ts';

const source = new URL('../../../src-core/store/openStore.ts', import.meta.url).href;

/** Opens the store in so many processes at once, and gives what each of them says of it. */
async function openAtOnce(path: string, processes: number): Promise<string[]> {
  const script = `
    import { openStore } from ${JSON.stringify(source)};
    process.stdout.write('ready ');
    process.stdin.once('data', () => {
      try {
        const store = openStore({ path: ${JSON.stringify(path)} });
        store.settings.set('process ' + process.pid, true);
        process.stdout.write(store.notice ?? 'ok');
        store.close();
      } catch (error) {
        process.stdout.write(error.message);
      }
      process.exit();
    });`;
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  onTestFinished(() => children.forEach((child) => void child.kill('SIGKILL')));
  await Promise.all(children.map(({ stdout }) => once(stdout, 'readable')));
  const said = children.map(({ stdout }) => text(stdout));
  for (const { stdin } of children) stdin.write('go');
  return Promise.all(said);
}

function databasePath(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-starting-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, 'toolwire.db');
}

test('processes that start at once on a new database all get it', async () => {
  const path = databasePath();
  expect(await openAtOnce(path, 6)).toEqual(Array(6).fill('ready ok'));
});

test('processes that start at once on the database of an older Toolwire all get it, and one brings it up to date', async () => {
  const path = databasePath();
  const database = new DatabaseSync(path);
  migrate(database, 3);
  const insert = database.prepare(
    "INSERT INTO history (call_id, qualified_name, started_at, status, record) VALUES (?, 'lamp_set', ?, 'success', ?)",
  );
  const result = { status: 'success', result: 'x'.repeat(2_000), durationMs: 1 };
  const source = { kind: 'builtin', id: 'b', label: 'B' };
  const record = (i: number): string =>
    JSON.stringify({ callId: `call ${i}`, qualifiedName: 'lamp_set', startedAt: i, source, args: { i }, result });
  database.exec('PRAGMA journal_mode = WAL; BEGIN');
  for (let i = 0; i < 5_000; i++) {
    insert.run(`call ${i}`, i, record(i));
  }
  database.exec('COMMIT');
  database.close();
  expect(await openAtOnce(path, 4)).toEqual(Array(4).fill('ready ok'));
  const store = openStore({ path });
  expect(store.history.size().calls).toBe(5_000);
  expect(store.history.get('call 4999')!.argsJson).toBe('{"i":4999}');
  store.close();
});
