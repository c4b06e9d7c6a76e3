import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test, vi } from 'vitest';

import { environmentOf, findProgram, locateProgram } from '../../../src-core/mcp/findProgram.ts';
import { readLoginPath } from '../../../src-core/mcp/loginPath.ts';
import { callOptions, connect, never, rawServer } from './connectedServer.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'toolwire-program-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A file with this text. */
function script(path: string, text: string): string {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

/** A shell whose profile prints a line and adds a directory to PATH. */
function setShell(directory: string): void {
  const before = process.env['SHELL'];
  onTestFinished(() => {
    if (before === undefined) delete process.env['SHELL'];
    else process.env['SHELL'] = before;
  });
  const text = `#!/bin/sh\necho Welcome\nPATH="$PATH:${directory}"\neval "$2"\n`;
  process.env['SHELL'] = script(join(folder(), 'shell'), text);
}

test('a name is searched in PATH, in its order, and a folder or a file that cannot be run is not a program', () => {
  const [first, second] = [folder(), folder()];
  mkdirSync(join(first, 'server'));
  writeFileSync(join(first, 'plain'), '');
  script(join(second, 'server'), '');
  const env = { PATH: `${first}:${second}` };
  expect(findProgram({ type: 'stdio', command: 'server', args: [], env })).toEqual({ path: join(second, 'server') });
  expect(findProgram({ type: 'stdio', command: 'plain', args: [], env })).toEqual({ searched: [first, second] });
});

test('a path is relative to the folder of the server', () => {
  const cwd = folder();
  script(join(cwd, 'server'), '');
  const endpoint = { type: 'stdio' as const, args: [], env: {}, cwd };
  expect(findProgram({ ...endpoint, command: './server' })).toEqual({ path: join(cwd, 'server') });
  expect(findProgram({ ...endpoint, command: './other' })).toEqual({ searched: [join(cwd, 'other')] });
});

test('a program in the folder of the server does not replace the one of PATH if PATH has an empty entry', async () => {
  const cwd = folder();
  script(join(cwd, 'node-of-path'), '#!/bin/sh\nexit 7\n');
  const tools = folder();
  symlinkSync(process.execPath, join(tools, 'node-of-path'));
  const endpoint = { ...rawServer(), command: 'node-of-path', env: { PATH: `:${tools}` }, cwd };
  const path = join(tools, 'node-of-path');
  expect(await locateProgram(endpoint)).toEqual({ endpoint: { ...endpoint, command: path }, program: { path } });
  const connection = await connect(endpoint);
  expect((await connection.listTools(never)).tools).toHaveLength(1);
});

/** The variables that a program on Windows receives of ours. */
const windowsVariables = [
  'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES',
  'PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE WINDIR',
].flatMap((line) => line.split(' '));

test('on Windows a program receives the listed variables and its own only', () => {
  const file = new URL('../../../src-core/mcp/findProgram.ts', import.meta.url).href;
  const code = `Object.defineProperty(process, 'platform', { value: 'win32' });
    const { environmentOf } = await import(${JSON.stringify(file)});
    console.log(JSON.stringify(environmentOf({ TOKEN: 'own', TEMP: 'of its own' })));`;
  const others = ['API_KEY', 'HOME', 'NODE_OPTIONS', 'OPENAI_API_KEY', 'SSH_AUTH_SOCK', 'TOOLWIRE_TEST_SECRET'];
  const names = [...windowsVariables, ...others];
  const env = Object.fromEntries(names.map((name) => [name, name === 'NODE_OPTIONS' ? '--no-warnings' : `of ${name}`]));
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', code], { env, encoding: 'utf8' });
  expect(JSON.parse(printed)).toEqual({
    ...Object.fromEntries(windowsVariables.map((name) => [name, `of ${name}`])),
    TOKEN: 'own',
    TEMP: 'of its own',
  });
});

test.each([
  ['npm', { npm_execpath: '/npm/bin/npm-cli.js', NODE_RUN_SCRIPT_NAME: undefined }],
  ['node --run', { npm_execpath: undefined, NODE_RUN_SCRIPT_NAME: 'start' }],
])('a server does not get what %s has put in front of PATH, also not by the login shell', async (_name, variables) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const own = ['/usr/bin', '/home/ada/node_modules/.bin'];
  const added = ['/toolwire/node_modules/.bin', '/node_modules/.bin', '/npm/lib/node-gyp-bin'];
  vi.stubEnv('PATH', [...added, ...own].join(':'));
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  setShell('/of-the-profile');
  expect(environmentOf({})['PATH']).toBe(own.join(':'));
  expect(await readLoginPath()).toEqual([...own, '/of-the-profile']);
  vi.stubEnv('PATH', added.join(':'));
  expect(environmentOf({})['PATH']).toBe('');
  vi.stubEnv('PATH', [...added, ...own].join(':'));
  for (const name of Object.keys(variables)) vi.stubEnv(name, undefined);
  expect(environmentOf({})['PATH']).toBe([...added, ...own].join(':'));
});

