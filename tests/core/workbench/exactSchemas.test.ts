/** Whole numbers beyond 2^53 in a device's schema and answers, from its socket to a window and back. */
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';

import { listTools } from '../../../src-core/rpc/listTools.ts';
import { createPortClient } from '../../../src-core/rpc/client.ts';
import { portWire } from '../../../src-core/rpc/portWire.ts';
import { defineToolRegistry } from '../../../src-core/registry/defineTool.ts';
import { parseExactly } from '../../../src-core/base/exactNumber.ts';
import type { JsonSchema } from '../../../src-core/base/json.ts';
import type { Workbench } from '../../../src-core/workbench.ts';
import { connectScripted, standardAnswer, type ScriptedDevice } from '../features/devices/support/scriptedDevice.ts';
import { dataFolder, openWorkbench, until } from './openWorkbench.ts';

const big = '9007199254740993';
const near = '9007199254740992';
const inputSchema =
  `{"type":"object","properties":{"id":{"type":"integer","minimum":${big},"maximum":18446744073709551615,"default":${big}},` +
  `"kind":{"enum":[${big},1]}},"required":["id"]}`;
const outputSchema = `{"type":"object","properties":{"id":{"const":${big}}}}`;

/** A board with one such tool, which answers with `structuredContent` of this JSON text. */
async function board(workbench: Workbench, answer: string): Promise<ScriptedDevice> {
  const results: Record<string, string> = {
    'tools/list': `{"tools":[{"name":"self.pick","description":"","inputSchema":${inputSchema},"outputSchema":${outputSchema}}]}`,
    'tools/call': `{"structuredContent":${answer}}`,
  };
  const device = await connectScripted(workbench.info().device.webSocketUrl, {
    answer: (request) => {
      const result = results[request.method];
      if (result === undefined || request.id === undefined) return standardAnswer(request);
      return `{"session_id":"","type":"mcp","payload":{"jsonrpc":"2.0","id":${request.id},"result":${result}}}`;
    },
  });
  onTestFinished(() => device.socket.terminate());
  device.hello();
  return device;
}

/** A window's side of the contract. */
function windowOf(workbench: Workbench) {
  const { port1, port2 } = new MessageChannel();
  workbench.contract.serve(portWire(port1));
  onTestFinished(() => port2.close());
  return createPortClient(port2);
}

test('a device’s schema reaches a window, its limits hold, and its frame, answer and history have every digit', async () => {
  const workbench = await openWorkbench();
  const device = await board(workbench, `{"id":${big},"large":[18446744073709551615]}`);
  const client = windowOf(workbench);
  await until(workbench, () => workbench.services.devices.list().some(({ state }) => state === 'ready'));

  const tool = (await listTools(client)).find(({ methods }) => methods.some(({ name }) => name === 'self.pick'));
  const method = tool!.methods[0]!;
  expect(JSON.stringify(method.inputSchema)).toBe(inputSchema);
  expect(JSON.stringify(method.outputSchema)).toBe(outputSchema);
  expect(JSON.stringify(method.parameters)).toContain(`"minimum":${big},"maximum":18446744073709551615`);

  const toolName = method.qualifiedName;
  const call = (callId: string, argsJson: string) =>
    client.calls.execute({ callId, toolName, argsJson, origin: 'executor' });
  const refused = await call('a', `{"id":${near}}`);
  expect(refused.error).toMatchObject({ code: 'invalid-arguments' });
  expect(refused.error!.issues![0]!.message).toBe(`${near} is below the minimum, ${big}. Use ${big}.`);
  expect(JSON.stringify(refused.error!.issues![0]!.remedy)).toBe(big);
  expect((await call('b', `{"id":${big},"kind":${near}}`)).error).toMatchObject({ code: 'invalid-arguments' });
  expect(device.requests.some(({ method: name }) => name === 'tools/call')).toBe(false);

  const answered = await call('c', `{"id":${big},"kind":${big}}`);
  expect(answered).toMatchObject({ status: 'success', outputIssues: [] });
  expect(answered.structuredContent).toBe(`{"id":${big},"large":[18446744073709551615]}`);
  expect(answered.result).toBe(answered.structuredContent);
  expect(device.raw.at(-1)!.text).toContain(`"arguments":{"id":${big},"kind":${big}}`);

  const kept = await client.calls.get({ callId: 'c' });
  expect(JSON.stringify(kept.inputSchema)).toBe(inputSchema);
  expect(kept.result!.structuredContent).toBe(answered.structuredContent);
  const old = await client.calls.get({ callId: 'a' });
  expect(JSON.stringify(old.result!.error!.issues![0]!.remedy)).toBe(big);
});

test('an answer that is off by one does not fit the outputSchema', async () => {
  const workbench = await openWorkbench();
  await board(workbench, `{"id":${near}}`);
  await until(workbench, () => workbench.services.devices.list().some(({ state }) => state === 'ready'));
  const [{ registryId = '' } = {}] = workbench.services.devices.list();
  const { outputIssues } = await workbench.services.calls.execute({
    callId: 'd',
    toolName: registryId,
    command: 'self.pick',
    argsJson: `{"id":${big}}`,
    origin: 'executor',
  });
  // What the tool returned cannot be corrected, so no value is proposed.
  expect(outputIssues?.map(({ message }) => message)).toEqual([`${near} is not ${big}, the only value accepted.`]);
});

test('an assertion about the schema of a result holds to the digit, and its file keeps it', async () => {
  const workbench = await openWorkbench();
  const { collections } = workbench.services;
  const manager = workbench.toolRegistryManager;
  const method = {
    name: 'pick',
    description: '',
    agentCallable: true,
    inputSchema: { type: 'object', properties: {} },
    handler: () => ({ id: 9007199254740993n }),
  };
  const source = { kind: 'mcp', id: 'lab', label: 'Lab' } as const;
  manager.register(defineToolRegistry({ id: 'lab', name: 'Lab', source, methods: [method] }));
  const { folder } = await collections.create({ folder: join(dataFolder(), 'saved'), name: 'Lab' });
  const outcomes = async (limit: string): Promise<unknown> => {
    const schema = parseExactly(`{"properties":{"id":{"maximum":${limit}}}}`) as JsonSchema;
    const draft = { name: limit, tool: 'lab_pick', argsJson: '{}', assertions: [{ check: 'schema', schema } as const] };
    const saved = await windowOf(workbench).collections.saveCall({ folder, draft });
    if (!saved.saved) throw new Error('not saved');
    const { draft: read } = await windowOf(workbench).collections.call({ folder, file: saved.file });
    expect(JSON.stringify(read.assertions)).toContain(limit);
    for await (const { checks } of workbench.features.collections.runCalls({ folder, only: [saved.file] }))
      return checks.at(-1);
    return undefined;
  };
  expect(await outcomes(big)).toMatchObject({ outcome: 'passed' });
  expect(await outcomes(near)).toMatchObject({
    outcome: 'failed',
    place: '$.id',
    found: `${big} is above the maximum, ${near}.`,
  });
});
