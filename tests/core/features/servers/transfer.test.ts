/** Servers from a configuration file and back into one, and the variables in their texts. */
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import type { ExportFormat, ServerExport, ServerRow } from '../../../../src-core/contract/types.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { approve, everything, untilState } from './support.ts';

let dataDir: string;
let workbench: Workbench;
beforeEach(async () => {
  dataDir = dataFolder();
  workbench = await openWorkbench({ dataDir });
});
const api = (): Workbench['services']['servers'] => workbench.services.servers;

async function add(text: string, fileName: string): Promise<string[]> {
  const { servers } = await api().previewImport({ text, fileName });
  return (await api().import({ text, fileName, names: servers.map(({ name }) => name) })).ids;
}
/** The files of the data folder that contain a text. */
const holdersOf = (text: string): string[] =>
  readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
const write = async (ids: string[], format: ExportFormat): Promise<ServerExport> => api().export({ ids, format });

const cursor = {
  mcpServers: {
    local: {
      command: 'node',
      args: ['server.js', '${userHome}/data'],
      env: { TOKEN: '${env:TOKEN}' },
      cwd: '/tmp',
      colour: 'of another program',
      limits: { calls: 3 },
    },
    web: { url: 'https://example.com/mcp', headers: { 'X-Team': '${env:TEAM}' } },
  },
};

it('keeps how and when each server was added, and asks for no approval again because of it', async () => {
  const added = async (id = ''): Promise<unknown> => (await api().consent({ id })).added;
  const at: unknown = expect.any(Number);
  const text = JSON.stringify({ mcpServers: { a: { command: 'node', args: ['-v'] } } });
  const path = join(dataDir, '.cursor/mcp.json');
  const link = `cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=${btoa('{"command":"node"}')}`;
  const ofFile = { text, fileName: path, path, names: ['a'] };
  const given = [
    [ofFile, { how: 'file', file: path, at }],
    [
      { text, fileName: 'mcp.json', names: ['a'] },
      { how: 'file', file: 'mcp.json', at },
    ],
    [
      { text, names: ['a'] },
      { how: 'text', at },
    ],
    [
      { text: link, names: ['a'] },
      { how: 'link', at },
    ],
    [
      { text: link, names: ['a'], by: 'terminal-add' as const },
      { how: 'terminal-add', at },
    ],
  ] as const;
  for (const [input, expected] of given) {
    const { ids } = await api().import({ ...input, names: [...input.names] });
    expect(await added(ids[0])).toEqual(expected);
  }
  const { id } = await api().add({ name: 'b', type: 'stdio', command: 'node', args: [], env: [] });
  expect(await added(id)).toEqual({ how: 'by-hand', at });

  // A server of a version that did not keep it.
  const { fingerprint } = await api().consent({ id });
  await workbench.close();
  const file = new DatabaseSync(join(dataDir, 'toolwire.db'));
  const row = file.prepare("SELECT value FROM settings WHERE key = 'servers'").get() as { value: string };
  file.prepare("UPDATE settings SET value = ? WHERE key = 'servers'").run(row.value.replaceAll('"added":', '"other":'));
  file.close();
  workbench = await openWorkbench({ dataDir });
  expect(await added((await api().list(undefined))[0]?.id)).toEqual({ how: 'file', file: path });
  expect(await added(id)).toBeUndefined();
  expect((await api().consent({ id })).fingerprint).toBe(fingerprint);
});

it('writes what it read, fields that it does not know included, also after a restart', async () => {
  const ids = await add(JSON.stringify(cursor), 'mcp.json');
  expect(JSON.parse((await write(ids, 'cursor')).text)).toEqual(cursor);
  await workbench.close();
  workbench = await openWorkbench({ dataDir });
  const { text, problems, missing } = await write(ids, 'cursor');
  expect(JSON.parse(text)).toEqual(cursor);
  expect({ problems, missing }).toEqual({ problems: [], missing: [] });
});

it('writes no secret, and names the places to fill in', async () => {
  const text = JSON.stringify({
    mcpServers: { a: { command: 'node', args: [], env: { TOKEN: 'hunter2' }, note: 'x' } },
  });
  const ids = await add(text, 'mcp.json');
  const written = await write(ids, 'claude-code');
  expect(JSON.stringify(written)).not.toContain('hunter2');
  expect(JSON.parse(written.text)).toMatchObject({ mcpServers: { a: { env: { TOKEN: '${TOKEN}' }, note: 'x' } } });
  expect(written.missing).toEqual([{ server: 'a', field: 'env.TOKEN', written: '${TOKEN}' }]);
});

