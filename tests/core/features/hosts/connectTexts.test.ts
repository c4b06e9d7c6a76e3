import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { connectTexts, writeConfig, type ConnectFacts } from '../../../../src-core/features/hosts/connectTexts.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';

const facts: ConnectFacts = { url: 'http://127.0.0.1:4311/mcp', command: ['toolwire'], scope: 'all', finds: false };

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
  expect(writeConfig('cursor', facts, home)).toBe(file);
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({
    mcpServers: { other: { command: 'x' }, toolwire: { command: 'toolwire', args: ['mcp'] } },
  });
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

test('another host gets the address and the header, or the command, each on its own', () => {
  const texts = connectTexts({ ...facts, command: ['/a b/node', '/cli.js'] }).filter(
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
