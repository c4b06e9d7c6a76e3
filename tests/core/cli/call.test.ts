import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';

import { listTools } from '../../../src-core/rpc/listTools.ts';
import { connectToRunning } from '../../../src-core/rpc/runningWorkbench.ts';
import { createWorkbench } from '../../../src-core/workbench.ts';
import type { ServedAddresses } from '../../../src-core/cli/addresses.ts';
import { rawJson } from '../../../src-core/base/rawJson.ts';
import { escapeControls } from '../../../src-core/base/hiddenCharacters.ts';
import { serveSessions } from '../mcp/serveSessions.ts';
import { connectScripted, standardAnswer } from '../features/devices/support/scriptedDevice.ts';
import { dataDirWith, runCli, runProcess, sampleModule, startCli } from './cliProcess.ts';

function sample(): string {
  return dataDirWith({ 'sample.js': sampleModule });
}

test('tools lists names, sources and first lines; broken modules with their error', async () => {
  const dir = dataDirWith({ 'sample.js': sampleModule, 'broken.js': 'nonsense(' });
  const { code, out, err } = await runCli(['tools', '--data-dir', dir]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^sample {2}\(module sample\.js\)$/m);
  expect(out).toMatch(/^ {2}sample_add +Adds\.$/m);
  expect(out).toMatch(/^ {2}sample_reboot +\[dangerous\] Reboots\.$/m);
  expect(out).toMatch(/^ {2}error: broken\.js:1/m);
  expect(out).toContain('(built-in)');
});

test('tools escapes control characters of devices and modules', async () => {
  const dir = dataDirWith({
    'sample.js': sampleModule.replace('{', "{ name: 'Sam\\u001b]0;ple\\u0007',"),
    'broken.js': "throw new Error('no \\u001b[31mluck')",
  });
  const served = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json']);
  const { device } = JSON.parse(await served.firstLine()) as ServedAddresses;
  const tools = [{ name: 'a\u001b[31mb\u202e', description: 'x', inputSchema: { type: 'object' } }];
  const board = await connectScripted(device.webSocketUrl, {
    answer: ({ id, method }) =>
      method === 'tools/list' ? { jsonrpc: '2.0', id, result: { tools } } : standardAnswer({ id, method }),
  });
  onTestFinished(() => board.socket.terminate());
  board.hello();
  const list = async (): Promise<string> => (await runCli(['tools', '--data-dir', dir])).out;
  await expect.poll(list).toMatch(/_a.*b.* x$/m);
  const shown = await list();
  expect(shown).toMatch(/^ {2}error: .*no .*luck/m);
  expect(shown).toBe(escapeControls(shown));
});

test('tools --json has schemas', async () => {
  const { out } = await runCli(['tools', '--json', '--data-dir', sample()]);
  const tools = JSON.parse(out) as { id: string; methods: { qualifiedName: string; inputSchema: object }[] }[];
  expect(tools.find(({ id }) => id === 'sample')!.methods[0]).toMatchObject({
    qualifiedName: 'sample_add',
    inputSchema: { required: ['a', 'b'] },
  });
});

test('call prints the value, alone, whatever the module prints', async () => {
  const dir = dataDirWith({ 'sample.js': `console.log('said'); console.error('warned');\n${sampleModule}` });
  const args = ['call', 'sample_add', '--data-dir', dir];
  expect(await runProcess([...args, '--args', '{"a":2,"b":3}'])).toEqual({ code: 0, out: '5\n', err: '' });
  expect(await runCli([...args, '--args', '-'], '{"a":20,"b":30}')).toEqual({ code: 0, out: '50\n', err: '' });
});

test('call --json prints the result with its status and duration', async () => {
  const { code, out } = await runCli([
    'call',
    'sample_add',
    '--args',
    '{"a":2,"b":3}',
    '--json',
    '--data-dir',
    sample(),
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ status: 'success', result: '5', durationMs: expect.any(Number) });
});

/** Calls the only tool of a board, which answers with this result. */
async function callBoard(result: object, ...flags: string[]): ReturnType<typeof runCli> {
  const dir = sample();
  const served = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json']);
  const { device } = JSON.parse(await served.firstLine()) as ServedAddresses;
  const tools = [{ name: 'count', description: 'Counts.', inputSchema: { type: 'object' } }];
  const board = await connectScripted(device.webSocketUrl, {
    answer({ id, method }) {
      if (method === 'tools/list') return { jsonrpc: '2.0', id, result: { tools } };
      return method === 'tools/call' ? { jsonrpc: '2.0', id, result } : standardAnswer({ id, method });
    },
  });
  onTestFinished(() => board.socket.terminate());
  board.hello();
  const name = async (): Promise<string | undefined> =>
    /\S+_count/.exec((await runCli(['tools', '--data-dir', dir])).out)?.[0];
  await expect.poll(name).toBeDefined();
  return runCli(['call', (await name())!, ...flags, '--data-dir', dir]);
}

