/**
 * The official conformance suite against `toolwire mcp --http --conformance`, a process of its own: the suite's tools run through the
 * registry and the executor.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

import { builtCli } from '../helpers/builtCli.ts';
import { suiteRequirements } from '../helpers/suiteRequirements.ts';

const program = fileURLToPath(new URL('../../node_modules/.bin/conformance', import.meta.url));

it.each([
  ['2025-11-25', 30, 3],
  // Of the suite's tasks-status-notifications there is a name only: it skips itself.
  ['2026-07-28', 37, 13],
] as const)('passes what %s requires, and more', { timeout: 150_000 }, async (revision, requiredCount, moreCount) => {
  const url = await startServer();
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-conformance-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const args = ['server', '--url', url, '--requirements', revision, '-o', folder];
  const { code, out } = await new Promise<{ code: number; out: string }>((resolve) => {
    execFile(process.execPath, [program, ...args], { timeout: 120_000, maxBuffer: 64e6 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, out: stdout + stderr }),
    );
  });
  expect(code).toBe(0);
  const passed = new Set(Array.from(out.matchAll(/^✓ (\S+):/gmu), ([, name]) => name));
  const { required, more } = suiteRequirements(revision, 'server');
  expect([...required, ...more].filter((name) => !passed.has(name))).toEqual([]);
  expect([required.length, more.length]).toEqual([requiredCount, moreCount]);
  process.stdout.write(
    `conformance server ${revision}: ${requiredCount} of ${requiredCount} required, ${moreCount} more\n`,
  );
});

it('prints one line of JSON with a loopback URL, and ends when it is asked to', async () => {
  const child = start();
  const lines: string[] = [];
  const reader = createInterface(child.stdout).on('line', (line) => lines.push(line));
  await once(reader, 'line');
  expect(JSON.parse(lines[0] ?? '')).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/) });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(lines).toHaveLength(1);
});

it('says which flags belong together', async () => {
  const child = spawn(process.execPath, [builtCli, 'mcp', '--http'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (piece) => (said += String(piece)));
  expect(await once(child, 'close')).toEqual([2, null]);
  expect(said).toContain('--http and --conformance go together.');
});

function start() {
  const args = [builtCli, 'mcp', '--http', '--port', '0', '--conformance', '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Returns the URL of a server of its own. */
async function startServer(): Promise<string> {
  const [line] = (await once(createInterface(start().stdout), 'line')) as [string];
  return (JSON.parse(line) as { url: string }).url;
}
