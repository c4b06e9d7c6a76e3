/** Configuration files of MCP servers in the terminal. No workbench is needed. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { fixtureText } from '../features/servers/configFiles/configFixtures.ts';
import { dataDirWith, runCli } from './cliProcess.ts';

const secretive = {
  mcpServers: {
    github: {
      command: 'npx',
      args: ['-y', 'gh', '--api-key', 'hunter1'],
      env: { TOKEN: 'hunter2', PLAIN: '${PLAIN}' },
    },
    web: { type: 'http', url: 'https://me:hunter3@example.com/mcp?token=hunter4', headers: { 'X-Key': 'hunter5' } },
  },
};

function fileWith(text: string, name = '.mcp.json'): string {
  const path = join(dataDirWith(), name);
  writeFileSync(path, text);
  return path;
}

test('show prints the whole command of each server, and no secret', async () => {
  const marker = join(dataDirWith(), 'started');
  const touch = { command: 'touch', args: [marker, 'two words', '${MODE:-hunter4}', '${COUNT:-5}'] };
  const config = { mcpServers: { ...secretive.mcpServers, touch } };
  const { code, out, err } = await runCli(['servers', 'show', fileWith(JSON.stringify(config))]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('github  (stdio)\n  npx -y gh --api-key ***\n  variables: TOKEN, PLAIN (needs ${PLAIN})\n');
  expect(out).toContain('web  (http)\n  https://***@example.com/mcp?token=***');
  expect(out).toContain(`  touch ${marker} "two words" \${MODE:-***} \${COUNT:-5}\n`);
  expect(out).not.toMatch(/hunter/);
  expect(existsSync(marker)).toBe(false);
});

test('show names the variables and headers without a value', async () => {
  const own = { command: 'x', env: { EMPTY: '', SET: '1', BOTH: '${ONE_UNSET}${OTHER_UNSET}' } };
  const path = fileWith(JSON.stringify({ mcpServers: { own, web: { url: 'https://e.com', headers: { Key: '' } } } }));
  const { out } = await runCli(['servers', 'show', path]);
  expect(out).toContain('  variables: EMPTY (no value), SET, BOTH (needs ${ONE_UNSET}, ${OTHER_UNSET})\n');
  expect(out).toContain('  headers: Key (no value)\n');
  const json = JSON.parse((await runCli(['servers', 'show', path, '--json'])).out) as object;
  expect(json).toMatchObject({ servers: [{ missing: ['EMPTY', 'BOTH'] }, { missing: ['Key'] }] });
});

test('show names what was not read, with its line, and ends with 1', async () => {
  const path = fileWith('{"mcpServers": {\n"good": {"command": "x"},\n"bad": {"command": 1}}}');
  const plain = await runCli(['servers', 'show', path]);
  expect(plain).toEqual({
    code: 1,
    out: 'good  (stdio)\n  x\n',
    err: 'toolwire: line 3: "bad" was not read. "command" must be a string.\n',
  });
  const json = await runCli(['servers', 'show', path, '--json']);
  expect(json.code).toBe(1);
  expect(JSON.parse(json.out)).toMatchObject({
    format: 'claude-code',
    servers: [{ name: 'good', type: 'stdio', place: 'x', values: [] }],
    problems: [{ level: 'error', server: 'bad', line: 3 }],
  });
});

test('convert writes for another host, without secrets, and names what to fill in', async () => {
  const path = fileWith(JSON.stringify(secretive));
  const { code, out, err } = await runCli(['servers', 'convert', path, '--to', 'vscode']);
  expect(code).toBe(0);
  expect(out + err).not.toMatch(/hunter/);
  expect(JSON.parse(out)).toMatchObject({
    servers: { github: { command: 'npx', env: { TOKEN: '${input:github-token}', PLAIN: '${env:PLAIN}' } } },
  });
  expect(err).toContain('toolwire: github: fill in env.TOKEN, which is ${input:github-token}.\n');
});

test('convert writes a new file, and leaves an existing one', async () => {
  const path = fileWith(fixtureText('codex'), 'config.toml');
  const out = join(dataDirWith(), 'mcp.json');
  expect(await runCli(['servers', 'convert', path, '--to', 'cursor', '--out', out])).toMatchObject({ out: '' });
  const text = readFileSync(out, 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    mcpServers: { local: { command: 'npx', env: { API_KEY: '${env:API_KEY}' } } },
  });
  const again = await runCli(['servers', 'convert', path, '--to', 'cline', '--out', out]);
  expect(again.code).toBe(1);
  expect(again.err).toBe(`toolwire: ${out} cannot be written: it exists; name another file or delete it.\n`);
  expect(readFileSync(out, 'utf8')).toBe(text);
});

test('wrong command lines name what is right', async () => {
  const path = fileWith('{}');
  expect(await runCli(['servers', 'show', path])).toMatchObject({
    code: 1,
    err: expect.stringContaining('a single server needs "command" or "url".\n') as string,
  });
  expect(await runCli(['servers', 'convert', path])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--to must be one of claude-desktop,') as string,
  });
  expect(await runCli(['servers', 'convert', path, '--to', 'emacs'])).toMatchObject({ code: 2 });
  expect(await runCli(['servers', 'shwo', path])).toEqual({
    code: 2,
    out: '',
    err: 'toolwire: There is no command "servers shwo". Did you mean "servers show"?\nTry "toolwire servers --help".\n',
  });
  const help = await runCli(['servers', '--help']);
  expect(help.code).toBe(0);
  expect(help.out).toContain('servers convert FILE|-');
  expect(help.out).not.toMatch(/^ +approve /m);
  expect((await runCli(['servers'])).code).toBe(2);
  const missing = join(dataDirWith(), 'missing.json');
  const err = `toolwire: ${missing} cannot be read: there is no such file; check the path.\n`;
  for (const verb of [['show'], ['import'], ['convert', '--to', 'cursor']])
    expect(
      await runCli(['servers', ...verb, missing, ...(verb[0] === 'import' ? ['--data-dir', dataDirWith()] : [])]),
    ).toEqual({ code: 1, out: '', err });
});

test('export writes the kept servers without secrets, one or all, and names what is missing', async () => {
  const dataDir = dataDirWith();
  const path = fileWith(
    JSON.stringify({ mcpServers: { ...secretive.mcpServers, odd: { command: 'x', colour: 'red' } } }),
  );
  expect((await runCli(['servers', 'import', path, '--data-dir', dataDir])).code).toBe(0);
  const all = await runCli(['servers', 'export', '--to', 'cursor', '--json', '--data-dir', dataDir]);
  expect(all.code).toBe(0);
  const { text, missing } = JSON.parse(all.out) as { text: string; missing: unknown[] };
  expect(JSON.parse(text)).toMatchObject({ mcpServers: { github: {}, web: {}, odd: { command: 'x', colour: 'red' } } });
  expect(missing).toContainEqual({ server: 'github', field: 'env.TOKEN', written: '${env:TOKEN}' });
  expect(all.out + all.err).not.toMatch(/hunter/);
  const one = await runCli(['servers', 'export', 'odd', '--to', 'codex', '--data-dir', dataDir]);
  expect(one).toMatchObject({ code: 0, out: expect.stringContaining('[mcp_servers.odd]') });
  const none = await runCli(['servers', 'export', 'lost', '--to', 'codex', '--data-dir', dataDir]);
  expect(none).toMatchObject({ code: 1, err: expect.stringContaining('There is no MCP server "lost"') });
  expect((await runCli(['servers', 'export', '--to', 'word', '--data-dir', dataDir])).code).toBe(2);
});