test('call --json prints structured content as a part of the JSON, with every number as it was sent', async () => {
  const structuredContent = { n: rawJson.rawJSON('9007199254740993'), list: [{ text: 'a' }] };
  const { out } = await callBoard({ content: [{ type: 'text', text: 'counted' }], structuredContent }, '--json');
  expect(JSON.parse(out)).toMatchObject({ status: 'success', structuredContent: { list: [{ text: 'a' }] } });
  expect(out).toContain('"n": 9007199254740993');
});

test('call notes each part of a result that the printed text leaves out', async () => {
  const content = [
    { type: 'text', text: 'seen' },
    { type: 'image', data: Buffer.alloc(64).toString('base64'), mimeType: 'image/png' },
    { type: 'resource', resource: { uri: 'lab:log', mimeType: 'text/plain', text: 'on' } },
    { type: 'resource_link', uri: 'lab:all', name: 'all' },
  ];
  expect(await callBoard({ content })).toEqual({
    code: 0,
    out: 'seen\n',
    err:
      'toolwire: Not printed: image/png, 64 bytes. --json prints it as base64.\n' +
      'toolwire: Not printed: lab:log, text/plain, 2 bytes. --json prints it.\n' +
      'toolwire: Not printed: lab:all. --json prints it.\n',
  });
});

test.each<[string, string[], RegExp]>([
  ['an unknown name, with the nearest', ['sample_ad'], /sample_add.*\(unknown-method\)\n"toolwire tools" lists/],
  ['an unknown tool', ['nothing_like_it'], /\(unknown-tool\)\n"toolwire tools" lists/],
  [
    'missing arguments',
    ['sample_add', '--args', '{"a":1}'],
    /^toolwire: .* fit sample_add\. "b" is required \(integer\)\. \(invalid-arguments\)\n--args must fit the inputSchema/,
  ],
  ['arguments of another type', ['sample_add', '--args', '{"a":1,"b":"x"}'], /\(invalid-arguments\)/],
  ['a tool that throws', ['sample_fail'], /^toolwire: no luck \\u001b\[31mtoday \(tool-error\)$/m],
  ['a tool that never ends', ['sample_spin', '--timeout', '300'], /within 300 ms.*\(timeout\)/],
])('%s: exit code 1, the reason on standard error', async (_what, args, message) => {
  const { code, out, err } = await runCli(['call', ...args, '--data-dir', sample()]);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(message);
});

test('a dangerous call that nobody confirms: exit code 3', async () => {
  const { code, out, err } = await runCli(['call', 'sample_reboot', '--data-dir', sample()]);
  expect({ code, out }).toEqual({ code: 3, out: '' });
  expect(err).toMatch(/--yes[^]*\(confirmation-required\)/);
});

test('the reason of a refusal is printed once, also if the arguments could not be checked', async () => {
  const schema = `{ type: 'object', properties: { p: { pattern: '^(a+)+$' } } }`;
  const source = `export default { methods: { check: { description: 'x', inputSchema: ${schema}, handler: () => 1 } } };`;
  const dir = dataDirWith({ 'slow.js': source });
  const args = JSON.stringify({ p: `${'a'.repeat(60)}!` });
  const { code, out, err } = await runCli(['call', 'slow_check', '--args', args, '--data-dir', dir]);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^toolwire: slow_check was not called\. .*inputSchema.* \(invalid-arguments\)\n/);
  expect(err.match(/not checked/g)).toHaveLength(1);
});

test('a result that does not fit its outputSchema, or could not be checked, is said to be so', async () => {
  const method = (pattern: string): string =>
    `{ description: 'x', outputSchema: { type: 'object', properties: { p: { pattern: '${pattern}' } } }, ` +
    `handler: () => ({ p: '${'a'.repeat(60)}!' }) }`;
  const dir = dataDirWith({
    'out.js': `export default { methods: { slow: ${method('^(a+)+$')}, wrong: ${method('^b')} } };`,
  });
  const slow = await runCli(['call', 'out_slow', '--data-dir', dir]);
  expect(slow).toMatchObject({ code: 0, out: expect.stringContaining('aaa') });
  expect(slow.err).toMatch(/^toolwire: The data was not checked against the outputSchema: .*\n$/);
  const wrong = await runCli(['call', 'out_wrong', '--data-dir', dir]);
  expect(wrong).toMatchObject({ code: 0, out: expect.stringContaining('aaa') });
  expect(wrong.err).toMatch(/^toolwire: The result does not fit the outputSchema\. p: .*\^b.*\n$/);
});

