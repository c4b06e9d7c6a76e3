/** The era of a server: what the user sets, what is remembered of it, and what a file says. */
import { beforeEach, expect, it } from 'vitest';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { rawServer } from '../../mcp/connectedServer.ts';
import { serveModern } from '../../mcp/modernServer.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { runCli } from '../../cli/cliProcess.ts';
import { addServer, nodeServer, onlyServer, untilState } from './support.ts';

let workbench: Workbench;
beforeEach(async () => {
  workbench = await openWorkbench({ shell: 'browser' });
});
const api = (): Workbench['services']['servers'] => workbench.services.servers;
const silent = nodeServer('mute', rawServer('silent').args);
async function sent(id: string): Promise<(string | undefined)[]> {
  const { rows } = await workbench.services.frames.page({ source: 'mcp', connection: id, limit: 1_000 });
  return rows.filter(({ role }) => role === 'request').map(({ method }) => method);
}

it('legacy: sends no probe, and a change of the era asks for no approval', async () => {
  const id = await addServer(workbench, { ...silent, era: 'legacy' });
  expect((await untilState(workbench, 'ready')).era).toBe('legacy');
  expect(await sent(id)).not.toContain('server/discover');
  expect((await api().detail({ id })).config.era).toBe('legacy');
  await api().change({ id, config: nodeServer('mute', rawServer().args) });
  expect((await api().detail({ id })).config.era).toBeUndefined();
  await api().change({ id, config: silent });
  await api().change({ id, config: { ...silent, era: 'legacy' } });
  await untilState(workbench, 'ready');
});

it('modern: does not fall back to a legacy server', async () => {
  const id = await addServer(workbench, { ...nodeServer('old', rawServer().args), era: 'modern' });
  await untilState(workbench, 'failing');
  expect(await sent(id)).not.toContain('initialize');
  await api().remove({ id });
  const { url } = await serveModern(({ method }) =>
    method === 'tools/list' ? { tools: [], ttlMs: 0, cacheScope: 'private' } : undefined,
  );
  await addServer(workbench, { name: 'new', type: 'http', url, headers: [], era: 'modern' });
  expect((await untilState(workbench, 'ready')).era).toBe('modern');
});

it('forgets that a server did not answer the probe', async () => {
  const id = await addServer(workbench, silent);
  await untilState(workbench, 'ready');
  expect((await api().detail({ id })).silentUntil).toBeGreaterThan(Date.now());
  await api().change({ id, config: nodeServer('mute', [...rawServer('silent').args, 'other']) });
  expect((await api().detail({ id })).silentUntil).toBeUndefined();
  await api().change({ id, config: silent });
  expect((await api().detail({ id })).silentUntil).toBeGreaterThan(Date.now());
  await api().forgetSilence({ id });
  expect((await api().detail({ id })).silentUntil).toBeUndefined();
  await api().start({ id });
  await untilState(workbench, 'ready');
  expect((await sent(id)).filter((method) => method === 'server/discover')).toHaveLength(2);
});

it('reads the era of a file and writes it, and leaves a value that it does not know', async () => {
  const entry = { command: 'node', note: 'kept' };
  const mcpServers = {
    a: { ...entry, protocolEra: 'legacy' },
    b: { ...entry, protocolEra: 'auto' },
    c: { ...entry, protocolEra: 'of another program' },
    d: entry,
  };
  const text = JSON.stringify({ mcpServers });
  const { ids } = await api().import({ text, fileName: '.cursor/mcp.json', names: ['a', 'b', 'c', 'd'] });
  const written = async (): Promise<unknown> =>
    (JSON.parse((await api().export({ ids, format: 'cursor' })).text) as { mcpServers: unknown }).mcpServers;
  expect(await written()).toEqual(mcpServers);
  const eraOf = async (id: string) => (await api().detail({ id })).config.era;
  expect(await Promise.all(ids.map(eraOf))).toEqual(['legacy', undefined, undefined, undefined]);
  const [a, , , d] = ids as [string, string, string, string];
  const { config } = await api().detail({ id: d });
  await api().change({ id: a, config: { ...config, name: 'a' } });
  await api().change({ id: d, config: { ...config, era: 'modern' } });
  expect(await written()).toEqual({
    ...mcpServers,
    a: { ...entry, protocolEra: 'auto' },
    d: { ...entry, protocolEra: 'modern' },
  });
});

it('says that server.json has no place for the era', async () => {
  const args = ['-y', '@example/server@1.0.0'];
  const { id } = await api().add({ name: 'a', type: 'stdio', command: 'npx', args, env: [], era: 'legacy' });
  const { text, problems } = await api().export({ ids: [id], format: 'server-json' });
  expect(text).toContain('@example/server');
  expect(problems.map(({ message }) => message.params?.['field'])).toEqual(['protocolEra']);
});

it('servers add takes an era, and refuses another word', async () => {
  const dataDir = dataFolder();
  const add = (era: string) => runCli(['servers', 'add', 'node server.js', '--era', era, '--data-dir', dataDir]);
  expect((await add('old')).err).toContain('--era must be one of auto, legacy, modern; it is "old".');
  expect((await add('legacy')).code).toBe(0);
  workbench = await openWorkbench({ dataDir });
  const { id } = await onlyServer(workbench);
  expect((await api().detail({ id })).config.era).toBe('legacy');
});

it('servers import takes the era auto in the place of the one in the text', async () => {
  const dataDir = dataFolder();
  const text = JSON.stringify({ mcpServers: { a: { command: 'node', protocolEra: 'legacy' } } });
  const imported = await runCli(['servers', 'import', '-', '--era', 'auto', '--data-dir', dataDir], text);
  expect(imported.code).toBe(0);
  workbench = await openWorkbench({ dataDir });
  const { id } = await onlyServer(workbench);
  expect((await api().detail({ id })).config.era).toBeUndefined();
});
