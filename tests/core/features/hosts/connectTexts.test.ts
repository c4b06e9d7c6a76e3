import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { connectTexts, type ConnectFacts } from '../../../../src-core/features/hosts/connectTexts.ts';
import { writeConfig } from '../../../../src-core/features/hosts/writeConfig.ts';
import { readJsonc } from '../../../../src-core/base/jsoncText.ts';
import { readToml } from '../../../../src-core/base/tomlText.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';

const command = { text: 'toolwire', words: ['toolwire'] };
const facts: ConnectFacts = { url: 'http://127.0.0.1:4311/mcp', command, scope: 'all', finds: false };

/** A package on Windows. */
const packaged: ConnectFacts = {
  ...facts,
  command: {
    text: '"C:\\T W\\resources\\bin\\toolwire.cmd"',
    words: ['C:\\T W\\Toolwire.exe', 'C:\\T W\\resources\\app.asar\\dist\\cli.js'],
    env: { ELECTRON_RUN_AS_NODE: '1' },
  },
};

test('a shell takes the address of a board whose Device-Id has a quote as one word', () => {
  const url = "http://127.0.0.1:4311/mcp/device/a'b%3A(c)";
  const [{ text } = { text: '' }] = connectTexts({ ...facts, url });
  const words = execFileSync('sh', ['-c', text.replace('claude', String.raw`printf '%s\n'`)], { encoding: 'utf8' });
  expect(words.split('\n')).toEqual(expect.arrayContaining([url, 'Authorization: Bearer ${TOOLWIRE_TOKEN}']));
});

test('a configuration file that is a symbolic link stays one, and its target is written', () => {
  const home = dataFolder();
  const [file, target] = [join(home, '.cursor', 'mcp.json'), join(home, 'dotfiles.json')];
  mkdirSync(join(home, '.cursor'));
  writeFileSync(target, '{"mcpServers":{"other":{"command":"x"}}}');
  symlinkSync(target, file);
  expect(writeConfig('cursor', facts, { home, env: {} })).toBe(file);
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({
    mcpServers: { other: { command: 'x' }, toolwire: { command: 'toolwire', args: ['mcp'] } },
  });
});

/** Writes the configuration of a program whose file has a text already. Returns the file's text afterwards. */
function written(program: 'vscode' | 'codex' | 'cursor', before: string | undefined, of = facts): string {
  const home = dataFolder();
  const { writable: file = '' } = connectTexts(of, { home, env: {} }).find(
    (text) => text.program === program && text.writable,
  )!;
  mkdirSync(dirname(file), { recursive: true });
  if (before !== undefined) writeFileSync(file, before);
  try {
    expect(writeConfig(program, of, { home, env: {} })).toBe(file);
  } catch (error) {
    expect(readFileSync(file, 'utf8')).toBe(before);
    throw error;
  }
  return readFileSync(file, 'utf8');
}