it('writes the changed configuration, and keeps the unknown fields', async () => {
  const [id = ''] = await add(JSON.stringify(cursor), 'mcp.json');
  await api().change({ id, config: { name: 'local', type: 'stdio', command: 'deno', args: [], env: [] } });
  expect(JSON.parse((await write([id], 'cursor')).text)).toEqual({
    mcpServers: { local: { command: 'deno', colour: 'of another program', limits: { calls: 3 } } },
  });
});

it('keeps what it read with the secrets, and deletes it with the server for good', async () => {
  const [id = ''] = await add(
    JSON.stringify({ mcpServers: { a: { command: 'node', args: [], plugin: { key: 'hunter2' } } } }),
    'mcp.json',
  );
  expect(holdersOf('hunter2')).toEqual([join(dataDir, 'secrets.json')]);
  await api().remove({ id });
  await workbench.services.removed.discard({});
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).not.toContain(id);
});

it('replaces variables at a start, and the user is asked about the values', async () => {
  process.env['TOOLWIRE_TEST_MODE'] = 'stdio';
  onTestFinished(() => void delete process.env['TOOLWIRE_TEST_MODE']);
  const args = [everything, '${env:TOOLWIRE_TEST_MODE}', '${userHome}'];
  const [id = ''] = await add(
    JSON.stringify({ mcpServers: { e: { command: process.execPath, args } } }),
    '.cursor/mcp.json',
  );
  const { command } = await api().consent({ id });
  expect(command.map(({ text }) => text)).toEqual([process.execPath, everything, 'stdio', homedir()]);
  await approve(workbench, id);
  expect((await untilState(workbench, 'ready')).counts.tools).toBeGreaterThan(10);
});

it('keeps no value of a variable, and asks again if it changes', async () => {
  process.env['TOOLWIRE_TEST_KEY'] = 'hunter2-of-the-test';
  onTestFinished(() => void delete process.env['TOOLWIRE_TEST_KEY']);
  const args = ['-e', 'setInterval(() => {}, 1e6)', '${env:TOOLWIRE_TEST_KEY}'];
  const [id = ''] = await add(
    JSON.stringify({ mcpServers: { e: { command: process.execPath, args } } }),
    '.cursor/mcp.json',
  );
  await approve(workbench, id);
  await api().stop({ id });
  await workbench.close();
  expect(holdersOf('hunter2-of-the-test')).toEqual([]);
  process.env['TOOLWIRE_TEST_KEY'] = 'another';
  workbench = await openWorkbench({ dataDir });
  await api().start({ id });
  expect((await api().list(undefined))[0]?.state).toBe('asking');
  expect(await api().consent({ id })).toMatchObject({ changes: [], values: ['${env:TOOLWIRE_TEST_KEY}'] });
});

/** Imports one server of Cursor's file. */
const addOne = async (entry: object): Promise<string> =>
  (await add(JSON.stringify({ mcpServers: { e: entry } }), '.cursor/mcp.json'))[0] ?? '';
const setEnv = (name: string, value: string): void => {
  process.env[name] = value;
  onTestFinished(() => void Reflect.deleteProperty(process.env, name));
};
const rowOf = async (id: string): Promise<ServerRow | undefined> =>
  (await api().list(undefined)).find((row) => row.id === id);

it('quotes an argument with spaces or characters of a shell in the preview', async () => {
  const text = JSON.stringify({ mcpServers: { e: { command: 'node', args: ['-e', 'exit("a b");', '--x=1'] } } });
  const { servers } = await api().previewImport({ text });
  expect(servers[0]?.place).toBe(String.raw`node -e "exit(\"a b\");" --x=1`);
});

it('masks secrets in the preview, and has the whole text beside it', async () => {
  const token = 'ghp_0123456789abcdefghij0123456789abcdef';
  const url = 'https://user:s3cretpw@lab.example/mcp?api_key=AKIA0123456789ABCDEF';
  const text = JSON.stringify({ mcpServers: { a: { command: 'x', args: ['--token', token] }, b: { url } } });
  const { servers } = await api().previewImport({ text });
  expect(servers.map(({ place, whole }) => [place, whole])).toEqual([
    ['x --token ***', `x --token ${token}`],
    ['https://***@lab.example/mcp?api_key=***', url],
  ]);
});

