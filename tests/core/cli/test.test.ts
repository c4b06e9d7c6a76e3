import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';

import type { RunReport } from '../../../src-core/features/collections/report.ts';
import { openStore } from '../store/tables.ts';
import { collectionWith, folderWith, put } from '../features/collections/folders.ts';
import { dataDirWith, runCli, sampleModule, startCli } from './cliProcess.ts';

const example = fileURLToPath(new URL('../../../docs/examples/collection', import.meta.url));

function reportPath(): string {
  const path = join(tmpdir(), `toolwire-junit-${randomUUID()}.xml`);
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function sample(): string {
  return dataDirWith({ 'sample.js': sampleModule });
}

/** Three calls, the second of which says on stderr that it runs, and never ends. */
function endless(): { folder: string; dir: string } {
  const folder = collectionWith({
    quick: { tool: 'slow_say' },
    slow: { tool: 'slow_run' },
    never: { tool: 'slow_say' },
  });
  const dir = dataDirWith({
    'slow.js': `import { writeSync } from 'node:fs';
      export default { methods: {
        say: { description: 'x', handler: () => 'said' },
        run: { description: 'x', handler() { writeSync(2, 'it runs\\n'); for (;;); } },
      } };`,
  });
  return { folder, dir };
}

test('the example runs against a virtual device in the same process, with a report', async () => {
  const junit = reportPath();
  const args = ['test', example, '--device-profile', 'firmware', '--env', 'quiet', '--junit', junit];
  const { code, out, err } = await runCli(args);
  expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^toolwire: \{\{\$device\}\} is \S+\.\n$/) });
  expect(out).toContain('4 passed, 0 failed, 0 skipped.');
  expect(out).toContain('not checked: It has run 0 times here');
  expect(readFileSync(junit, 'utf8')).toMatch(/<testsuites name="toolwire test" tests="4" failures="0"/);
});

test('a call that fails ends with 1, and says what was there instead', async () => {
  const folder = collectionWith({
    sum: {
      tool: 'sample_add',
      arguments: { a: 2, b: 3 },
      assertions: [{ check: 'path', path: '$', op: 'equals', value: 6 }],
    },
    fails: { tool: 'sample_fail' },
    fine: { tool: 'sample_fail', assertions: [{ check: 'status', is: 'tool-error' }] },
  });
  const { code, out } = await runCli(['test', folder, '--data-dir', sample()]);
  expect(code).toBe(1);
  expect(out).toContain('$ should equal 6; it is 5');
  expect(out).toContain('FAILED  fails');
  expect(out).toContain('1 passed, 2 failed, 0 skipped.');
  const bail = await runCli(['test', folder, '--bail', '--data-dir', sample()]);
  expect(bail.out).toContain('0 passed, 1 failed, 2 skipped.');
  const only = await runCli(['test', folder, '--only', 'FINE', '--data-dir', sample()]);
  expect(only).toMatchObject({ code: 0, out: expect.stringContaining('1 passed, 0 failed') });
});

test('a result that does not fit the outputSchema is a warning, and the call passes', async () => {
  const dir = dataDirWith({
    'sum.js': `export default { methods: { add: {
      description: 'x',
      outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      handler: () => ({ n: 'x' }),
    } } };`,
  });
  const { code, out } = await runCli(['test', collectionWith({ sum: { tool: 'sum_add' } }), '--data-dir', dir]);
  expect(code).toBe(0);
  expect(out).toMatch(/ {10}warning: The result does not fit the outputSchema\. n: .*\n/);
  expect(out).toContain('1 passed, 0 failed');
});

test('dangerous calls are skipped without --yes, and a run of nothing else is not fine', async () => {
  const folder = collectionWith({ reboot: { tool: 'sample_reboot' } });
  const dir = sample();
  const asked = await runCli(['test', folder, '--data-dir', dir]);
  expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
  expect(await runCli(['test', folder, '--yes', '--data-dir', dir])).toMatchObject({ code: 0 });
  put(folder, 'told.call.json', { name: 'told', tool: 'sample_reboot', arguments: {}, confirm: true });
  const cloned = await runCli(['test', folder, '--data-dir', dir]);
  expect(cloned).toMatchObject({ code: 1, out: expect.stringContaining('0 passed, 0 failed, 2 skipped') });
  const trusted = await runCli(['test', folder, '--trust', '--data-dir', dir]);
  expect(trusted).toMatchObject({ code: 0, out: expect.stringContaining('1 passed, 0 failed, 1 skipped') });
});