test.each(['vscode', 'cursor'] as const)('in the file of %s, comments and all else stay', (program) => {
  const key = program === 'vscode' ? 'servers' : 'mcpServers';
  const before = `{\n\t// mine\n\t"${key}": {\n\t\t"other": { "command": "x" }, // last\n\t},\n\t"n": 12345678901234567890\n}\n`;
  const after = written(program, before);
  const [start = '', end = ''] = before.split(/(?<=": \{)(?=\n\t\t)/);
  expect(after.startsWith(`${start}\n\t\t"toolwire": {\n\t\t\t`)).toBe(true);
  expect(after.endsWith(end)).toBe(true);
  expect(readJsonc(after).value).toMatchObject({
    [key]: { other: {}, toolwire: { command: 'toolwire', args: ['mcp'] } },
  });
  // The entry is replaced, not added again.
  expect(written(program, after)).toBe(after);
  expect(readJsonc(written(program, undefined)).value).toMatchObject({ [key]: { toolwire: { args: ['mcp'] } } });
  for (const value of ['[]', 'null']) expect(() => written(program, `{"${key}": ${value}}`)).toThrow(`"${key}" in`);
  const entry = (own: string): string =>
    `{\n  "${key}": {\n    "toolwire": {\n      // mine\n      ${own}"env": { "A": "b" }, "disabled": true\n    }\n  }\n}\n`;
  const merged = written(program, entry('"command": "old", "args": ["x"], '));
  expect(merged).toContain('// mine');
  expect(readJsonc(merged).value).toMatchObject({
    [key]: { toolwire: { command: 'toolwire', args: ['mcp'], env: { A: 'b' }, disabled: true } },
  });
  expect(written(program, merged)).toBe(merged);
  // The entry of an address cannot have a command, too.
  expect(readJsonc(written(program, entry('"url": "http://x", '))).value).not.toMatchObject({
    [key]: { toolwire: { url: 'http://x' } },
  });
});

test('a table is added to the file of Codex, and another table of that name is not replaced', () => {
  const own = '[mcp_servers.toolwire]\ncommand = "toolwire"\nargs = ["mcp"]\n';
  expect(written('codex', undefined)).toBe(own);
  const before = '# mine\nmodel = "o5" # best\n\n[mcp_servers.other]\ncommand = "x"';
  const after = `${before}\n\n${own}`;
  expect(written('codex', before)).toBe(after);
  expect(written('codex', after)).toBe(after);
  const crlf = written('codex', 'model = "o5"\r\n\r\n\r\n');
  expect(crlf).toBe(`model = "o5"\r\n\r\n\r\n\r\n${own.replaceAll('\n', '\r\n')}`);
  expect(() => written('codex', '[mcp_servers.toolwire]\nurl = "http://x"\n')).toThrow(
    'has a table [mcp_servers.toolwire]',
  );
  expect(() => written('codex', 'mcp_servers = { other = { command = "x" } }\n')).toThrow('in one line');
  for (const other of ['mcp_servers = 1', '[[mcp_servers]]\nname = "x"'])
    expect(() => written('codex', `${other}\n`)).toThrow('"mcp_servers" in');
  expect(() => written('codex', 'model = \n')).toThrow('is not valid');
});

test('a command that needs a variable has it in every configuration, beside the variables that are there', () => {
  const [word, file] = packaged.command.words;
  const entry = { command: word, args: [file, 'mcp'], env: { ELECTRON_RUN_AS_NODE: '1' } };
  const before = '{"mcpServers":{"toolwire":{"command":"old","env":{"TOOLWIRE_DATA_DIR":"D:"}}}}';
  expect(JSON.parse(written('cursor', before, packaged))).toEqual({
    mcpServers: { toolwire: { ...entry, env: { TOOLWIRE_DATA_DIR: 'D:', ELECTRON_RUN_AS_NODE: '1' } } },
  });
  expect(JSON.parse(written('vscode', undefined, packaged))).toEqual({
    servers: { toolwire: { type: 'stdio', ...entry } },
  });
  const toml = written('codex', undefined, packaged);
  expect(readToml(toml).value).toEqual({ mcp_servers: { toolwire: entry } });
  expect(written('codex', toml, packaged)).toBe(toml);
  const shell = connectTexts(packaged, { home: dataFolder(), env: {}, platform: 'win32' }).filter(
    ({ transport, language }) => transport === 'stdio' && language === 'shell',
  );
  const started = `"${word}" "${file}" mcp`;
  expect(shell.map(({ program, text }) => [program, text])).toEqual([
    ['claude-code', `claude mcp add --env ELECTRON_RUN_AS_NODE=1 --scope user toolwire -- ${started}\n`],
    ['inspector', `npx @modelcontextprotocol/inspector -e ELECTRON_RUN_AS_NODE=1 -- ${started}\n`],
    ['other', `${packaged.command.text} mcp\n`],
  ]);
});

test('on Windows, an address has no command of a POSIX shell', () => {
  const texts = connectTexts(facts, { home: dataFolder(), env: {}, platform: 'win32' });
  const http = texts.filter(({ transport }) => transport === 'http');
  expect(http.map(({ program, language }) => `${program}: ${language}`)).toEqual([
    'claude-code: json',
    'vscode: json',
    'cursor: json',
    'codex: toml',
    'other: url',
    'other: header',
  ]);
});

test('VS Code can also start toolwire mcp', () => {
  const of = connectTexts(facts).find(({ program, transport }) => program === 'vscode' && transport === 'stdio');
  expect(JSON.parse(of?.text ?? '')).toEqual({
    servers: { toolwire: { type: 'stdio', command: 'toolwire', args: ['mcp'] } },
  });
});

test('MCP Inspector is started with the address and the token, or with toolwire mcp and its flags', () => {
  const words = (transport: 'http' | 'stdio') => {
    const of = connectTexts({ ...facts, finds: true }).find(
      (one) => one.program === 'inspector' && one.transport === transport,
    );
    const env = { ...process.env, TOOLWIRE_TOKEN: 'a b' };
    const script = (of?.text ?? '').replace('npx', String.raw`printf '%s\n'`);
    return execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).trimEnd().split('\n');
  };
  const [inspector, url] = ['@modelcontextprotocol/inspector', facts.url];
  const http = ['--transport', 'http', '--server-url', url, '--header', 'Authorization: Bearer a b'];
  expect(words('http')).toEqual([inspector, ...http]);
  expect(words('stdio')).toEqual([inspector, '--', 'toolwire', 'mcp', '--find']);
});

test('the files are in the folders that the programs are told to use', () => {
  const codex = dataFolder();
  const others = dataFolder();
  const env = { CODEX_HOME: codex, XDG_CONFIG_HOME: others };
  const files = connectTexts(facts, { home: dataFolder(), env }).map(({ writable }) => writable);
  expect(files).toContain(join(codex, 'config.toml'));
  if (process.platform === 'linux') expect(files).toContain(join(others, 'Code', 'User', 'mcp.json'));
});

test('another host gets the address and the header, or the command, each on its own', () => {
  const words = ['/a b/node', '/cli.js'];
  const texts = connectTexts({ ...facts, command: { text: '"/a b/node" "/cli.js"', words } }).filter(
    ({ program }) => program === 'other',
  );
  expect(texts.map(({ transport, language, text }) => [transport, language, text])).toEqual([
    ['http', 'url', `${facts.url}\n`],
    ['http', 'header', 'Authorization: Bearer <token>\n'],
    ['stdio', 'shell', "'/a b/node' /cli.js mcp\n"],
    ['stdio', 'json', expect.stringContaining('"command": "/a b/node"')],
  ]);
});

test('configurations have the address for other machines as soon as these can use it', async () => {
  const { services } = await openWorkbench();
  const { hosts, settings, workbench } = services;
  const addresses = () => {
    const texts = hosts
      .connectTexts({ scope: 'all' })
      .filter(({ transport, language }) => transport === 'http' && language !== 'header');
    return new Set([hosts.state().url, ...texts.map(({ text }) => /http:[^\s"']+/.exec(text)?.[0])]);
  };
  const local = `http://127.0.0.1:${workbench.info().device.port}/mcp`;
  expect(addresses()).toEqual(new Set([local]));
  hosts.setOpenToNetwork({ open: true });
  // The port still serves only this machine.
  expect(addresses()).toEqual(new Set([local]));
  await settings.set({ openToNetwork: true });
  const { host } = new URL(workbench.info().device.otaUrl);
  await expect.poll(addresses).toEqual(new Set([`http://${host}/mcp`]));
  expect((await fetch(hosts.state().url)).status).toBe(401);
  hosts.setOpenToNetwork({ open: false });
  expect(addresses()).toEqual(new Set([`http://127.0.0.1:${workbench.info().device.port}/mcp`]));
});
