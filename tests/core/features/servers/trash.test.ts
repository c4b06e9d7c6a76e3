/** Removed MCP servers: they are in the trash with all that belongs to them, and come back with it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, everything, nodeServer, untilState } from './support.ts';

let dataDir: string;
let workbench: Workbench;
beforeEach(async () => {
  dataDir = dataFolder();
  workbench = await openWorkbench({ dataDir });
});
const api = (): Workbench['services']['servers'] => workbench.services.servers;
const secrets = (): string => readFileSync(join(dataDir, 'secrets.json'), 'utf8');
const frameCount = async (connection: string): Promise<number> =>
  (await workbench.services.frames.page({ source: 'mcp', connection, limit: 1_000 })).rows.length;

/** A ready server with a secret, and with settings of its own. */
async function addEverything(): Promise<string> {
  const env = [{ name: 'TOKEN', value: 'hunter2-of-the-test' }];
  const id = await addServer(workbench, nodeServer('everything', [everything, 'stdio'], env));
  await untilState(workbench, 'ready');
  await api().setConsumers({ id, consumers: ['chat'] });
  return id;
}

it('comes back with its secrets, approval, settings, definitions and log, also after a restart', async () => {
  const id = await addEverything();
  const [before] = await api().list(undefined);
  const { pid } = await api().detail({ id });
  const frames = await frameCount(id);
  await api().remove({ id });
  expect(await api().list(undefined)).toEqual([]);
  expect(() => process.kill(pid ?? 0, 0)).toThrow();
  expect(workbench.toolRegistryManager.getTool(before!.registryId)).toBeUndefined();
  await expect(Promise.resolve().then(() => api().start({ id }))).rejects.toThrow('This server no longer exists');

  await workbench.close();
  workbench = await openWorkbench({ dataDir });
  expect(await api().list(undefined)).toEqual([]);
  const thing = workbench.services.removed.list().find(({ of }) => of === id);
  expect(thing).toMatchObject({ kind: 'server', name: 'everything' });
  await workbench.services.removed.restore({ id: thing!.id });
  expect(await api().list(undefined)).toMatchObject([
    { id, name: 'everything', state: 'stopped', registryId: before!.registryId, consumers: ['chat'] },
  ]);
  expect(await frameCount(id)).toBeGreaterThanOrEqual(frames);
  await api().start({ id });
  expect((await untilState(workbench, 'ready')).changedTools).toBe(0);
});

it('cannot be started while it is removed', async () => {
  const id = await addEverything();
  await untilState(workbench, 'ready');
  const { pid } = await api().detail({ id });
  const removing = api().remove({ id });
  await expect(Promise.resolve().then(() => api().start({ id }))).rejects.toThrow('This server no longer exists');
  expect(await api().list(undefined)).toEqual([]);
  await removing;
  expect(() => process.kill(pid ?? 0, 0)).toThrow();
});

it('is deleted with its secrets when the trash is emptied', async () => {
  const id = await addEverything();
  expect(secrets()).toContain('hunter2-of-the-test');
  await api().remove({ id });
  expect(secrets()).toContain('hunter2-of-the-test');
  await workbench.services.removed.discard({});
  expect(secrets()).not.toContain(id);
  expect(workbench.services.removed.list()).toEqual([]);
  await workbench.close();
  workbench = await openWorkbench({ dataDir });
  expect(await api().list(undefined)).toEqual([]);
});

it('gets another name and another id in the registry if a new server has taken its own', async () => {
  const { id } = await api().add(nodeServer('one', []));
  await api().remove({ id });
  await api().add(nodeServer('one', []));
  const [thing] = workbench.services.removed.list();
  await workbench.services.removed.restore({ id: thing!.id });
  const rows = await api().list(undefined);
  expect(rows.map(({ registryId }) => registryId).sort()).toEqual(['mcp-one', 'mcp-one-2']);
  expect(rows.find((row) => row.id === id)?.name).toBe('one-2');
});

it('is not restored if there are 200 servers already', async () => {
  const { id } = await api().add(nodeServer('one', []));
  await api().remove({ id });
  const text = JSON.stringify({
    mcpServers: Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`s${at}`, { command: 'x' }])),
  });
  await api().import({ text, names: Array.from({ length: 200 }, (_, at) => `s${at}`) });
  const [thing] = workbench.services.removed.list();
  await expect(workbench.services.removed.restore({ id: thing!.id })).rejects.toThrow('There are 200 servers already.');
  expect(workbench.services.removed.list()).toHaveLength(1);
});
