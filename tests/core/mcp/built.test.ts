/** `toolwire/mcp` as another project gets it: the packed files, and the packages that package.json names. `npm test` builds first. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { strictTsc } from '../../helpers/strictTsc.ts';

const dir = mkdtempSync(join(tmpdir(), 'toolwire-consumer-'));
const installed = join(dir, 'node_modules', 'toolwire');
const everything = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');

function run(program: string, args: string[], input = '') {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: dir, input });
  return { status, stdout, stderr };
}

function runFile(name: string, code: string, input?: string) {
  writeFileSync(join(dir, name), code);
  return run(process.execPath, [name], input);
}

beforeAll(() => {
  const packed = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', dir, resolve('.')]);
  expect(packed).toMatchObject({ status: 0 });
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  mkdirSync(installed, { recursive: true });
  expect(run('tar', ['-xzf', filename, '--strip-components=1', '-C', installed])).toMatchObject({ status: 0 });
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of [...Object.keys(dependencies), '@types/node']) {
    mkdirSync(dirname(join(dir, 'node_modules', name)), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(dir, 'node_modules', name));
  }
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
}, 120_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('the example of docs/mcp-library.md calls a tool of a server and serves it', () => {
  const [, code = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync('docs/mcp-library.md', 'utf8')) ?? [];
  const local = code
    .replace("'npx'", 'process.execPath')
    .replace("'-y', '@modelcontextprotocol/server-everything@2026.8.31'", JSON.stringify(everything));
  expect(local).not.toBe(code);
  const { status, stdout, stderr } = runFile('example.mjs', local);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^Echo: hello\nhttp:\/\/127\.0\.0\.1:\d+\/mcp [\w-]{43}\n$/);
});

test('a supervised server uses what another program serves, over HTTP with the token and without', () => {
  const { status, stdout, stderr } = runFile(
    'http.mjs',
    `import { createToolRegistryManager, defineToolRegistry, executeSingleRequest, serveToolsOverHttp, superviseServer } from 'toolwire/mcp';
     const lamps = createToolRegistryManager();
     lamps.register(defineToolRegistry({
       id: 'lamp', name: 'Lamp', source: { kind: 'module', id: 'lamp', label: 'Lamp' },
       methods: [{ name: 'set', description: 'Sets it.', agentCallable: true,
         inputSchema: { type: 'object', properties: { level: { type: 'integer' } } }, handler: ({ level }) => 'level ' + level }],
     }));
     const { url, token, close } = await serveToolsOverHttp({ toolRegistryManager: lamps });
     const toolRegistryManager = createToolRegistryManager();
     const frames = [];
     const at = (id, headers) => superviseServer({ id, endpoint: { type: 'http', url, headers }, toolRegistryManager, onFrame: (frame) => frames.push(frame) });
     const server = at('there', { Authorization: 'Bearer ' + token });
     server.start();
     await server.whenReady();
     const call = { toolName: 'there_' + server.tools[0].name, args: { level: 5 } };
     console.log((await executeSingleRequest(call, { toolRegistryManager, caller: 'user' })).result);
     console.log(server.state, server.connection.era, frames.length > 0, JSON.stringify(frames).includes(token));
     await server.stop();
     console.log(server.state, toolRegistryManager.getAllTools().length);
     const stranger = at('stranger', {});
     stranger.start();
     console.log(await stranger.whenReady().catch((error) => error.message), stranger.retryAt);
     await stranger.stop();
     console.log(await server.whenReady().catch((error) => error.message));
     await close();`,
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const lines = stdout.trim().split('\n');
  expect(lines.slice(0, 3)).toEqual(['level 5', 'ready modern true false', 'stopped 0']);
  expect(lines[3]).toMatch(/sign.*undefined$/i);
  expect(lines[4]).toBe('"there" is stopped.');
});

test('over standard output there are messages only, until the input ends', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const { status, stdout, stderr } = runFile(
    'stdio.mjs',
    `import { createToolRegistryManager, serveToolsOverStdio } from 'toolwire/mcp';
     await serveToolsOverStdio({ toolRegistryManager: createToolRegistryManager() });
     console.error('ended');`,
    `${JSON.stringify(initialize)}\nnot json\n`,
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'ended\n' });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(answers.find(({ id }) => id === null)).toMatchObject({ error: { code: -32_700 } });
});

test('what is wrong is named', () => {
  const { stdout } = runFile(
    'wrong.mjs',
    `import { createToolRegistryManager, serveToolsOverHttp, superviseServer } from 'toolwire/mcp';
     const toolRegistryManager = createToolRegistryManager();
     const endpoint = { type: 'stdio', command: 'no-such-program', args: [], env: {} };
     try { superviseServer({ id: 'a b', endpoint, toolRegistryManager }); } catch (error) { console.log(error.message); }
     console.log(await serveToolsOverHttp({ toolRegistryManager, token: 'short' }).catch((error) => error.message));
     const missing = superviseServer({ id: 'missing', endpoint, toolRegistryManager });
     missing.start();
     console.log(await missing.whenReady().catch((error) => error.message));
     console.log(missing.state, missing.retryAt);
     const late = superviseServer({ id: 'late', endpoint: { ...endpoint, command: process.execPath, args: ['-e', 'setInterval(() => {}, 1e3)'] }, toolRegistryManager });
     late.start();
     const ended = new AbortController();
     const ready = late.whenReady(ended.signal).catch((error) => error.message);
     ended.abort(new Error('no longer'));
     console.log(await ready);
     await late.stop();
     await missing.stop();`,
  );
  expect(stdout.trim().split('\n')).toEqual([
    'id: "a b" is not 1 to 64 letters, digits and hyphens.',
    'token: It has fewer than 16 characters. Leave it out for a random one.',
    expect.stringContaining('no-such-program'),
    'failing undefined',
    'no longer',
  ]);
});

test('there are types, and the package has what the conformance suite needs', { timeout: 120_000 }, () => {
  writeFileSync(
    join(dir, 'use.ts'),
    `import { createToolRegistryManager, McpError, serveToolsOverHttp, superviseServer, type SupervisedServer } from 'toolwire/mcp';
     const toolRegistryManager = createToolRegistryManager();
     const server: SupervisedServer = superviseServer({
       id: 'x', endpoint: { type: 'http', url: 'http://127.0.0.1:1/mcp', headers: {} }, toolRegistryManager,
       handlers: { elicit: async ({ message }) => ({ action: message === '' ? 'cancel' : 'decline' }) },
     });
     export const state: 'ready' | undefined = server.state === 'ready' ? server.state : undefined;
     export const url: Promise<string> = serveToolsOverHttp({ toolRegistryManager }).then((served) => served.url);
     export const code: McpError['code'] = 'timeout';\n`,
  );
  writeFileSync(
    join(dir, 'bad.ts'),
    `import { superviseServer } from 'toolwire/mcp';
     export const server = superviseServer({ id: 'x', endpoint: { type: 'carrier pigeon' } });\n`,
  );
  // Only the wrong file has an error.
  const { stdout } = run(process.execPath, [...strictTsc, 'use.ts', 'bad.ts']);
  expect(stdout).toContain('carrier pigeon');
  expect(stdout.match(/^\S.*/gm)?.filter((line) => !line.startsWith('bad.ts('))).toEqual([]);
  for (const file of ['conformance/index.js', 'requirements/2025-11-25.yaml', 'requirements/2026-07-28.yaml'])
    expect(existsSync(join(installed, 'dist', file)), file).toBe(true);
});