test('--yes runs a dangerous call', async () => {
  expect(await runCli(['call', 'sample_reboot', '--yes', '--data-dir', sample()])).toMatchObject({
    code: 0,
    out: 'rebooted\n',
  });
});

test.each([
  ['y', 0, 'rebooted\n'],
  ['YES', 0, 'rebooted\n'],
  ['', 3, ''],
  ['no', 3, ''],
])('runs or refuses by the typed answer %j', async (answer, code, out) => {
  const questions: string[] = [];
  const dir = sample();
  const ended = await runCli(['call', 'sample_reboot', '--data-dir', dir], '', {
    interactive: true,
    ask(question) {
      questions.push(question);
      return Promise.resolve(answer);
    },
  });
  expect(ended).toMatchObject({ code, out });
  expect(questions).toEqual([expect.stringContaining('It restarts the board')]);
  if (code !== 0) expect(ended.err).toContain('The user refused this call. (not-authorized)');
});

test.each([
  ['another reason to ask', "danger: 'It restarts the board.'", "danger: 'It erases the board.'"],
  ['another schema', "description: 'Reboots.',", "description: 'Reboots.', inputSchema: { type: 'object' },"],
  ['no reason to ask any more', "danger: 'It restarts the board.', ", ''],
])('a yes does not apply to a tool that changed while it was asked: %s', async (_change, before, after) => {
  expect(sampleModule).toContain(before);
  const dir = sample();
  const served = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json']);
  await served.firstLine();
  const changed = sampleModule.replace(before, after).replace("'rebooted'", "'ran the other one'");
  const { code, out, err } = await runCli(['call', 'sample_reboot', '--data-dir', dir], '', {
    interactive: true,
    async ask() {
      const { client, close } = (await connectToRunning(dir))!;
      const methods = async () => JSON.stringify(await listTools(client));
      const former = await methods();
      writeFileSync(join(dir, 'modules', 'sample.js'), changed);
      await expect.poll(methods).not.toBe(former);
      close();
      return 'y';
    },
  });
  expect({ code, out }).toEqual({ code: 3, out: '' });
  expect(err).toMatch(/The tool "sample" was changed or replaced before the call ran\. .*\(tool-changed\)/);
  expect((await runCli(['call', 'sample_reboot', '--yes', '--data-dir', dir])).out).toBe('ran the other one\n');
});

test('Ctrl+C cancels a call that runs, and the program ends', async () => {
  const dir = dataDirWith({
    'slow.js': `import { writeSync } from 'node:fs';
      export default { methods: { run: { description: 'x', handler() { writeSync(2, 'it runs\\n'); for (;;); } } } };`,
  });
  const { child, ended } = startCli(['call', 'slow_run', '--data-dir', dir]);
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  const { code, err } = await ended;
  expect(code).toBe(130);
  expect(err).toMatch(/\(cancelled\)/);
});

test('a data directory that cannot be is an error that names it', async () => {
  const { code, err } = await runCli(['tools', '--data-dir', '/dev/null/x']);
  expect(code).toBe(1);
  expect(err).toContain('/dev/null/x');
});

test('the history lists the duration of a call and the reason of its failure, within the width of the terminal', async () => {
  const dir = dataDirWith({
    'lab.ts': `export default { methods: {
      fail: { description: 'Fails.', handler() { throw new Error('the lamp is broken ' + '\u706f'.repeat(300)); } },
    } };`,
  });
  await runCli(['call', 'lab_fail', '--args', '{"why":"because of everything that happened"}', '--data-dir', dir]);
  await runCli(['call', 'lab_nothing', '--data-dir', dir]);
  const whole = await runCli(['history', '--data-dir', dir]);
  const [refused, why, failed, reason] = whole.out.split('\n');
  expect(refused).toMatch(/ Not called {2}– +from the terminal {2}lab_nothing /);
  expect(why).toMatch(/^ {2}unknown-method: The tool "lab" has no method/);
  expect(failed).toMatch(
    / Error {7}[\d.]+ m?s +from the terminal {2}lab_fail .* \{"why":"because of everything that happened"\}$/,
  );
  expect(reason).toMatch(/^ {2}tool-error: the lamp is broken 灯+$/);
  const narrow = await runCli(['history', '--data-dir', dir], '', { columns: 60 });
  for (const line of narrow.out.split('\n')) expect(line.replaceAll('灯', 'xx').length).toBeLessThanOrEqual(60);
  expect(narrow.out).toContain('  tool-error: the lamp is broken');
  // A terminal that does not know its width reports 0.
  expect((await runCli(['history', '--data-dir', dir], '', { columns: 0 })).out).toBe(whole.out);
  const { rows } = JSON.parse((await runCli(['history', '--json', '--data-dir', dir])).out) as { rows: object[] };
  expect(rows[1]).toMatchObject({ errorCode: 'tool-error', result: expect.stringMatching(/灯{300}/) });
});