it('marks an entry that is disabled in the file', async () => {
  const command = 'node';
  const text = JSON.stringify({ mcpServers: { a: { command, disabled: true }, b: { command, disabled: false } } });
  const { servers } = await api().previewImport({ text });
  expect(servers.map(({ disabled }) => disabled)).toEqual([true, undefined]);
});

it('names the line of a fault in the preview', async () => {
  const { servers, problems } = await api().previewImport({ text: '{"mcpServers": {\n"a": {"command": "x"' });
  expect(servers).toEqual([]);
  expect(problems).toMatchObject([{ level: 'error', message: { text: 'Line 2: A } is missing.' } }]);
});

it('names the variables and headers of a server in the preview, without values, and those that have none', async () => {
  setEnv('TOOLWIRE_TEST_KEY', 'hunter2-of-the-test');
  const env = {
    KEY: '${env:TOOLWIRE_TEST_KEY}',
    LEVEL: '${env:TOOLWIRE_NOT_SET}',
    MODE: '',
    PORT: '${env:NOT_SET:-80}',
  };
  const headers = { Authorization: 'Bearer ${env:TOOLWIRE_NOT_SET}', 'X-Mode': 'plain' };
  const text = JSON.stringify({
    mcpServers: { a: { command: 'node', env }, b: { url: 'https://a.example', headers } },
  });
  const { servers } = await api().previewImport({ text, fileName: '.cursor/mcp.json' });
  expect(servers.map(({ values }) => values)).toEqual([
    [
      { name: 'KEY', missing: false, unset: [] },
      { name: 'LEVEL', missing: true, unset: ['${env:TOOLWIRE_NOT_SET}'] },
      { name: 'MODE', missing: true, unset: [] },
      { name: 'PORT', missing: false, unset: [] },
    ],
    [
      { name: 'Authorization', missing: true, unset: ['${env:TOOLWIRE_NOT_SET}'] },
      { name: 'X-Mode', missing: false, unset: [] },
    ],
  ]);
});

it('masks what a variable or a default put into a command, a program or a URL', async () => {
  setEnv('TOOLWIRE_TEST_KEY', 'hunter2-of-the-test');
  const script =
    'process.stderr.write(process.argv.slice(2) + "\\n"); console.log("oh " + process.argv.slice(2)); process.exitCode = 3';
  const secrets = ['${env:TOOLWIRE_TEST_KEY}', '--x=${env:TOOLWIRE_NOT_SET:-hunter3-default}'];
  const program = await addOne({ command: process.execPath, args: ['-e', script, 'x', ...secrets] });
  const lost = await addOne({ command: '/no/${env:TOOLWIRE_TEST_KEY}', args: [], cwd: '/${env:TOOLWIRE_TEST_KEY}' });
  const web = await addOne({ url: 'http://127.0.0.1:9/${env:TOOLWIRE_TEST_KEY}/mcp' });
  for (const id of [program, lost, web]) {
    await approve(workbench, id, false);
    await vi.waitUntil(async () => (await rowOf(id))?.state === 'failing');
  }
  const seen = await Promise.all(
    [program, lost, web].map(async (id) => [
      await rowOf(id),
      (await api().detail({ id })).steps,
      await api().log({ id }),
      await workbench.services.frames.page({ source: 'mcp', connection: id, limit: 1_000 }),
    ]),
  );
  const text = JSON.stringify(seen);
  expect(text).toContain('oh ***');
  expect(text).toContain('/no/***');
  expect(text).not.toMatch(/hunter/);
});

it('shows the value of a variable before a start unless its name says that it is a secret', async () => {
  setEnv('TOOLWIRE_TEST_KEY', 'hunter2');
  setEnv('TOOLWIRE_TEST_MODE', 'stdio');
  const id = await addOne({ command: 'node', args: ['${env:TOOLWIRE_TEST_MODE}', '${env:TOOLWIRE_TEST_KEY}'] });
  const sheet = await api().consent({ id });
  expect(sheet.command.map(({ text }) => text)).toEqual(['node', 'stdio', '${env:TOOLWIRE_TEST_KEY}']);
});

