/**
 * The gateway in the workbench: switch, settings, log, test client, questions, over the contract as a window has it.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

import { listTools } from '../../../../src-core/rpc/listTools.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { createWorkbench } from '../../../../src-core/workbench.ts';
import { connectClient, inShort } from './support/testClient.ts';
import { ask, clientTool, register } from './support/wording.ts';

import { dataDir, on, open, testTool, useDataDir } from './support/gatewayBench.ts';

useDataDir();

test('is off at first, knows its settings and where they come from', async () => {
  const { api } = await open();
  const state = await api.gateway.state();
  expect(state).toMatchObject({
    enabled: false,
    listening: false,
    host: '127.0.0.1',
    port: 9400,
    urls: [],
    questions: [],
  });
  expect(state).toMatchObject({ openToNetwork: false, model: { origin: 'default', id: 'scripted' } });
  expect(state.settings.find(({ key }) => key === 'port')).toEqual({
    key: 'port',
    value: 9400,
    origin: 'default',
    default: 9400,
    variable: 'CLOUD_PORT',
  });
  // Nothing listens at the default address.
  expect(state.settings.some(({ key }) => ['baseUrl', 'model', 'apiKey'].includes(key))).toBe(false);
  expect(await api.gateway.connections()).toEqual([]);
  expect(await api.gateway.sessions()).toEqual([]);
  await expect(api.gateway.openTestClient()).rejects.toThrow(/off/);
});

test('a client chats over it, with the model that was chosen; a restart finds it as it was', async () => {
  const first = await on(() => ({ text: '好的' }));
  const client = await connectClient(first.url);
  await client.connected();
  client.send(ask('你好'));
  expect((await client.upTo('idle'))[1]).toMatchObject({ content: '好的' });
  expect(await first.api.gateway.connections()).toMatchObject([{ sessionId: client.sessionId, tools: [] }]);
  expect(await first.api.gateway.sessionMessages({ id: client.sessionId })).toEqual([
    { role: 'user', content: '你好' },
    { role: 'assistant', content: '好的' },
  ]);
  await first.bench.close();
  expect(await client.closed).toBe(1001);
  const second = await open();
  expect(await second.api.gateway.state()).toMatchObject({
    enabled: true,
    listening: true,
    model: { origin: 'settings', name: 'Stand-in' },
  });
});

test('off is off: clients go, tools leave, nothing listens', async () => {
  const { api, bench, url } = await on();
  const client = await connectClient(url);
  client.send(register(clientTool('f')));
  await client.upTo('tools_registered');
  expect(bench.services.tools.changes({}).tools.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['llm-gateway', 'gateway-client-1']),
  );
  expect(await api.gateway.setEnabled({ enabled: false })).toMatchObject({
    enabled: false,
    listening: false,
    urls: [],
  });
  expect(await client.closed).toBe(1001);
  expect(bench.services.tools.changes({}).tools.some(({ source }) => source.kind === 'gateway')).toBe(false);
  await expect(connectClient(url)).rejects.toThrow(/ECONNREFUSED/);
});

test('a client after off and on again is another one, and its log has nothing of the first', async () => {
  const { api } = await on();
  const first = await api.gateway.openTestClient();
  await api.gateway.setEnabled({ enabled: false });
  await api.gateway.setEnabled({ enabled: true });
  const second = await api.gateway.openTestClient();
  expect(second.connectionId).not.toBe(first.connectionId);
  const { rows } = await api.frames.page({ source: 'gateway', connection: second.connectionId, limit: 10 });
  expect(rows.filter(({ type }) => type === 'open')).toHaveLength(1);
});

test('a port that is taken is said, and another one helps', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void squatter.close());
  await once(squatter, 'listening');
  const { port } = squatter.address() as AddressInfo;
  const { api } = await open();
  await api.gateway.configure({ settings: { port } });
  await expect(api.gateway.setEnabled({ enabled: true })).rejects.toThrow(`Port ${port}`);
  const state = await api.gateway.state();
  expect(state).toMatchObject({ enabled: true, listening: false, conflict: { port } });
  expect(state.error).toMatch(/is used by another program\. .* choose another port/);
  expect(await api.gateway.configure({ settings: { port: 0 } })).toMatchObject({ listening: true });
});

test('the log: rows, one frame, search, of one connection or all, also of those that have left', async () => {
  const { api, url } = await on(() => ({ text: 'ok' }));
  const [one, two] = [await connectClient(url), await connectClient(url)];
  one.send({ type: 'ping' });
  await one.upTo('pong');
  two.send({ type: 'nonsense', note: 'Needle' });
  await two.upTo('error');
  one.socket.close();
  await one.closed;
  const page = await api.frames.page({ source: 'gateway', limit: 1_000 });
  const [first, second] = [...new Set(page.rows.map(({ connection }) => connection))];
  const of = async (id: string): Promise<string[]> =>
    (await api.frames.page({ source: 'gateway', connection: id, limit: 1_000 })).rows.map(
      ({ direction, type }) => `${direction} ${type}`,
    );
  expect(await of(first!)).toEqual(['in open', 'out status', 'in ping', 'out pong', 'in close']);
  expect(await of(second!)).toEqual(['in open', 'out status', 'in nonsense', 'out error']);
  expect(page).toMatchObject({ firstSeq: 1, lastSeq: page.rows.at(-1)!.seq });
  expect(page.rows.every((row) => !('text' in row))).toBe(true);
  const { seqs } = await api.frames.search({ source: 'gateway', text: 'needle' });
  expect(seqs).toHaveLength(1);
  expect(await api.frames.frame({ source: 'gateway', seq: seqs[0]! })).toMatchObject({
    text: '{"type":"nonsense","note":"Needle"}',
  });
  expect((await api.frames.page({ source: 'gateway', afterSeq: page.lastSeq, limit: 10 })).rows).toEqual([]);
  await api.frames.clear({ source: 'gateway' });
  expect(await api.frames.page({ source: 'gateway', limit: 10 })).toEqual({
    rows: [],
    firstSeq: page.lastSeq + 1,
    lastSeq: page.lastSeq,
  });
  await expect(api.frames.frame({ source: 'gateway', seq: 1 })).rejects.toThrow(/not in the log/);
});

test('by hand as the gateway: raw text to a client, end of a session, end of a connection', async () => {
  const { api, url } = await on();
  const client = await connectClient(url);
  await client.connected();
  const { id } = (await api.gateway.connections())[0]!;
  await api.gateway.send({ id, text: '{"type":"status","status":"idle","data":{"note":"by hand"}}' });
  expect(await client.next()).toMatchObject({ status: 'idle', data: { note: 'by hand' } });
  await api.gateway.endSession({ id: client.sessionId });
  client.send(ask('hi', client.sessionId));
  expect(inShort([await client.next()])).toEqual(['error:SESSION_ERROR']);
  await api.gateway.disconnect({ id });
  expect(await client.closed).toBe(1000);
  for (const attempt of [
    api.gateway.disconnect({ id }),
    api.gateway.endSession({ id: 'x' }),
    api.gateway.send({ id, text: '' }),
  ])
    await expect(attempt).rejects.toThrow(/No client|no session/);
});

test('the test client sends messages, answers its tools as configured, and is a normal connection', async () => {
  const { api, until } = await on(({ messages }) =>
    messages.at(-1)!.role === 'user' ? { toolCalls: [{ name: 'f' }] } : { text: String(messages.at(-1)!.content) },
  );
  await expect(api.gateway.sendAsClient({ text: '{}' })).rejects.toThrow(/not connected/);
  const { connectionId } = await api.gateway.openTestClient();
  expect(await api.gateway.openTestClient()).toEqual({ connectionId });
  expect((await api.gateway.connections()).map(({ id }) => id)).toEqual([connectionId]);
  const registered = await api.gateway.setTestTools({
    tools: [testTool('f', { kind: 'result', value: { level: 85 } }), testTool('1', { kind: 'silent' })],
  });
  expect(registered.tools.map(({ status }) => status)).toEqual(['registered', 'failed']);
  expect((await api.gateway.state()).testClient).toMatchObject({ connectionId, tools: [{ name: 'f' }] });

  const { rows } = await api.frames.page({ source: 'gateway', limit: 1_000 });
  expect(rows.find(({ type }) => type === 'tools_registered')?.summary).toBe('tools_registered 1 tool registered');

  const endings = async (): Promise<string[]> =>
    (await api.frames.page({ source: 'gateway', limit: 1_000 })).rows
      .filter(({ type }) => type === 'llm_response' || type === 'error')
      .map(({ summary }) => summary);
  await api.gateway.sendAsClient({ text: JSON.stringify(ask('go')) });
  await until(async () => (await endings()).length === 1);
  await api.gateway.setTestTools({ tools: [testTool('f', { kind: 'error', message: 'no luck' })] });
  await api.gateway.sendAsClient({ text: JSON.stringify(ask('go')) });
  await until(async () => (await endings()).length === 2);
  await api.gateway.sendAsClient({ text: 'nonsense' });
  await until(async () => (await endings()).length === 3);
  expect(await endings()).toEqual([
    'llm_response {"level":85}',
    'error TOOL_EXECUTION_FAILED Tool execution failed',
    'error INVALID_MESSAGE The message is not valid JSON',
  ]);
  // A result knows how long it took.
  const results = (await api.frames.page({ source: 'gateway', limit: 1_000 })).rows.filter(
    ({ type }) => type === 'tool_result',
  );
  expect(results).toMatchObject([{ durationMs: expect.any(Number) as number }, { failed: true }]);

  await api.gateway.closeTestClient();
  await until(async () => (await api.gateway.connections()).length === 0);
  expect(await api.gateway.state()).not.toHaveProperty('testClient');
});

test('reports what the gateway refuses the test client', async () => {
  const { api, until, url } = await on();
  await api.gateway.openTestClient();
  await api.gateway.configure({ settings: { clientToolsEnabled: false } });
  await expect(api.gateway.setTestTools({ tools: [testTool('f', { kind: 'silent' })] })).rejects.toThrow(
    /TOOL_REGISTRATION_FAILED/,
  );
  await api.gateway.closeTestClient();
  await until(async () => (await api.gateway.connections()).length === 0);
  await api.gateway.configure({ settings: { maxConnections: 1 } });
  await connectClient(url);
  await expect(api.gateway.openTestClient()).rejects.toThrow(/1013/);
});

test("a client's tool is called by hand from the Executor, over tool_callback, and is in the history", async () => {
  const { api } = await on();
  await api.gateway.openTestClient();
  await api.gateway.setTestTools({ tools: [testTool('a.b', { kind: 'result', value: [1, 2] })] });
  const tool = (await listTools(api)).find(({ id }) => id === 'gateway-client-1')!;
  expect(tool).toMatchObject({ source: { kind: 'gateway' }, methods: [{ qualifiedName: 'gateway-client-1_a.b' }] });
  const result = await api.calls.execute({
    callId: 'by-hand',
    toolName: 'gateway-client-1_a.b',
    argsJson: '{"n":1}',
    origin: 'executor',
  });
  expect(result).toMatchObject({ status: 'success', result: '[1,2]' });
  const [record] = await api.calls.history({ limit: 1 });
  expect(record).toMatchObject({ callId: 'by-hand', source: { kind: 'gateway' }, origin: 'executor' });
  // Its frames are found by its id.
  const frames = (await api.frames.page({ source: 'gateway', limit: 1_000 })).rows.filter(
    ({ callId }) => callId === 'by-hand',
  );
  expect(frames.map(({ type }) => type)).toEqual(['tool_callback', 'tool_result']);
});

test('calls of the model are in the history; what is dangerous asks, and the answer goes both ways', async () => {
  const { api, bench, url, until } = await on(({ messages }) =>
    messages.at(-1)!.role === 'user' ? { toolCalls: [{ name: 'lamp_off' }] } : { text: 'done' },
  );
  bench.toolRegistryManager.register(
    defineToolRegistry({
      id: 'lamp',
      name: 'Lamp',
      source: { kind: 'device', id: 'lamp', label: 'Lamp' },
      methods: [
        {
          name: 'off',
          description: 'Off.',
          agentCallable: true,
          inputSchema: { type: 'object' },
          danger: 'It gets dark.',
          handler: () => 'off',
        },
      ],
    }),
  );
  await api.gateway.configure({ settings: { offerOtherTools: true } });
  const client = await connectClient(url);
  await client.connected();
  for (const allowed of [true, false]) {
    client.send(ask('dark'));
    await until(async () => (await api.gateway.state()).questions.length === 1);
    const [question] = (await api.gateway.state()).questions;
    expect(question).toMatchObject({ toolId: 'lamp', methodName: 'off', danger: 'It gets dark.' });
    await api.gateway.decide({ callId: question!.callId, allowed, reason: 'not now' });
    const messages = await client.upTo('idle');
    expect(messages.find(({ type }) => type === 'tool_call')).toMatchObject({
      tool_name: 'lamp_off',
      success: allowed,
    });
  }
  await expect(api.gateway.decide({ callId: 'gone', allowed: true })).rejects.toThrow(/no longer waits/);
  expect(await api.calls.history({ limit: 2 })).toMatchObject([
    { qualifiedName: 'lamp_off', origin: 'gateway', result: { status: 'error', error: { code: 'not-authorized' } } },
    { qualifiedName: 'lamp_off', origin: 'gateway', result: { status: 'success' } },
  ]);
  // A client that leaves takes its question along.
  client.send(ask('dark'));
  await until(async () => (await api.gateway.state()).questions.length === 1);
  client.socket.terminate();
  await until(async () => (await api.gateway.state()).questions.length === 0);
});

test('a workbench for one command of a terminal does not open it', async () => {
  const first = await on();
  await first.bench.close();
  const bench = await createWorkbench({ dataDir, devicePort: 0, shell: 'terminal', onError: () => undefined });
  onTestFinished(() => bench.close());
  expect(bench.services.gateway.state()).toMatchObject({ enabled: true, listening: false });
});

test('offers its tools and those of its clients to other consumers only if the user offers them', async () => {
  const { api } = await on();
  await api.gateway.openTestClient();
  await api.gateway.setTestTools({ tools: [testTool('f', { kind: 'silent' })] });
  const consumers = async () =>
    (await listTools(api))
      .filter(({ source }) => source.kind === 'gateway')
      .map(({ id, methods }) => [id, methods[0]?.consumers]);
  const ids = ['llm-gateway', 'gateway-client-1'];
  expect(await consumers()).toEqual(ids.map((id) => [id, ['gateway']]));
  await api.gateway.configure({ settings: { offerOwnTools: true } });
  expect(await consumers()).toEqual(ids.map((id) => [id, undefined]));
});
