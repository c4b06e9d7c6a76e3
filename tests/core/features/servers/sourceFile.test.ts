/** The file that an MCP server was imported from: a change is asked about at the next start, and nothing starts by itself. */
import { rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';

import type { ServerRow } from '../../../../src-core/contract/types.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { approve, everything, onlyServer, untilState } from './support.ts';

let dataDir: string;
let path: string;
let workbench: Workbench;
beforeEach(async () => {
  dataDir = dataFolder();
  path = join(dataFolder(), 'mcp.json');
  workbench = await openWorkbench({ dataDir });
});
const api = (): Workbench['services']['servers'] => workbench.services.servers;
const state = async (): Promise<ServerRow['state']> => (await onlyServer(workbench)).state;

function writeEntry(args: string[], more: object = {}): string {
  const text = JSON.stringify({
    mcpServers: { e: { command: process.execPath, args, ...more }, other: { command: 'x' } },
  });
  writeFileSync(path, text);
  return text;
}
async function importIt(args = [everything, 'stdio'], more: object = {}): Promise<string> {
  const text = writeEntry(args, more);
  const { ids } = await api().import({ text, fileName: 'mcp.json', path, names: ['e'] });
  return ids[0] ?? '';
}
async function stopAndReopen(id: string): Promise<void> {
  await api().stop({ id });
  await workbench.close();
  workbench = await openWorkbench({ dataDir });
}

it('asks at the next start if the file has changed while Toolwire was closed, and takes the change over', async () => {
  const id = await importIt([everything, 'stdio'], { env: { TOKEN: 'hunter1', MODE: 'a' } });
  await approve(workbench, id);
  await untilState(workbench, 'ready');
  await stopAndReopen(id);
  await api().start({ id });
  await untilState(workbench, 'ready');
  await stopAndReopen(id);

  writeEntry([everything, 'stdio', '--more'], { env: { TOKEN: 'hunter2', EXTRA: 'b' }, cwd: dataDir });
  expect(await state()).toBe('stopped');
  expect((await api().detail({ id })).file).toEqual({ path, changed: true });
  expect(await state()).toBe('stopped');
  await api().start({ id });
  expect(await state()).toBe('asking');
  const { fileChange, fingerprint } = await api().consent({ id });
  expect(fileChange).toEqual({
    path,
    hash: expect.stringMatching(/^[\da-f]{64}$/) as string,
    fields: [
      { field: 'command', before: expect.any(String) as string, after: expect.stringContaining('--more') as string },
      { field: 'cwd', before: homedir(), after: dataDir },
      { field: 'env', before: 'MODE, TOKEN', after: 'EXTRA, TOKEN' },
    ],
    values: ['TOKEN'],
  });
  expect(JSON.stringify(fileChange)).not.toContain('hunter');
  // The old configuration cannot be approved past the question.
  await expect(Promise.resolve().then(() => api().approve({ id, fingerprint, always: true }))).rejects.toThrow(
    'has changed',
  );
  await api().settleFile({ id, hash: fileChange!.hash, take: true });
  expect(await state()).toBe('asking');
  const sheet = await api().consent({ id });
  expect(sheet.fileChange).toBeUndefined();
  expect(sheet.changes.map(({ field }) => field)).toEqual(['command', 'cwd', 'env']);
  await approve(workbench, id);
  await untilState(workbench, 'ready');
  expect((await api().detail({ id })).config).toMatchObject({ args: [everything, 'stdio', '--more'], cwd: dataDir });
});

it('takes the era of the file only if it has changed there', async () => {
  const id = await importIt(undefined, { protocolEra: 'legacy' });
  const era = async () => (await api().detail({ id })).config.era;
  const taken = async (more: object): Promise<unknown> => {
    writeEntry([everything, 'stdio'], more);
    await api().start({ id });
    const { fileChange } = await api().consent({ id });
    await api().settleFile({ id, hash: fileChange!.hash, take: true });
    return fileChange!.fields;
  };
  expect(await taken({ protocolEra: 'modern' })).toEqual([{ field: 'era', before: 'legacy', after: 'modern' }]);
  expect(await era()).toBe('modern');
  await taken({});
  expect(await era()).toBeUndefined();
  await api().change({ id, config: { ...(await api().detail({ id })).config, era: 'legacy' } });
  await taken({ cwd: dataDir });
  expect(await era()).toBe('legacy');
  await taken({ protocolEra: 'modern', cwd: dataDir });
  expect(await era()).toBe('modern');
  await api().change({ id, config: { ...(await api().detail({ id })).config, era: 'legacy' } });
  // The sheet does not show the era.
  expect(await taken({ protocolEra: 'modern', cwd: homedir() })).toEqual([
    { field: 'cwd', before: dataDir, after: homedir() },
  ]);
  expect(await era()).toBe('legacy');
});

it('keeps the own configuration, and asks only about the next change', async () => {
  const id = await importIt();
  await approve(workbench, id);
  await untilState(workbench, 'ready');
  await api().stop({ id });
  writeEntry(['elsewhere']);
  await api().start({ id });
  const { fileChange } = await api().consent({ id });
  await api().settleFile({ id, hash: fileChange!.hash, take: false });
  await untilState(workbench, 'ready');
  await api().stop({ id });
  await api().start({ id });
  await untilState(workbench, 'ready');
  await api().stop({ id });
  writeEntry(['elsewhere', 'still']);
  await api().start({ id });
  expect(await state()).toBe('asking');
  await expect(
    Promise.resolve().then(() => api().settleFile({ id, hash: fileChange!.hash, take: true })),
  ).rejects.toThrow('has changed');
});

it('takes other fields, other servers, and a file that is gone for no change', async () => {
  const id = await importIt();
  await approve(workbench, id);
  await untilState(workbench, 'ready');
  await api().stop({ id });
  writeEntry([everything, 'stdio'], { disabled: true, note: 'x' });
  expect((await api().detail({ id })).file).toEqual({ path, changed: false });
  writeFileSync(path, '{ "mcpServers": {');
  await api().start({ id });
  await untilState(workbench, 'ready');
  await api().stop({ id });
  rmSync(path);
  await api().start({ id });
  await untilState(workbench, 'ready');
});

it('watches nothing if the path is unknown, and refuses a path that is not absolute', async () => {
  const text = writeEntry([everything, 'stdio']);
  await expect(Promise.resolve().then(() => api().import({ text, names: ['e'], path: 'mcp.json' }))).rejects.toThrow(
    '"mcp.json" is not an absolute path.',
  );
  const { ids } = await api().import({ text, names: ['e'] });
  writeEntry(['other']);
  expect((await api().detail({ id: ids[0]! })).file).toBeUndefined();
  await approve(workbench, ids[0]!);
  await vi.waitUntil(async () => (await state()) === 'ready');
});
