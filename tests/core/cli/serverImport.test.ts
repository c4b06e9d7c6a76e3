/** MCP servers from texts and files, in the terminal. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { dataDirWith, runCli } from './cliProcess.ts';

test('add and import name the commands that follow; JSON has no such notes', async () => {
  const dir = dataDirWith();
  const add = (text: string, ...flags: string[]) => runCli(['servers', 'add', text, ...flags, '--data-dir', dir]);
  const start = /^ {2}toolwire servers start (\S+) +shows the whole command/m;
  const { err } = await add('node server.js');
  expect(start.exec(err)?.[1]).toBe('server');
  expect(err).toMatch(/^ {2}toolwire tools server .*\n {2}toolwire call NAME --args JSON /m);
  const again = await add('node server.js', '--all');
  expect(start.exec(again.err)?.[1]).toBe('server-2');
  const two = JSON.stringify({ mcpServers: { a: { command: 'x' }, b: { command: 'y' } } });
  const imported = await runCli(['servers', 'import', '-', '--data-dir', dir], two);
  expect(start.exec(imported.err)?.[1]).toBe('SERVER');
  const { err: notes } = await add('node server.js', '--all', '--json');
  expect(notes).toContain('is stored as server-3');
  expect(notes).not.toContain('toolwire servers start');
});

test('a server that is already added or disabled is not imported, unless --all is set', async () => {
  const dir = dataDirWith();
  const file = join(dir, 'mcp.json');
  const off = { command: 'y', disabled: true };
  writeFileSync(file, JSON.stringify({ mcpServers: { a: { command: 'x', env: { KEY: '1' } }, off } }));
  const toolwire = (...args: string[]) => runCli([...args, '--data-dir', dir]);
  const first = await toolwire('servers', 'import', file);
  expect(first.err).toMatch(/^toolwire: off is disabled, and is left out\. --all adds it\.\nNothing is started yet/);
  const [, id = ''] = /^(\S+) {2}a\n$/.exec(first.out) ?? [];
  const same = `toolwire: a is already added (${id}), and is left out. --all adds it.\n`;
  const again = await toolwire('servers', 'import', file, '--json');
  expect(again).toMatchObject({ code: 0, err: expect.stringContaining(same) });
  const left = [
    { name: 'a', id },
    { name: 'off', disabled: true },
  ];
  expect(JSON.parse(again.out)).toEqual({ servers: [], left, problems: [] });
  expect((await toolwire('servers', 'import', file, '--all')).out).toMatch(/^\S+ {2}a-2\n\S+ {2}off\n$/);
  expect((await toolwire('servers', 'add', 'x')).out).toMatch(/^\S+ {2}x\n$/);
  expect((await toolwire('servers', 'add', 'x')).out).toBe('');
  // In another era it is another server.
  expect((await toolwire('servers', 'add', 'x', '--era', 'legacy')).out).toMatch(/^\S+ {2}x-2\n$/);
});

test('a server can be added under a name of its own', async () => {
  const dir = dataDirWith();
  const add = (text: string) => runCli(['servers', 'add', text, '--name', 'lab', '--data-dir', dir]);
  const { out } = await add('node server.js');
  expect(out).toMatch(/^\S+ {2}lab\n$/);
  expect(await add('node server.js')).toMatchObject({ out: '', err: expect.stringContaining('lab is already added') });
  expect(await add('{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--name needs a text with one server; this one has 2.'),
  });
});

test('import names the line of a fault once, and fails if a server was not read', async () => {
  const dir = dataDirWith();
  const file = join(dir, 'mcp.json');
  const importing = (text: string) => {
    writeFileSync(file, text);
    return runCli(['servers', 'import', file, '--data-dir', dir]);
  };
  const err = 'toolwire: line 2: A } is missing.\n';
  expect(await importing('{"mcpServers": {\n"a": {"command": "x"')).toEqual({ code: 1, out: '', err });
  const half = await importing('{"mcpServers": {\n"a": {"command": "x"},\n"b": {}}}');
  expect(half).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^toolwire: line 3: "b" was not read\./) as string,
  });
  expect(half.out).toMatch(/^\S+ {2}a\n$/);
});
