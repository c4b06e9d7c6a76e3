/** Who is offered the tools of an MCP server, and who may call them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { toolConsumers, type ToolConsumer } from '../../../../src-core/base/toolTypes.ts';
import { executeSingleRequest } from '../../../../src-core/engine/executor.ts';
import type { ToolExecutionResult } from '../../../../src-core/base/calls.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { startEndpointBroker } from '../../../fakes/endpointBroker.ts';
import { runCli } from '../../cli/cliProcess.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { connectClient } from '../gateway/support/testClient.ts';
import { ask } from '../gateway/support/wording.ts';
import { connectHost } from '../hosts/connectHost.ts';
import { ended, hastyClock, say, setScript, updatesOnce } from '../realtime/support.ts';
import { addServer, approve, everything, nodeServer, onlyServer, untilState } from './support.ts';

let dataDir: string;
let workbench: Workbench;
let id: string;
beforeEach(async () => {
  dataDir = dataFolder();
  workbench = await openWorkbench({ dataDir, shell: 'browser', realtime: { paceMs: 0, playClock: hastyClock() } });
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
  expect((await onlyServer(workbench)).consumers).toEqual([]);
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

it('asks first if the name of a tool holds a dangerous word or is on the list of the user, whatever the server says', async () => {
  const file = join(dataFolder(), 'tools.json');
  const annotations = { readOnlyHint: true, destructiveHint: false };
  const long = `delete_file_${'x'.repeat(300)}`;
  const named = (name: string) => ({ name, inputSchema: { type: 'object' }, annotations });
  writeFileSync(file, JSON.stringify(['delete_file', long, 'list_files', 'paint'].map(named)));
  const fixture = join(process.cwd(), 'tests/fixtures/mcp/definitions.mjs');
  await addServer(workbench, nodeServer('lab', [fixture, file]));
  await vi.waitUntil(() => workbench.toolRegistryManager.getTool('mcp-lab'));
  const { calls, settings } = workbench.services;
  let made = 0;
  const run = async (name: string) => {
    const callId = `c${(made += 1)}`;
    const call = { callId, toolName: `mcp-lab_${name}`, argsJson: '{}', origin: 'executor' as const };
    const { status, error } = await calls.execute(call);
    return error?.code ?? status;
  };
  expect([await run('delete_file'), await run(long)]).toEqual(['confirmation-required', 'confirmation-required']);
  expect([await run('list_files'), await run('paint')]).toEqual(['success', 'success']);
  await settings.set({ dangerousTools: ['mcp-lab_pa*'] });
  expect(await run('paint')).toBe('confirmation-required');
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
      message: '"mcp-everything_echo" is not offered to this caller. Offer it in Servers, or call it yourself.',
    },
  });
});

const toolName = 'mcp-everything_echo';
/** The scripted model calls the tool `echo` with this message, once. */
async function letModelSay(message: string): Promise<void> {
  const script = {
    turns: [
      { text: '', toolCalls: [{ name: toolName, arguments: { message } }] },
      { text: 'Done.', toolCalls: [] },
    ],
  };
  await workbench.services.models.save({ kind: 'scripted', id: 'scripted', label: 'Scripted model', script });
}

/** How each caller runs the tool `echo`: with its own name as the message. */
const ways: Record<string, () => Promise<unknown>> = {
  executor: () =>
    workbench.services.calls.execute({
      toolName,
      callId: 'by-hand',
      argsJson: '{"message":"executor"}',
      origin: 'executor',
    }),
  async chat() {
    const { chat } = workbench.services;
    await letModelSay('chat');
    const { id: sessionId } = chat.create({ options: { protocol: 'native', mode: 'auto' } });
    chat.send({ sessionId, text: 'Say it.' });
    await vi.waitUntil(() => !chat.get({ sessionId, limit: 1 }).session.running);
  },
  async gateway() {
    const { gateway } = workbench.services;
    await letModelSay('gateway');
    await gateway.configure({ settings: { port: 0, offerOtherTools: true }, modelId: 'scripted' });
    const { urls } = await gateway.setEnabled({ enabled: true });
    const client = await connectClient(urls[0]!);
    await client.connected();
    client.send(ask('Say it.'));
    await client.upTo('idle');
  },
  async realtime() {
    const calls = [{ name: toolName, arguments: '{"message":"realtime"}' }];
    await setScript(workbench, { turns: [{ heard: 'Say it.', calls, then: 'Done.' }] });
    const { sessionId } = await workbench.services.realtime.open({});
    await say(workbench, sessionId);
    await updatesOnce(workbench, sessionId, ended(2));
  },
  async device() {
    const { endpoint } = workbench.services;
    const broker = await startEndpointBroker();
    onTestFinished(broker.close);
    const chosen = { all: true, sources: [], tools: [] };
    await endpoint.add({ url: broker.toolUrl('agent'), label: 'Agent', chosen, enabled: true });
    await vi.waitUntil(() => endpoint.list()[0]?.state === 'connected');
    const caller = await broker.call('agent');
    const name = endpoint.tools().find(({ name }) => name.endsWith('_echo'))?.name;
    await caller.request(1, 'tools/call', { name, arguments: { message: 'device' } });
  },
  async host() {
    const client = await connectHost(workbench);
    const name = (await client.listTools()).tools.find((tool) => tool.name.endsWith('_echo'))?.name ?? '';
    await client.callTool({ name, arguments: { message: 'host' } });
  },
  async terminal() {
    await workbench.close();
    await runCli(['call', toolName, '--args', '{"message":"terminal"}', '--data-dir', dataDir]);
    workbench = await openWorkbench({ dataDir, shell: 'browser' });
  },
};

it('runs a tool for each caller, with one entry of the history that names the caller', async () => {
  await offer([...toolConsumers]);
  for (const run of Object.values(ways)) await run();
  const kept = (await workbench.services.calls.history({ limit: 20 })).toReversed();
  expect(kept.map(({ origin, host, result }) => [result?.result, origin, host])).toEqual([
    ['Echo: executor', 'executor', undefined],
    ['Echo: chat', 'model', undefined],
    ['Echo: gateway', 'gateway', undefined],
    ['Echo: realtime', 'realtime', undefined],
    ['Echo: device', 'host', 'Agent'],
    ['Echo: host', 'host', 'My host'],
    ['Echo: terminal', 'cli', undefined],
  ]);
  expect(kept.every(({ qualifiedName }) => qualifiedName === toolName)).toBe(true);
});
