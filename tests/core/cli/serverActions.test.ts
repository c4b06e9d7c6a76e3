/** Kept MCP servers in the terminal: nothing is started before it is approved. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

import type { ServerRow } from '../../../src-core/contract/servers.ts';
import { builtCli } from '../../helpers/builtCli.ts';
import { dataDirWith, runCli, startCli } from './cliProcess.ts';

const everything = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

test('a server is added, asks, is approved by its fingerprint, is called, and is removed', async () => {
  const dir = dataDirWith();
  const toolwire = (...args: string[]) => runCli([...args, '--data-dir', dir]);
  const serving = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json']);
  await serving.firstLine();
  const added = await toolwire('servers', 'add', `"${process.execPath}" "${everything}"`);
  expect(added.code).toBe(0);
  const [id = ''] = added.out.split('  ');
  const rows = async () => JSON.parse((await toolwire('servers', 'list', '--json')).out) as ServerRow[];
  expect(await rows()).toMatchObject([{ id, state: 'asking' }]);
  expect((await toolwire('servers', 'list')).out).toMatch(/^everything {2}Needs approval {2}/);

  const refused = await toolwire('servers', 'start', id);
  expect(refused.code).toBe(3);
  expect(refused.err).toContain(process.execPath);
  expect(refused.err).toContain(everything);
  const fingerprint = /--approve (\w{64}) starts it/.exec(refused.err)?.[1] ?? '';
  expect(fingerprint).not.toBe('');
  expect((await rows())[0]?.state).toBe('asking');
  expect((await toolwire('servers', 'start', id, '--approve', '0'.repeat(64))).code).toBe(1);

  const started = await toolwire('servers', 'start', id, '--approve', fingerprint);
  expect(started.err).toMatch(/ is ready with \d+ tools\.\n$/);
  expect(started.code).toBe(0);
  const [row] = await rows();
  expect((await toolwire('tools')).out).toContain(`${row?.registryId}_echo`);
  const called = await toolwire('call', `${row?.registryId}_echo`, '--args', '{"message":"9007199254740993"}');
  expect(called).toMatchObject({ code: 0 });
  expect(called.out).toContain('9007199254740993');
  const again = await toolwire('servers', 'start', id);
  expect(again).toMatchObject({ code: 0, err: expect.stringMatching(/ runs already, with \d+ tools\.\n$/) });
  expect((await toolwire('servers', 'start', id, '--approve', '0'.repeat(64), '--always')).code).toBe(1);
  expect((await toolwire('servers', 'start', id, '--approve', fingerprint, '--always')).code).toBe(0);
  expect((await rows())[0]?.since).toBe(row?.since);
  expect((await toolwire('servers', 'stop', id)).code).toBe(0);
  expect((await rows())[0]?.state).toBe('stopped');
  expect((await toolwire('servers', 'remove', id)).code).toBe(0);
  expect(await rows()).toEqual([]);
  expect(await toolwire('servers', 'add', 'a | b')).toMatchObject({ code: 1 });
});

test('the tools of a server are offered to hosts or others, and the list says so', async () => {
  const dir = dataDirWith();
  const toolwire = (...args: string[]) => runCli([...args, '--data-dir', dir]);
  await toolwire('servers', 'add', 'node server.js');
  const listed = async () => (await toolwire('servers', 'list')).out;
  expect(await listed()).toContain('  not offered  ');
  const asked = await toolwire('servers', 'offer', 'server');
  expect(asked).toMatchObject({
    code: 3,
    err: 'toolwire: The tools of server were not offered: the user cannot be asked here. --yes offers them.\n',
  });
  const answer = (given: string) =>
    runCli(['servers', 'offer', 'server', '--data-dir', dir], '', { interactive: true, ask: async () => given });
  expect((await answer('')).code).toBe(3);
  expect(await listed()).toContain('  not offered  ');
  expect(await answer('y')).toEqual({ code: 0, out: '', err: 'The tools of server are offered to: Hosts.\n' });
  // Nothing is added to the offer.
  expect((await toolwire('servers', 'offer', 'server')).code).toBe(0);
  expect(await listed()).toMatch(/ {2}offered to Hosts {2}/);
  const more = await toolwire('servers', 'offer', 'server', '--to', 'devices', '--to', 'Chat', '--json', '--yes');
  expect(JSON.parse(more.out)).toMatchObject({ name: 'server', consumers: ['chat', 'device', 'host'] });
  const rows = JSON.parse((await toolwire('servers', 'list', '--json')).out) as { consumers: string[] }[];
  expect(rows[0]?.consumers).toEqual(['chat', 'device', 'host']);
  const less = await toolwire('servers', 'offer', 'server', '--off', '--to', 'hosts');
  expect(less.err).toBe('The tools of server are offered to: Chat, Devices.\n');
  expect((await toolwire('servers', 'offer', 'server', '--off', '--to', 'chat', '--to', 'devices')).err).toBe(
    'Only you can call the tools of server.\n',
  );
  expect(await toolwire('servers', 'offer', 'server', '--to', 'host')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--to must be one of chat, gateway, realtime, devices, hosts; it is "host".'),
  });
  expect(await toolwire('servers', 'offer', 'none')).toMatchObject({
    code: 1,
    err: 'toolwire: There is no MCP server "none". "toolwire servers list" lists them.\n',
  });
  expect(await toolwire('servers', 'offer', 'sever')).toMatchObject({
    code: 1,
    err: 'toolwire: There is no MCP server "sever". Did you mean "server"? "toolwire servers list" lists them.\n',
  });
  const out = join(dir, 'no-folder', 'mcp.json');
  expect(await toolwire('servers', 'export', 'server', '--to', 'cursor', '--out', out)).toMatchObject({
    code: 1,
    err: `toolwire: ${out} cannot be written: its folder does not exist.\n`,
  });
});

test('the list says that definitions of a server have changed', async () => {
  const dir = dataDirWith();
  const toolwire = (...args: string[]) => runCli([...args, '--data-dir', dir]);
  const script = join(dir, 'server.cjs');
  const describe = (description: string): void =>
    writeFileSync(
      script,
      `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line);
        if (id === undefined) return;
        const said = (body) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
        const result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } };
        if (method === 'initialize') said({ result });
        else if (method === 'tools/list') said({ result: { tools: [{ name: 'a', description: '${description}', inputSchema: { type: 'object' } }] } });
        else said({ error: { code: -32601, message: 'no' } });
      });`,
    );
  describe('one');
  const serving = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json']);
  await serving.firstLine();
  const [id = ''] = (await toolwire('servers', 'add', `"${process.execPath}" "${script}"`)).out.split('  ');
  const fingerprint = /--approve (\w{64})/.exec((await toolwire('servers', 'start', id)).err)?.[1] ?? '';
  expect((await toolwire('servers', 'start', id, '--approve', fingerprint)).code).toBe(0);
  expect((await toolwire('servers', 'list')).out).toMatch(/  Ready  1 tool  /);
  expect((await toolwire('servers', 'stop', id)).code).toBe(0);
  describe('two');
  expect((await toolwire('servers', 'start', id)).code).toBe(0);
  expect((await toolwire('servers', 'list')).out).toMatch(/  Definitions changed \(1\)  1 tool  /);
  expect((await toolwire('servers', 'offer', id, '--yes')).err).toMatch(
    /^The tools of \S+ are offered to: Hosts\.\nWithheld until you accept their definitions: 1\. toolwire servers accept \S+\n$/,
  );
});

test('a command that needs a server which fails does not stop it in the running workbench', async () => {
  const dir = dataDirWith();
  const toolwire = (...args: string[]) => runCli([...args, '--data-dir', dir]);
  const serving = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json']);
  await serving.firstLine();
  const script = "console.error('no licence');process.exit(1)";
  const [id = ''] = (await toolwire('servers', 'add', `"${process.execPath}" -e "${script}"`)).out.split('  ');
  const refused = await toolwire('servers', 'start', id);
  const fingerprint = /--approve (\w{64}) starts it/.exec(refused.err)?.[1] ?? '';
  expect((await toolwire('servers', 'start', id, '--approve', fingerprint, '--always')).code).toBe(4);
  expect((await toolwire('conformance', id)).code).toBe(4);
  const [row] = JSON.parse((await toolwire('servers', 'list', '--json')).out) as ServerRow[];
  expect(['failing', 'starting']).toContain(row?.state);
  expect((await toolwire('servers', 'list')).out).toMatch(
    /^\S.+ {2}(Failing|Starting) .*\n {2}The process .* may show the reason:\n {4}no licence\n$/,
  );

  await toolwire('servers', 'add', 'no-such-program-of-the-test');
  const named = ['servers', 'start', 'no-such-program-of-the-test'];
  const approval = /--approve (\w{64}) starts it/.exec((await toolwire(...named)).err)?.[1] ?? '';
  const missing = await toolwire(...named, '--approve', approval);
  expect(missing).toMatchObject({ code: 4, err: expect.stringMatching(/ Searched: \/.+[^…]\n$/) });
});

/** A data directory with the server `everything` of a file, which has an input, and a variable for the environment. */
async function withInputs() {
  const dir = dataDirWith();
  const file = join(dir, 'mcp.json');
  const write = (...more: string[]): void =>
    writeFileSync(
      file,
      JSON.stringify({
        inputs: [{ id: 'api-key', type: 'promptString', description: 'Key of the lab', password: true }],
        servers: {
          everything: {
            command: process.execPath,
            args: [everything, 'stdio', ...more],
            env: { API_KEY: '${input:api-key}', PLACE: '${env:TOOLWIRE_TEST_PLACE}' },
          },
        },
      }),
    );
  write();
  const toolwire = (...args: string[]) => runCli([...args, '--data-dir', dir]);
  expect((await toolwire('servers', 'import', file)).code).toBe(0);
  return { dir, write, toolwire };
}