test('secrets come from the environment, and are in no output, no report and no history', async () => {
  const folder = collectionWith({ a: { tool: 'echo_say', arguments: { key: '{{$secret:KEY}}' } } });
  const dir = dataDirWith({
    'echo.js': `export default { methods: { say: { description: 'x', inputSchema: { type: 'object', properties: { key: { type: 'string' } } }, handler: ({ key }) => 'it is ' + key } } };`,
  });
  const junit = reportPath();
  const args = ['test', folder, '--json', '--junit', junit, '--data-dir', dir];
  const { code, out } = await runCli(args, '', { env: { TOOLWIRE_SECRET_KEY: 'v3ry secret' } });
  expect(code).toBe(0);
  const [report] = JSON.parse(out) as RunReport[];
  expect(report!.calls[0]).toMatchObject({ result: 'it is {{$secret:KEY}}' });
  const store = openStore({ path: join(dir, 'toolwire.db') });
  const [{ callId = '' } = {}] = store.history.list({ limit: 1 });
  const kept = store.history.get(callId);
  store.close();
  expect(kept).toMatchObject({ argsJson: '{"key":"{{$secret:KEY}}"}', result: { result: 'it is {{$secret:KEY}}' } });
  for (const text of [out, readFileSync(junit, 'utf8'), readFileSync(join(dir, 'toolwire.db'), 'latin1')])
    expect(text).not.toContain('v3ry secret');
  expect(await runCli(['test', folder, '--data-dir', dir])).toMatchObject({ code: 1 });
});

test('its own history is kept: from five runs on, its time is compared', async () => {
  const folder = collectionWith({
    a: { tool: 'sample_add', arguments: { a: 1, b: 2 }, assertions: [{ check: 'duration', atMostTimesMedian: 1000 }] },
  });
  const dir = sample();
  for (let i = 0; i < 5; i++) {
    const { out } = await runCli(['test', folder, '--data-dir', dir]);
    expect(out).toContain(`It has run ${i} times here`);
  }
  const sixth = await runCli(['test', folder, '--data-dir', dir]);
  expect(sixth.code).toBe(0);
  expect(sixth.out).not.toContain('not checked');
});

test('a folder of collections runs them all, each with a suite', async () => {
  const call = { name: 'x', tool: 'sample_add', arguments: { a: 1, b: 2 } };
  const folder = folderWith({ 'other/readme.md': 'x' });
  for (const name of ['one', 'two']) {
    put(folder, `${name}/toolwire.json`, { format: 1, name });
    put(folder, `${name}/x.call.json`, call);
  }
  const { code, out } = await runCli(['test', folder, '--json', '--data-dir', sample()]);
  expect(code).toBe(0);
  expect((JSON.parse(out) as RunReport[]).map(({ name }) => name)).toEqual(['one', 'two']);
});

test.each<[string, string[], number, RegExp]>([
  ['no such folder', ['/nonexistent'], 1, /is not a folder/],
  ['no folder', [], 2, /needs FOLDER/],
  ['an unknown profile', [example, '--device-profile', 'nothing'], 2, /There is no profile "nothing"/],
  [
    'an unknown environment',
    [example, '--device-profile', 'firmware', '--env', 'nobody'],
    1,
    /: --env: There is no environment "nobody"\. Choose one of: quiet\./,
  ],
  [
    'a text that no call has',
    [example, '--only', 'nobody'],
    1,
    /No saved call has "nobody" in its name or file\. Change --only\./,
  ],
])('%s: says so', async (_what, args, code, message) => {
  const ended = await runCli(['test', ...args]);
  expect(ended.code).toBe(code);
  expect(ended.err).toMatch(message);
});

test('a secret without a value names its variable, and an environment that is missing the file to create', async () => {
  const folder = collectionWith({ a: { tool: 'sample_say', arguments: { key: '{{$secret:KEY}}' } } });
  const args = ['test', folder, '--data-dir', sample()];
  expect((await runCli(args)).out).toContain('The secret "KEY" has no value. Set the variable TOOLWIRE_SECRET_KEY.');
  const { err } = await runCli([...args, '--env', 'prod']);
  expect(err).toContain(
    'There is no environment "prod". Create environments/prod.json, or run without an environment.',
  );
});

test('a folder that is not a collection: says so', async () => {
  const { code, err } = await runCli(['test', folderWith({ 'x/package.json': '{}' })]);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('it is not a collection') });
});

test('says to its end why a call was not sent', async () => {
  const folder = collectionWith({ status: { tool: '{{$device}}_self.get_device_status' } });
  const device = 'box-'.repeat(40);
  const { code, out } = await runCli(['test', folder, '--device', device, '--data-dir', sample()]);
  expect(code).toBe(1);
  expect(out).toContain(`No device "${device}" is connected.`);
});

test('Ctrl+C stops it, and leaves a report of what ran', async () => {
  const { folder, dir } = endless();
  const junit = reportPath();
  const { child, ended } = startCli(['test', folder, '--junit', junit, '--data-dir', dir]);
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  const { code, out } = await ended;
  expect(code).toBe(130);
  expect(out).toContain('1 passed, 1 failed, 1 skipped; stopped half-way.');
  expect(readFileSync(junit, 'utf8')).toMatch(/tests="3" failures="1"/);
});