it('imports a URL that begins with a variable, and says if the value is no URL, without a further attempt', async () => {
  setEnv('TOOLWIRE_TEST_URL', 'ftp://hunter2.example');
  const text = { a: { url: 'https://example.com/mcp' }, b: { url: '${env:TOOLWIRE_TEST_URL}/mcp' } };
  const [, id = ''] = await add(JSON.stringify({ mcpServers: text }), '.cursor/mcp.json');
  await approve(workbench, id);
  await vi.waitUntil(async () => (await rowOf(id))?.state === 'failing');
  const { failure, retryAt } = (await rowOf(id))!;
  expect(failure?.text).toContain('It must begin with one of http://, https://.');
  expect(failure?.text).not.toContain('hunter2');
  expect(retryAt).toBeUndefined();
});

it('asks for the values of inputs and variables, keeps them as secrets, and starts with them', async () => {
  const inputs = [
    { type: 'promptString', id: 'key', description: 'Key of the service', password: true },
    { type: 'pickString', id: 'transport', options: ['stdio', 'sse'], default: 'stdio' },
  ];
  const entry = {
    command: process.execPath,
    args: [everything, '${input:transport}', '${workspaceFolder}', '${env:TOOLWIRE_NOT_SET}'],
    env: { KEY: '${input:key}' },
  };
  const [id = ''] = await add(JSON.stringify({ servers: { e: entry }, inputs }), '.vscode/mcp.json');
  await api().start({ id });
  expect((await rowOf(id))?.state).toBe('asking');
  const { missing, fingerprint } = await api().consent({ id });
  expect(missing).toEqual([
    {
      key: 'input:transport',
      written: '${input:transport}',
      kind: 'input',
      options: ['stdio', 'sse'],
      secret: false,
      from: 'missing',
      value: 'stdio',
    },
    { key: 'workspaceFolder', written: '${workspaceFolder}', kind: 'folder', secret: false, from: 'missing' },
    { key: 'env:TOOLWIRE_NOT_SET', written: '${env:TOOLWIRE_NOT_SET}', kind: 'env', secret: false, from: 'missing' },
    {
      key: 'input:key',
      written: '${input:key}',
      kind: 'input',
      description: 'Key of the service',
      secret: true,
      from: 'missing',
    },
  ]);
  await expect(Promise.resolve().then(() => api().approve({ id, fingerprint, always: true }))).rejects.toThrow(
    '"e" needs a value for ${input:transport}, ${workspaceFolder}, ${env:TOOLWIRE_NOT_SET}, ${input:key}.',
  );
  await expect(
    Promise.resolve().then(() => api().setValues({ id, values: [{ key: 'input:other', value: 'x' }] })),
  ).rejects.toThrow('does not refer to "input:other"');
  const values = [
    { key: 'input:transport', value: 'stdio' },
    { key: 'workspaceFolder', value: dataDir },
    { key: 'env:TOOLWIRE_NOT_SET', value: 'a value' },
    { key: 'input:key', value: 'hunter2-of-the-test' },
  ];
  await api().setValues({ id, values });
  expect(await rowOf(id)).toMatchObject({ state: 'asking' });
  const sheet = await api().consent({ id });
  expect(sheet.missing).toEqual([]);
  expect(sheet.command.map(({ text }) => text)).toEqual([process.execPath, everything, 'stdio', dataDir, '"a value"']);
  await approve(workbench, id);
  await vi.waitUntil(async () => (await rowOf(id))?.state === 'ready');
  expect(holdersOf('hunter2-of-the-test')).toEqual([join(dataDir, 'secrets.json')]);
  expect(JSON.stringify(await api().detail({ id }))).not.toContain('hunter2');
  await workbench.close();
  workbench = await openWorkbench({ dataDir });
  await api().start({ id });
  await vi.waitUntil(async () => (await rowOf(id))?.state === 'ready');
  // A value that is forgotten has to be given again.
  await api().setValues({ id, values: [{ key: 'input:key' }] });
  expect((await rowOf(id))?.state).toBe('asking');
  expect(holdersOf('hunter2-of-the-test')).toEqual([]);
});

it('saves a change whose variables have no value, and asks for them', async () => {
  const id = await addOne({ command: 'node', args: [] });
  await api().change({
    id,
    config: { name: 'e', type: 'stdio', command: 'node', args: ['${env:TOOLWIRE_NOT_SET}'], env: [] },
  });
  expect((await rowOf(id))?.state).toBe('asking');
  expect((await api().consent({ id })).missing).toMatchObject([{ key: 'env:TOOLWIRE_NOT_SET' }]);
});

it('refuses to write a server that does not exist', async () => {
  await expect(Promise.resolve().then(() => write(['none'], 'cursor'))).rejects.toThrow('This server no longer exists');
});
