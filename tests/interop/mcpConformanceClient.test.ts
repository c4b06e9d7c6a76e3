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

const program = fileURLToPath(new URL('../../node_modules/.bin/conformance', import.meta.url));

/** Of both revisions. */
const auth = `
  metadata-default metadata-var1 metadata-var2 metadata-var3 basic-cimd scope-from-www-authenticate
  scope-from-scopes-supported scope-omitted-when-undefined scope-step-up scope-retry-limit token-endpoint-auth-basic
  token-endpoint-auth-post token-endpoint-auth-none pre-registration`;
const more = `
  auth/client-credentials-jwt auth/client-credentials-basic auth/enterprise-managed-authorization auth/dpop
  auth/dpop-nonce auth/wif-jwt-bearer json-schema-2020-12-preservation`;
const namesOf = (text: string): string[] => text.trim().split(/\s+/);
const authNames = namesOf(auth).map((name) => `auth/${name}`);

/** The scenarios that a revision requires. Each is named, so that a renamed one shows. */
const required = {
  '2025-11-25': [...namesOf('initialize tools_call elicitation-sep1034-client-defaults sse-retry'), ...authNames],
  '2026-07-28': [
    ...namesOf(`
      tools_call request-metadata auth/resource-mismatch auth/offline-access-scope auth/offline-access-not-supported
      auth/authorization-server-migration auth/iss-supported auth/iss-not-advertised auth/iss-supported-missing
      auth/iss-wrong-issuer auth/iss-unexpected auth/iss-normalized auth/metadata-issuer-mismatch
      sep-2322-client-request-state http-standard-headers http-custom-headers http-invalid-tool-headers
      json-schema-ref-no-deref`),
    ...authNames,
  ],
};

it.each(['2025-11-25', '2026-07-28'] as const)(
  'passes what %s requires, and more',
  async (revision) => {
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
    for (const wanted of [required[revision], namesOf(more)])
      expect(wanted.filter((name) => !passed.has(name))).toEqual([]);
    expect(code).toBe(0);
    const { length } = required[revision];
    process.stdout.write(
      `conformance client ${revision}: ${length} of ${length} required, ${namesOf(more).length} more\n`,
    );
  },
  250_000,
);

it('ends with 1 if no server answers, and says why', async () => {
  const child = spawn(process.execPath, [builtCli, 'mcp', 'conformance-client', 'http://127.0.0.1:1/mcp'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (piece) => (said += String(piece)));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(said).toContain('127.0.0.1:1');
});