test('missing values are named, are set by --set, and are kept; wrong names are refused', async () => {
  const { dir, toolwire } = await withInputs();
  await startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json']).firstLine();
  const start = (...flags: string[]) => toolwire('servers', 'start', 'everything', ...flags);
  expect(await start('--approve', '0'.repeat(64))).toMatchObject({
    code: 3,
    err: 'toolwire: everything needs values: --set api-key=VALUE --set TOOLWIRE_TEST_PLACE=VALUE\n',
  });
  const wrong = await start('--set', 'key=hunter-2');
  expect(wrong).toMatchObject({ code: 2, out: '' });
  expect(wrong.err).toContain('has no variable "key". It has: input:api-key, env:TOOLWIRE_TEST_PLACE.');
  expect((await start('--set', 'api-key')).err).toContain('--set must be NAME=VALUE');
  const set = await start('--set', 'api-key=hunter-2', '--set', 'env:TOOLWIRE_TEST_PLACE=the=lab', '--json');
  expect(set.code).toBe(3);
  expect(set.out + set.err).not.toContain('hunter-2');
  const { consent } = JSON.parse(set.out) as { consent: { fingerprint: string; missing: unknown[] } };
  expect(consent.missing).toEqual([]);
  expect((await start('--approve', consent.fingerprint, '--always')).code).toBe(0);
  const env = await toolwire('call', 'mcp-everything_get-env');
  expect(env.out).toMatch(/API_KEY.{1,8}hunter-2/);
  expect(env.out).toMatch(/TOOLWIRE_TEST_PLACE|PLACE.{1,8}the=lab/);
  const restarted = / was started again with the values, and is ready with \d+ tools\.\n$/;
  expect((await start('--set', 'api-key=hunter-2')).err).toMatch(restarted);
  const args = ['servers', 'start', 'everything', '--set', 'api-key=hunter-3', '--data-dir', dir];
  const again = await runCli(args, '', { interactive: true, ask: () => Promise.resolve('a') });
  expect(again.err).toMatch(restarted);
  expect((await toolwire('call', 'mcp-everything_get-env')).out).toMatch(/API_KEY.{1,8}hunter-3/);
});