test('the history lists the calls that began last, also if they ended earlier', async () => {
  const shared = dataDirWith();
  const dir = dataDirWith({
    'lab.ts': `import { existsSync, writeFileSync } from 'node:fs';
      export default { methods: {
        slow: { description: 'Waits.', async handler() {
          writeFileSync('begun', '');
          while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 10));
        } },
        quick: { description: 'Is quick.', handler: () => 'done' },
      } };`.replace(/'(begun|go)'/g, (_, name: string) => JSON.stringify(join(shared, name))),
  });
  await startCli(['serve', '--port', '0', '--device-port', '0', '--no-open', '--data-dir', dir, '--json']).firstLine();
  const slow = runCli(['call', 'lab_slow', '--data-dir', dir]);
  await expect.poll(() => existsSync(join(shared, 'begun'))).toBe(true);
  await runCli(['call', 'lab_quick', '--data-dir', dir]);
  writeFileSync(join(shared, 'go'), '');
  await slow;
  const { out } = await runCli(['history', '--limit', '1', '--data-dir', dir]);
  expect(out.match(/lab_\w+/g)).toEqual(['lab_quick']);
});

test('a call that fails because the server has forgotten the session says that it can be made again', async () => {
  const { url } = await serveSessions(({ method }) =>
    method === 'tools/call' ? new Response('', { status: 404 }) : undefined,
  );
  const dir = dataDirWith();
  const toolwire = (...args: string[]) => runCli([...args, '--data-dir', dir]);
  await toolwire('servers', 'add', url, '--name', 'lab');
  const { consent } = JSON.parse((await toolwire('servers', 'start', 'lab', '--json')).out) as {
    consent: { fingerprint: string };
  };
  await toolwire('servers', 'start', 'lab', '--approve', consent.fingerprint, '--always');
  expect(await toolwire('call', 'mcp-lab_destroy', '--yes')).toEqual({
    code: 4,
    out: '',
    err:
      'toolwire: The server has forgotten the session (404). (disconnected)\n' +
      'A new session is opened. The call was not repeated, because it may change something. Run it again.\n',
  });
});

test('a call whose server is removed meanwhile ends with 4', async () => {
  const calling = Promise.withResolvers<undefined>();
  const { url } = await serveSessions(({ method }) => {
    if (method !== 'tools/call') return undefined;
    calling.resolve(undefined);
    return new Promise(() => undefined);
  });
  const dir = dataDirWith();
  const toolwire = (...args: string[]) => runCli([...args, '--data-dir', dir]);
  await startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json']).firstLine();
  await toolwire('servers', 'add', url, '--name', 'lab');
  const { consent } = JSON.parse((await toolwire('servers', 'start', 'lab', '--json')).out) as {
    consent: { fingerprint: string };
  };
  await toolwire('servers', 'start', 'lab', '--approve', consent.fingerprint, '--always');
  const called = toolwire('call', 'mcp-lab_destroy', '--yes');
  await calling.promise;
  await toolwire('servers', 'remove', 'lab');
  expect(await called).toMatchObject({ code: 4, out: '', err: expect.not.stringContaining('removed meanwhile') });
});

test('the history is in the order in which the calls began', async () => {
  const dataDir = dataDirWith({
    'lab.js': `let end; export default { methods: {
      hold: { description: 'Waits.', handler: () => new Promise((resolve) => (end = resolve)) },
      free: { description: 'Ends it.', handler: () => end('freed') },
    } };`,
  });
  const options = { dataDir, devicePort: 0, deviceHost: '127.0.0.1', shell: 'terminal' as const };
  const workbench = await createWorkbench({ ...options, onError: (error) => expect.fail(String(error)) });
  const { calls, tools } = workbench.services;
  await tools.whenLoaded();
  const call = (name: string) =>
    calls.execute({ callId: name, toolName: `lab_${name}`, argsJson: '{}', origin: 'executor' });
  const held = call('hold');
  const { startedAt } = await vi.waitUntil(() => calls.running()[0]);
  await vi.waitUntil(() => Date.now() > startedAt);
  await call('free');
  await held;
  await workbench.close();
  const { out } = await runCli(['history', '--data-dir', dataDir]);
  expect(out).toMatch(/^\S+ {2}OK .* from the Executor {2}lab_free .*\n\S+ {2}OK .* from the Executor {2}lab_hold /);
});
