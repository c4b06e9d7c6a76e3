/** Packs the app with electron-builder, offline: `--dir`, and a stand-in in Electron's place. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** Stands before the fuses in Electron's binary (`@electron/fuses`, constants). */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** A folder that goes with the test. */
export function testFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-pack-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** What stands in Electron's binary around its fuses: the sentinel, the version 1, how many there are, one digit each. */
export function fuseWire(count: number): Buffer {
  return Buffer.concat([Buffer.from(`${sentinel}\x01`), Buffer.from([count]), Buffer.from('1'.repeat(count))]);
}

/** A folder as Electron's for Linux, without Electron, with that many fuses. */
export function standInElectron(fuses: number): string {
  const dir = testFolder();
  writeFileSync(join(dir, 'electron'), Buffer.concat([Buffer.from('stand-in '), fuseWire(fuses), Buffer.from(' end')]));
  writeFileSync(join(dir, 'version'), '45.4.1');
  return dir;
}

/** Writes files by their path in `dir`. */
export function writeFiles(dir: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
}

/**
 * Packs for Linux with the project's own electron-builder.yml. `appDir` stands in for the project's folder where it is
 * given. Rejects with what electron-builder printed where it fails.
 */
export async function packApp(options: { electronDist: string; appDir?: string }): Promise<{
  binary: string;
  resources: string;
}> {
  const output = testFolder();
  const flags = [`-c.electronDist=${options.electronDist}`, `-c.directories.output=${output}`];
  if (options.appDir !== undefined) flags.push(`-c.directories.app=${options.appDir}`);
  const child = spawn(
    process.execPath,
    ['node_modules/electron-builder/cli.js', '--linux', 'dir', '--x64', '--publish', 'never', ...flags],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`electron-builder ended with ${String(code)}:\n${out}${errors}`);
  const unpacked = join(output, 'linux-unpacked');
  return { binary: join(unpacked, 'toolwire'), resources: join(unpacked, 'resources') };
}
