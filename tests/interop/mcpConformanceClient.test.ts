/**
 * The official conformance suite against `toolwire mcp conformance-client`, which connects and signs in with the library that MCP servers
 * in Toolwire use.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

import { builtCli } from '../helpers/builtCli.ts';
import { suiteRequirements } from '../helpers/suiteRequirements.ts';

const program = fileURLToPath(new URL('../../node_modules/.bin/conformance', import.meta.url));

it.each([
  ['2025-11-25', 18, 7],
  ['2026-07-28', 32, 7],
] as const)('passes what %s requires, and more', { timeout: 250_000 }, async (revision, requiredCount, moreCount) => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-conformance-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const command = `"${process.execPath}" "${builtCli}" mcp conformance-client`;
  const args = ['client', '--command', command, '--requirements', revision, '-o', folder];
  const { code, out } = await new Promise<{ code: number; out: string }>((resolve) => {
    execFile(process.execPath, [program, ...args], { timeout: 240_000, maxBuffer: 64e6 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, out: stdout + stderr }),
    );
  });
  const passed = new Set(Array.from(out.matchAll(/^✓ (\S+):/gmu), ([, name]) => name));
  const { required, more } = suiteRequirements(revision, 'client');
  expect([...required, ...more].filter((name) => !passed.has(name))).toEqual([]);
  expect(code).toBe(0);
  expect([required.length, more.length]).toEqual([requiredCount, moreCount]);
  process.stdout.write(
    `conformance client ${revision}: ${requiredCount} of ${requiredCount} required, ${moreCount} more\n`,
  );
});

it('ends with 1 if no server answers, and says why', async () => {
  const child = spawn(process.execPath, [builtCli, 'mcp', 'conformance-client', 'http://127.0.0.1:1/mcp'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (piece) => (said += String(piece)));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(said).toContain('127.0.0.1:1');
});
