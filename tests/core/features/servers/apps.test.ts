/** Calls of MCP Apps. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';

import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, nodeServer, untilState } from './support.ts';

it('does not run a call of an App whose tool has changed while the user was asked', async () => {
  const dataDir = dataFolder();
  const file = join(dataDir, 'tools.json');
  const lamp = { name: 'lamp', description: 'Switches the lamp.', inputSchema: { type: 'object' } };
  writeFileSync(file, JSON.stringify([lamp]));
  const workbench = await openWorkbench({ dataDir, shell: 'browser' });
  const fixture = join(process.cwd(), 'tests/fixtures/mcp/definitions.mjs');
  const id = await addServer(workbench, nodeServer('lab', [fixture, file]));
  await untilState(workbench, 'ready');
  const { apps, calls, servers } = workbench.services;
  const call = () => apps.call({ serverId: id, uri: 'ui://lab/lamp', tool: 'lamp', args: {} });
  const allow = async () =>
    apps.decide({ callId: (await vi.waitUntil(() => apps.questions()[0])).callId, allowed: true });

  const changed = call();
  writeFileSync(file, JSON.stringify([{ ...lamp, description: 'Switches all lamps.' }]));
  await Promise.all([servers.reload({ id }), vi.waitUntil(() => apps.questions()[0])]);
  await Promise.all([
    expect(changed).rejects.toThrow('"lamp" is withheld until the user accepts its definition in Servers.'),
    allow(),
  ]);
  expect(await calls.history({ limit: 10 })).toMatchObject([{ result: { error: { code: 'tool-withheld' } } }]);
  await expect(call()).rejects.toThrow('The definition of "lamp" has changed.');

  await servers.acceptDefinitions({ id, tools: await servers.definitionChanges({ id }) });
  const [result] = await Promise.all([call(), allow()]);
  expect(result).toMatchObject({ content: [{ type: 'text', text: 'lamp' }] });
});