test('a start that is stopped does not wait for the login shell', async () => {
  const shell = script(join(folder(), 'shell'), '#!/bin/sh\nexec sleep 6\n');
  vi.stubEnv('SHELL', shell);
  onTestFinished(() => void vi.unstubAllEnvs());
  const stopping = new AbortController();
  const endpoint = { type: 'stdio' as const, command: 'no-such-program', args: [], env: {} };
  const connecting = connect(endpoint, { signal: stopping.signal });
  stopping.abort();
  const first = Promise.race([connecting, readLoginPath(shell).then(() => 'the shell has ended')]);
  await expect(first).rejects.toMatchObject({ code: 'cancelled' });
});

test('a program that only the login shell knows is found and started with its PATH', async () => {
  const tools = folder();
  symlinkSync(process.execPath, join(tools, 'node-of-the-profile'));
  setShell(tools);
  const endpoint = { ...rawServer(), command: 'node-of-the-profile' };
  expect((await locateProgram(endpoint)).program).toEqual({ path: join(tools, 'node-of-the-profile') });
  const connection = await connect(endpoint);
  const { structuredContent } = await connection.callTool('variables', {}, callOptions());
  expect((structuredContent as { PATH: string }).PATH.split(':')).toContain(tools);
});

test('the directories of the login shell are among those searched', async () => {
  const tools = folder();
  setShell(tools);
  const endpoint = { type: 'stdio' as const, command: 'no-such-mcp', args: [], env: { PATH: '/nowhere' } };
  await expect(connect(endpoint)).rejects.toMatchObject({
    code: 'program-not-found',
    searched: expect.arrayContaining(['/nowhere', tools]) as string[],
  });
});

test('a shell that failed is asked again, and one that has answered is not', async () => {
  const ran = join(folder(), 'ran');
  const text = `#!/bin/sh\n[ -e ${ran} ] && PATH=/tools$(cat ${ran}) && eval "$2"\nr=$?; printf x >> ${ran}; exit $r\n`;
  const shell = script(join(folder(), 'shell'), text);
  expect(await readLoginPath(shell)).toEqual([]);
  expect(await readLoginPath(shell)).toEqual(['/toolsx']);
  expect(await readLoginPath(shell)).toEqual(['/toolsx']);
});

test('a slow shell delays only the first start, and its answer counts from then on', async () => {
  const [ready, runs] = [join(folder(), 'ready'), join(folder(), 'runs')];
  const waits = `echo run >> ${runs}; while [ ! -e ${ready} ]; do sleep 0.05; done; PATH=/late; eval "$2"`;
  const shell = script(join(folder(), 'shell'), `#!/bin/sh\n${waits}\n`);
  expect(await readLoginPath(shell, 50)).toEqual([]);
  expect(await readLoginPath(shell)).toEqual([]);
  writeFileSync(ready, '');
  await expect.poll(() => readLoginPath(shell)).toEqual(['/late']);
  expect(readFileSync(runs, 'utf8')).toBe('run\n');
});

test('a shell that fails adds nothing', async () => {
  expect(await readLoginPath(script(join(folder(), 'shell'), '#!/bin/sh\nexit 1\n'))).toEqual([]);
  expect(await readLoginPath('/no/such/shell')).toEqual([]);
});