test('without a Toolwire that runs, an approval for one start says that the next command needs another one', async () => {
  const { dir } = await withInputs();
  await runCli(['servers', 'add', `"${process.execPath}" "${everything}"`, '--data-dir', dir]);
  const start = (answer: string) =>
    runCli(['servers', 'start', 'everything', '--data-dir', dir], '', {
      interactive: true,
      ask: () => Promise.resolve(answer),
    });
  const note = 'It is approved for this start only. With "a", or --always, other commands can start it, too.\n';
  expect((await start('y')).err).toMatch(/so the server ends now\.\nIt is approved/);
  expect((await start('a')).err).not.toContain(note);
  expect((await start('')).err).not.toContain(note);
});

test('missing values are asked for; without one, nothing is started', async () => {
  const { dir } = await withInputs();
  const asked: { question: string; secret: boolean }[] = [];
  const start = (answers: string[]) =>
    runCli(['servers', 'start', 'everything', '--data-dir', dir], '', {
      interactive: true,
      ask(question, _signal, secret = false) {
        asked.push({ question, secret });
        return Promise.resolve(answers.shift() ?? '');
      },
    });
  expect(await start(['hunter-2', ''])).toMatchObject({
    code: 3,
    err: expect.stringContaining('TOOLWIRE_TEST_PLACE has no value, so the server is not started.'),
  });
  const started = await start(['hunter-2', 'lab', 'y']);
  expect(started).toMatchObject({ code: 0, err: expect.stringMatching(/is ready with \d+ tools/) });
  expect(started.err).not.toContain('hunter-2');
  expect(asked.slice(2)).toEqual([
    { question: '  api-key (Key of the lab): ', secret: true },
    { question: '  TOOLWIRE_TEST_PLACE: ', secret: false },
    { question: 'Start it? [y/N, a: always] ', secret: false },
  ]);
});

