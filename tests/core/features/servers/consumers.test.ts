/** Who is offered the tools of an MCP server, and who may call them. */
import { beforeEach, expect, it } from 'vitest';

import { toolConsumers, type ToolConsumer } from '../../../../src-core/base/toolTypes.ts';
import { executeSingleRequest } from '../../../../src-core/engine/executor.ts';
import type { ToolExecutionResult } from '../../../../src-core/base/calls.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, approve, everything, nodeServer, untilState } from './support.ts';

let dataDir: string;
let workbench: Workbench;
let id: string;
beforeEach(async () => {
  dataDir = dataFolder();
  workbench = await openWorkbench({ dataDir, shell: 'browser' });
  id = await addServer(workbench, nodeServer('everything', [everything]));
  await untilState(workbench, 'ready');
});

const offer = (consumers: ToolConsumer[]) => workbench.services.servers.setConsumers({ id, consumers });
const call = (consumer: ToolConsumer | undefined): Promise<ToolExecutionResult> =>
  executeSingleRequest(
    { toolName: 'mcp-everything', command: 'echo', args: { message: 'hello' } },
    { toolRegistryManager: workbench.toolRegistryManager, caller: consumer === 'host' ? 'mcp' : 'model', consumer },
  );
const offeredToChat = async (): Promise<boolean> => {
  const { tools } = await workbench.services.tools.prompt({ protocol: 'native' });
  return tools.some(({ name }) => name.includes('echo'));
};
const inPrompt = async (): Promise<boolean> =>
  (await workbench.services.tools.prompt({ protocol: 'vcp' })).text.includes('Echoes back the input');
const offeredToHosts = (): boolean =>
  workbench.services.hosts.tools({ scope: 'all' }).some(({ qualifiedName }) => qualifiedName.endsWith('_echo'));
const offeredToDevices = (): boolean => workbench.services.endpoint.tools().some(({ name }) => name.includes('echo'));

it('offers the tools of a new server to no consumer, and lets the user call them', async () => {
  expect((await workbench.services.servers.detail({ id })).consumers).toEqual([]);
  expect([await offeredToChat(), await inPrompt(), offeredToHosts(), offeredToDevices()]).toEqual([
    false,
    false,
    false,
    false,
  ]);
  for (const consumer of [...toolConsumers, undefined]) {
    expect(await call(consumer)).toMatchObject({ status: 'error', error: { code: 'not-agent-callable' } });
  }
  const byHand = await executeSingleRequest(
    { toolName: 'mcp-everything', command: 'echo', args: { message: 'hello' } },
    { toolRegistryManager: workbench.toolRegistryManager, caller: 'user' },
  );
  expect(byHand).toMatchObject({ status: 'success', result: 'Echo: hello' });
});

it.each(toolConsumers)('offers them to the one consumer that is chosen: %s', async (consumer) => {
  await offer([consumer]);
  expect(await offeredToChat()).toBe(consumer === 'chat');
  expect(await inPrompt()).toBe(consumer === 'chat');
  expect(offeredToHosts()).toBe(consumer === 'host');
  expect(offeredToDevices()).toBe(consumer === 'device');
  for (const each of [...toolConsumers, undefined]) {
    const expected = each === consumer ? { status: 'success' } : { error: { code: 'not-agent-callable' } };
    expect(await call(each)).toMatchObject(expected);
  }
});

it('keeps the choice after a restart, and withdraws the tools at once', async () => {
  await offer(['chat', 'host']);
  await workbench.close();
  workbench = await openWorkbench({ dataDir, shell: 'browser' });
  await approve(workbench, id);
  await untilState(workbench, 'ready');
  expect(offeredToHosts()).toBe(true);
  await offer(['chat']);
  expect(offeredToHosts()).toBe(false);
  expect(await offeredToChat()).toBe(true);
  expect(await call('host')).toMatchObject({
    error: {
      code: 'not-agent-callable',
      message: '"mcp-everything_echo" is not offered to this caller. Offer it in Servers, or call it by hand.',
    },
  });
});
