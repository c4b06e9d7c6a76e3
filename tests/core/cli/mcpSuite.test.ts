/** `toolwire conformance` on a server over stdio and on a URL. */
import { expect, onTestFinished, test } from 'vitest';

import type { ConformanceScenario } from '../../../src-core/contract/types.ts';
import { serveFetch } from '../mcp/serveFetch.ts';
import { serveSuite } from '../../../src-core/features/hosts/conformance/serveSuite.ts';
import { countProcesses } from '../../helpers/countProcesses.ts';
import { everything } from '../features/servers/support.ts';
import { dataDirWith, runCli } from './cliProcess.ts';

test('a server that is not approved is named; an approved one is started, tested and ended', async () => {
  const dir = dataDirWith();
  const toolwire = (...args: string[]) => runCli([...args, '--data-dir', dir]);
  const text = JSON.stringify({ mcpServers: { everything: { command: process.execPath, args: [everything] } } });
  await runCli(['servers', 'import', '-', '--data-dir', dir], text);
  const processes = countProcesses();
  expect(await toolwire('conformance', 'everything')).toMatchObject({
    code: 3,
    out: '',
    err: expect.stringMatching(/toolwire servers start everything$/m),
  });
  expect(processes.started).toBe(0);
  const asked = await toolwire('servers', 'start', 'everything', '--json');
  const { consent } = JSON.parse(asked.out) as { consent: { fingerprint: string } };
  await toolwire('servers', 'start', 'everything', '--approve', consent.fingerprint, '--always');
  const one = await toolwire('conformance', 'everything', '--scenario', 'tools-list', '--json');
  expect(one.code).toBe(0);
  const { revision, scenarios } = JSON.parse(one.out) as { revision: string; scenarios: ConformanceScenario[] };
  expect(revision).toBe('2025-11-25');
  expect(scenarios).toMatchObject([
    {
      name: 'tools-list',
      verdict: 'passed',
      checks: expect.arrayContaining([expect.objectContaining({ id: 'tools-list', status: 'success' })]),
    },
  ]);
  const fixture = await toolwire('conformance', 'everything', '--scenario', 'tools-call-image');
  expect(fixture.code).toBe(1);
  expect(fixture.out).toContain('n/a    tools-call-image  (missing: test_image_content)');
  expect(processes.live).toBe(0);
}, 120_000);

test('a URL needs no workbench; Ctrl+C ends the run with 130 and prints what has ended', async () => {
  const { url, close } = await serveSuite({ port: 0, onError: (error) => expect.fail(String(error)) });
  onTestFinished(close);
  const whole = await runCli(['conformance', url, '--requirements', '2025-11-25']);
  expect(whole.out).toContain('30 of 30 required scenarios that apply passed; 0 faults.\n');
  expect(whole.code).toBe(0);
  expect(whole.err).toMatch(/^\d+ of 33 {2}ping$/m);
  const ended = new AbortController();
  let notes = 0;
  const stopped = await runCli(['conformance', url], '', {
    ended: ended.signal,
    note: () => void ((notes += 1) > 3 && ended.abort()),
  });
  expect(stopped.code).toBe(130);
  expect(stopped.out).toMatch(/required scenarios that apply passed; 0 faults; stopped half-way\.\n$/);
  expect(stopped.out).not.toContain('FAILED');
}, 120_000);

test('wrong command lines, and a server that is not reached', async () => {
  expect(await runCli(['conformance', 'x', '--requirements', '2020-01-01'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--requirements must be 2025-11-25 or 2026-07-28'),
  });
  expect(await runCli(['conformance', 'x', '--scenario', 'pong'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('The suite has no scenario "pong". There are: server-initialize,'),
  });
  expect(await runCli(['conformance', 'http://127.0.0.1:9/mcp'])).toMatchObject({ code: 4, out: '' });
  const { url } = await serveFetch(() => new Response('', { status: 401 }));
  expect(await runCli(['conformance', url])).toMatchObject({
    code: 3,
    out: '',
    err: expect.stringContaining('requires credentials (401). Add the server to Toolwire, sign in or set its header'),
  });
});