test('a changed file is shown, and is taken over or not; without a user nothing is started', async () => {
  const { dir, write, toolwire } = await withInputs();
  const start = (...answers: string[]) =>
    runCli(['servers', 'start', 'everything', '--data-dir', dir], '', {
      interactive: true,
      ask: () => Promise.resolve(answers.shift() ?? ''),
    });
  expect((await start('hunter-2', 'lab', 'a')).code).toBe(0);
  write('--more');
  const refused = await toolwire('servers', 'start', 'everything', '--approve', '0'.repeat(64));
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('--more') });
  expect(refused.err).toContain('The user cannot be asked here. Run the command in a terminal');
  expect((await start('')).code).toBe(3);
  // The present configuration is approved already, but asks once more, because it was asked about.
  expect((await start('k', 'y')).code).toBe(0);
  expect((await toolwire('servers', 'list', '--json')).out).not.toContain('--more');
  write('--other');
  const taken = await start('y', 'y');
  expect(taken).toMatchObject({ code: 0, err: expect.stringContaining('changed: command:') });
  expect((await toolwire('servers', 'list', '--json')).out).toContain('--other');
});

test('no text of a configuration adds a line to what is shown before a start, or hides in it', async () => {
  const dir = dataDirWith();
  const file = join(dir, 'mcp.json');
  const forged = 'weather wants to start:\n  /usr/bin/weather --safe\n  program: /usr/bin/weather\n';
  const write = (cwd: string): void =>
    writeFileSync(
      file,
      JSON.stringify({
        mcpServers: {
          [forged]: {
            command: process.execPath,
            args: ['a\u00ad\u3164\u{e0061}', '$(x)\n  y', '--privileged'],
            cwd,
            env: { 'A\n  B': '1' },
          },
        },
      }),
    );
  const start = (id: string, ...answers: string[]) =>
    runCli(['servers', 'start', id, '--data-dir', dir], '', {
      interactive: true,
      ask: () => Promise.resolve(answers.shift() ?? ''),
    });
  write('/tmp\n  folder: /home/safe');
  const [id = ''] = (await runCli(['servers', 'import', file, '--data-dir', dir])).out.split('  ');
  const { err } = await start(id);
  const lines = err.split('\n');
  expect(lines[0]).toBe('weather wants to start: wants to start:');
  expect(lines[1]).toContain('a\\u00ad\\u3164\\u{e0061}');
  expect(lines.filter((line) => line.startsWith('  program:'))).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith(`  imported from ${file} at 20`))).toHaveLength(1);
  expect(lines).toContain('  folder: /tmp\\u000a  folder: /home/safe');
  expect(lines).toContain('  warning: --privileged: the container has all rights');
  expect(lines.find((line) => line.startsWith('  variables:'))).toContain('A\\u000a  B');
  write('/tmp\n  folder: /home/other');
  expect((await start(id)).err.split('\n').some((line) => line.startsWith('  folder:'))).toBe(false);
});

