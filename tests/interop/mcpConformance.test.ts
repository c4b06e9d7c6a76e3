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

const program = fileURLToPath(new URL('../../node_modules/.bin/conformance', import.meta.url));

/** The scenarios that a revision requires, and further ones that pass too. Each is named, so that a renamed one shows. */
const scenarios = {
  '2025-11-25': {
    required: `
      server-initialize logging-set-level ping completion-complete tools-list tools-call-simple-text
      tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content
      tools-call-with-logging tools-call-error tools-call-with-progress tools-call-sampling tools-call-elicitation
      elicitation-sep1034-defaults server-sse-multiple-streams elicitation-sep1330-enums resources-list
      resources-read-text resources-read-binary resources-templates-read resources-subscribe resources-unsubscribe
      prompts-list prompts-get-simple prompts-get-with-args prompts-get-embedded-resource prompts-get-with-image
      dns-rebinding-protection`,
    more: 'server-session-lifecycle json-schema-2020-12 server-sse-polling',
  },
  '2026-07-28': {
    required: `
      server-stateless completion-complete tools-list tools-call-simple-text tools-call-image tools-call-audio
      tools-call-embedded-resource tools-call-mixed-content tools-call-error tools-call-with-progress
      server-sse-multiple-streams resources-list resources-read-text resources-read-binary resources-templates-read
      sep-2164-resource-not-found prompts-list prompts-get-simple prompts-get-with-args
      prompts-get-embedded-resource prompts-get-with-image dns-rebinding-protection caching
      input-required-result-basic-elicitation input-required-result-basic-sampling
      input-required-result-basic-list-roots input-required-result-request-state
      input-required-result-multiple-input-requests input-required-result-multi-round
      input-required-result-missing-input-response input-required-result-non-tool-request
      input-required-result-result-type input-required-result-unsupported-methods
      input-required-result-tampered-state input-required-result-capability-check
      input-required-result-ignore-extra-params input-required-result-validate-input`,
    // Of the suite's tasks-status-notifications there is a name only: it skips itself.
    more: `
      json-schema-2020-12 http-header-validation http-custom-header-server-validation tasks-lifecycle
      tasks-capability-negotiation tasks-wire-fields tasks-request-state-removal tasks-mrtr-input
      tasks-request-headers tasks-dispatch-and-envelope tasks-status-notifications tasks-required-task-error
      tasks-mrtr-composition`,
  },
};
const namesOf = (text: string): string[] => text.trim().split(/\s+/);

it.each(['2025-11-25', '2026-07-28'] as const)(
  'passes what %s requires, and more',
  { timeout: 150_000 },
  async (revision) => {
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
    const { required, more } = scenarios[revision];
    for (const wanted of [required, more].map(namesOf)) expect(wanted.filter((name) => !passed.has(name))).toEqual([]);
    const counts = [required, more].map((names) => namesOf(names).length);
    process.stdout.write(`conformance server ${revision}: ${counts[0]} of ${counts[0]} required, ${counts[1]} more\n`);
  },
);

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
