import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { lockDataDir } from '../../../src-core/store/dataDirLock.ts';

const source = new URL('../../../src-core/store/dataDirLock.ts', import.meta.url).href;

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-lock-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('a second owner in the same process is refused until the first releases the directory', () => {
  const dir = folder();
  const first = lockDataDir(dir)!;
  expect(first.isHeld).toBe(true);
  expect(lockDataDir(dir)).toBeUndefined();
  first.release();
  first.release();
  const second = lockDataDir(dir)!;
  expect(second.isHeld).toBe(true);
  second.release();
});

test('another process is refused, and a killed process holds nothing', async () => {
  const dir = folder();
  const script = `
    import { lockDataDir } from ${JSON.stringify(source)};
    process.stdout.write(String(lockDataDir(${JSON.stringify(dir)})?.isHeld));
    process.stdin.resume();`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void other.kill('SIGKILL'));
  const [said] = (await once(other.stdout, 'data')) as [Buffer];
  expect(said.toString()).toBe('true');
  expect(lockDataDir(dir)).toBeUndefined();
  const exit = once(other, 'exit');
  other.kill('SIGKILL');
  await exit;
  const lock = lockDataDir(dir)!;
  expect(lock.isHeld).toBe(true);
  lock.release();
});

test('a directory that cannot hold the lock is not refused, but is not owned either', () => {
  const lock = lockDataDir(join(folder(), 'missing'))!;
  expect(lock.isHeld).toBe(false);
  lock.release();
});

test('creates the lock file for its owner only', () => {
  const dir = folder();
  const lock = lockDataDir(dir)!;
  expect(statSync(join(dir, 'toolwire.lock')).mode & 0o777).toBe(0o600);
  lock.release();
});

/** Root may write every file, so the child gives its rights up first. */
test.skipIf(process.getuid?.() !== 0)('a lock file that cannot be written is not owned (needs root)', async () => {
  const dir = folder();
  chmodSync(dir, 0o755);
  writeFileSync(join(dir, 'toolwire.lock'), '', { mode: 0o644 });
  const script = `
    import { lockDataDir } from ${JSON.stringify(source)};
    process.seteuid(65534);
    process.stdout.write(String(lockDataDir(${JSON.stringify(dir)})?.isHeld));`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(other.stdout, 'data')) as [Buffer];
  expect(said.toString()).toBe('false');
});