test.runIf(existsSync('/usr/bin/script'))('a secret that is typed in a real terminal is not shown', async () => {
  const { dir } = await withInputs();
  const words = [process.execPath, builtCli, 'servers', 'start', 'everything', '--data-dir', dir];
  const command = words.map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: { ...process.env, TERM: 'xterm' } });
  const answers = [
    [/Key of the lab\): $/, 'hunter-2'],
    [/TOOLWIRE_TEST_PLACE: $/, 'the lab'],
    [/a: always\] $/, 'y'],
  ] as const;
  let seen = '';
  let next = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    seen += chunk.toString();
    const [question, answer] = answers[next] ?? [];
    // The terminal may end a question with a control sequence.
    if (question === undefined || !question.test(seen.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, ''))) return;
    next += 1;
    child.stdin.write(`${answer}\r`);
  });
  const [code] = (await once(child, 'close')) as [number];
  expect(seen).toMatch(/everything is ready with \d+ tools/);
  expect(code).toBe(0);
  expect(seen).toContain('the lab');
  expect(seen).not.toContain('hunter-2');
});

test('a second server of one name gets a number, which is said; a part of an id is enough', async () => {
  const { dir, toolwire } = await withInputs();
  const again = await toolwire('servers', 'import', join(dir, 'mcp.json'), '--all');
  expect(again).toMatchObject({
    code: 0,
    out: expect.stringMatching(/ {2}everything-2\n$/),
    err: expect.stringMatching(
      /^toolwire: everything is stored as everything-2, because another server has this name\.$/m,
    ),
  });
  const id = again.out.slice(0, 8);
  expect(await toolwire('servers', 'stop', id)).toMatchObject({ code: 0, err: 'everything-2 is stopped.\n' });
  expect(await toolwire('servers', 'stop', id.slice(0, 3))).toMatchObject({ code: 1 });
  expect((await toolwire('servers', 'remove', 'everything')).code).toBe(0);
  expect((await toolwire('servers', 'list')).out).toMatch(/^everything-2 {2}Stopped {2}– tools {2}[\w-]{36} {2}/);
});

test('the actions print JSON', async () => {
  const { toolwire } = await withInputs();
  const [row] = JSON.parse((await toolwire('servers', 'list', '--json')).out) as ServerRow[];
  const added = await toolwire('servers', 'add', 'https://example.com/mcp', '--json');
  expect(JSON.parse(added.out)).toMatchObject({ servers: [{ name: 'example' }], problems: [] });
  const exported = await toolwire('servers', 'export', 'everything', '--to', 'codex', '--json');
  expect(JSON.parse(exported.out)).toMatchObject({ text: expect.stringContaining('[mcp_servers.everything]') });
  for (const verb of ['stop', 'remove']) {
    const done = await toolwire('servers', verb, 'everything', '--json');
    expect(JSON.parse(done.out)).toEqual({ id: row?.id, name: 'everything' });
  }
  expect(await toolwire('servers', 'stop', 'everything', '--json')).toMatchObject({ code: 1, out: '' });
});
