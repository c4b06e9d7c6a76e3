/** The official conformance suite against our MCP server: the suite's tools run through the registry and the executor. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

import { createToolRegistryManager } from '../../src-core/registry/toolRegistryManager.ts';
import { offerConformance } from '../core/features/hosts/conformance.ts';
import { serveTools } from '../core/features/hosts/support.ts';

const program = fileURLToPath(new URL('../../node_modules/.bin/conformance', import.meta.url));

/** Scenarios beyond the required ones that pass too. */
const more = {
  '2025-11-25': ['server-session-lifecycle', 'json-schema-2020-12', 'server-sse-polling'],
  '2026-07-28': ['json-schema-2020-12', 'http-header-validation', 'http-custom-header-server-validation'],
};

it.each(['2025-11-25', '2026-07-28'] as const)('passes what %s requires, and more', async (revision) => {
  const manager = createToolRegistryManager();
  const { url } = await serveTools({ manager, ...offerConformance(manager) });
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-conformance-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const args = ['server', '--url', `http://localhost:${url.port}/mcp`, '--requirements', revision, '-o', folder];
  const { code, out } = await new Promise<{ code: number; out: string }>((resolve) => {
    execFile(process.execPath, [program, ...args], { timeout: 120_000, maxBuffer: 64e6 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, out: stdout + stderr }),
    );
  });
  const lines = out.split('\n').filter((line) => /^\s*[✓✗] /u.test(line));
  const failed = lines.filter((line) => line.includes('✗') && !line.includes('tasks-'));
  expect({ code, failed }).toEqual({ code: 0, failed: [] });
  for (const scenario of more[revision]) expect(lines.some((line) => line.includes(`✓ ${scenario}`))).toBe(true);
});