test('creates the folder of the report, and fails before any call if it cannot', async () => {
  const folder = collectionWith({ add: { tool: 'sample_add', arguments: { a: 1, b: 2 } } });
  const dir = sample();
  const junit = join(dir, 'reports', 'of', 'today', 'x.xml');
  expect(await runCli(['test', folder, '--junit', junit, '--data-dir', dir])).toMatchObject({ code: 0, err: '' });
  expect(readFileSync(junit, 'utf8')).toContain('tests="1" failures="0"');
  const { code, out, err } = await runCli(['test', folder, '--junit', join(junit, 'x.xml'), '--data-dir', dir]);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/The report cannot be written to .*x\.xml/);
});

test('a run that never was leaves no green report: not where no engine starts, nor where it is killed', async () => {
  const junit = reportPath();
  put(tmpdir(), basename(junit), '<testsuites tests="1" failures="0"/>');
  const folder = collectionWith({ add: { tool: 'sample_add', arguments: { a: 1, b: 2 } } });
  const noFolder = join(folder, 'toolwire.json', 'x');
  expect(await runCli(['test', folder, '--junit', junit, '--data-dir', noFolder])).toMatchObject({ code: 1, out: '' });
  expect(readFileSync(junit, 'utf8')).toMatch(/<testsuites name="toolwire test" tests="1" failures="0" errors="1"/);

  const { folder: slow, dir } = endless();
  rmSync(junit);
  const run = startCli(['test', slow, '--junit', junit, '--data-dir', dir]);
  run.child.stderr.on('data', (text: Buffer) => {
    if (String(text).includes('it runs')) run.child.kill('SIGKILL');
  });
  await run.ended;
  expect(readFileSync(junit, 'utf8')).toContain('message="The run ended before its report was written."');
});

test.skipIf(process.platform === 'win32')('a report into a pipe is written there, once', async () => {
  const folder = collectionWith({ add: { tool: 'sample_add', arguments: { a: 1, b: 2 } } });
  const pipe = reportPath();
  execFileSync('mkfifo', [pipe]);
  const reader = promisify(execFile)('cat', [pipe]);
  expect(await runCli(['test', folder, '--junit', pipe, '--data-dir', sample()])).toMatchObject({ code: 0 });
  expect((await reader).stdout.match(/<testsuites /g)).toHaveLength(1);
});

test('a report that cannot be written in the end is a failed run, and the run ends', async () => {
  const junit = reportPath();
  const folder = collectionWith({ spoil: { tool: 'spoil_it' } });
  const dir = dataDirWith({
    'spoil.js': `import { mkdirSync, rmSync } from 'node:fs';
      const place = ${JSON.stringify(junit)};
      export default { methods: {
        it: { description: 'x', handler: () => rmSync(place) ?? mkdirSync(place) ?? 'spoilt' },
      } };`,
  });
  const { code, out, err } = await startCli(['test', folder, '--junit', junit, '--data-dir', dir]).ended;
  expect(out).toContain('1 passed, 0 failed');
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('The report cannot be written to') });
});

test('an engine that is lost half-way leaves a report of what ran, and says that it is not the whole', async () => {
  const { folder, dir } = endless();
  const engine = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir]);
  await engine.firstLine();
  engine.child.stderr.on('data', (text: Buffer) => {
    if (String(text).includes('it runs')) engine.child.kill('SIGKILL');
  });
  const junit = reportPath();
  const { code, out, err } = await runCli(['test', folder, '--junit', junit, '--data-dir', dir]);
  expect(code).toBe(1);
  expect(err).toMatch(/^toolwire: Lab: /);
  expect(out).toContain('ok      quick');
  expect(out).toContain('1 passed, 0 failed, 0 skipped; stopped half-way.');
  const report = readFileSync(junit, 'utf8');
  expect(report).toMatch(/<testsuite name="Lab" tests="2" failures="0" errors="1"/);
  expect(report).toContain('<testcase name="quick"');
});

test('after the engine is lost, no later collection is begun', async () => {
  const { folder: first, dir } = endless();
  const folder = folderWith({});
  cpSync(first, join(folder, 'a-first'), { recursive: true });
  put(folder, 'b-second/toolwire.json', { format: 1, name: 'Second' });
  put(folder, 'b-second/x.call.json', { name: 'x', tool: 'slow_say' });
  const engine = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir]);
  await engine.firstLine();
  engine.child.stderr.on('data', (text: Buffer) => {
    if (String(text).includes('it runs')) engine.child.kill('SIGKILL');
  });
  const { code, out } = await runCli(['test', folder, '--json', '--data-dir', dir]);
  expect(code).toBe(1);
  expect((JSON.parse(out) as RunReport[]).map(({ name }) => name)).toEqual(['Lab']);
});
