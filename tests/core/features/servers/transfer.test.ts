/** Servers from a configuration file and back into one, and the variables in their texts. */
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';

import type { ExportFormat, ServerExport } from '../../../../src-core/contract/types.ts';
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

it('keeps what it read with the secrets, and deletes it with the server', async () => {
  const [id = ''] = await add(
    JSON.stringify({ mcpServers: { a: { command: 'node', args: [], plugin: { key: 'hunter2' } } } }),
    'mcp.json',
  );
  expect(holdersOf('hunter2')).toEqual([join(dataDir, 'secrets.json')]);
  await api().remove({ id });
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
});

it('names a variable without a value, and starts nothing', async () => {
  const [id = ''] = await add(
    JSON.stringify({ mcpServers: { e: { command: 'node', args: ['${env:TOOLWIRE_NOT_SET}', '${input:x}'] } } }),
    '.cursor/mcp.json',
  );
  const words = '"e" needs a value for ${env:TOOLWIRE_NOT_SET}, ${input:x}.';
  await expect(Promise.resolve().then(() => api().consent({ id }))).rejects.toThrow(words);
  await expect(Promise.resolve().then(() => api().start({ id }))).rejects.toThrow(words);
  expect((await api().list(undefined))[0]?.state).toBe('stopped');
});

it('refuses to write a server that does not exist', async () => {
  await expect(Promise.resolve().then(() => write(['none'], 'cursor'))).rejects.toThrow('no such server');
});
