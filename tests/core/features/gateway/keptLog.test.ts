/** The gateway's log: kept over restarts, bounded with those of devices, exported and imported as their captures. */
import { expect, onTestFinished, test, vi } from 'vitest';

import { settingDefinitions } from '../../../../src-core/features/gateway/settings.ts';
import type { GatewayTurnTrace } from '../../../../src-core/contract/gatewayTurns.ts';
import { gatewayLogId } from '../../../../src-core/store/frameTypes.ts';
import type { Frame } from '../../../../src-core/contract/frames.ts';
import { frame } from '../../store/frames.ts';
import { createWorkbench, type Workbench } from '../../../../src-core/workbench.ts';
import { dataDirWith } from '../../cli/cliProcess.ts';
import { connectClient, type TestClient } from './support/testClient.ts';
import { openTestStore } from '../../../helpers/testStore.ts';
import { ask, clientTool, register } from './support/wording.ts';

type Services = Workbench['services'];

async function openWorkbench(dataDir: string): Promise<{ services: Services; close: () => Promise<void> }> {
  for (const { variable } of Object.values(settingDefinitions)) if (variable) vi.stubEnv(variable, undefined);
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const bench = await createWorkbench({ dataDir, devicePort: 0, shell: 'browser', onError });
  let closed = false;
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await bench.close();
    expect(errors).toEqual([]);
  };
  onTestFinished(async () => {
    await close();
    vi.unstubAllEnvs();
  });
  return { services: bench.services, close };
}

/** A client that has registered a tool and asked once, so that its tool was called. */
async function talk({ gateway }: Services): Promise<TestClient> {
  await gateway.configure({ settings: { port: 0 } });
  const { urls } = await gateway.setEnabled({ enabled: true });
  const client = await connectClient(urls[0]!);
  client.send(register(clientTool('get_battery')));
  client.send(ask('我的电量还剩多少？'));
  const callback = (await client.upTo('tool_callback')).at(-1)!;
  client.send({ type: 'tool_result', call_id: callback['call_id'], success: true, result: { level: 85 } });
  await client.upTo('idle');
  return client;
}

async function exported({ captures }: Services): Promise<{ fileName: string; text: string }> {
  let text = '';
  let after: number | undefined;
  for (;;) {
    const part = await captures.exportPart({ shared: 'gateway', after });
    text += part.text;
    if (part.next === undefined) return { fileName: part.fileName, text };
    after = part.next;
  }
}

test('messages and turns are there after a restart, and numbers of clients go on', async () => {
  const dataDir = dataDirWith();
  const first = await openWorkbench(dataDir);
  await talk(first.services);
  const before = (await first.services.frames.page({ source: 'gateway', limit: 1_000 })).rows;
  expect(before.map(({ type }) => type)).toContain('llm_response');
  await first.close();

  const { services } = await openWorkbench(dataDir);
  const { frames } = services;
  const { rows } = await frames.page({ source: 'gateway', limit: 1_000 });
  // The client's end came when the gateway closed.
  expect(rows.slice(0, before.length)).toEqual(before);
  expect(rows.find(({ type }) => type === 'tool_result')).toMatchObject({ durationMs: expect.any(Number) as number });
  expect((await frames.search({ source: 'gateway', text: '电量' })).seqs).not.toEqual([]);
  await talk(services);
  const ids = (await frames.page({ source: 'gateway', limit: 1_000 })).rows.map(({ connection }) => connection);
  expect([...new Set(ids)]).toEqual(['connection-1', 'connection-2']);
  const own = await frames.page({ source: 'gateway', connection: 'connection-2', limit: 1_000 });
  expect(own.rows[0]!.type).toBe('open');
  expect(new Set(own.rows.map(({ connection }) => connection))).toEqual(new Set(['connection-2']));
  expect([own.firstSeq, own.lastSeq]).toEqual([own.rows[0]!.seq, own.rows.at(-1)!.seq]);
});

test('a turn is one frame with the prompt, the tools as sent, the calls and the times', async () => {
  const { services } = await openWorkbench(dataDirWith());
  await talk(services);
  const { frames } = services;
  const row = (await frames.page({ source: 'gateway', limit: 1_000 })).rows.find(({ type }) => type === 'turn')!;
  expect(row).toMatchObject({ kind: 'note', connection: 'connection-1', summary: 'turn answered' });
  const trace = JSON.parse((await frames.frame({ source: 'gateway', seq: row.seq })).text!) as GatewayTurnTrace;
  expect(trace).toMatchObject({ text: '我的电量还剩多少？', outcome: 'answered', modelName: 'Scripted model' });
  expect(trace.steps).toHaveLength(2);
  const [first, second] = trace.steps;
  expect(first!.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(first!.tools.map(({ name }) => name)).toContain('get_battery');
  expect(first!.calls).toMatchObject([
    { name: 'get_battery', isClients: true, argsJson: '{}', status: 'success', told: '{"level":85}' },
  ]);
  expect(second!.messages.at(-1)).toMatchObject({ role: 'tool', content: '{"level":85}' });
  expect(trace.answer).toContain('85');
});

test('secrets are masked in messages, lines and turns, and nothing else is changed', async () => {
  const key = 'a8Kd02Lq7Zx';
  const { services } = await openWorkbench(dataDirWith());
  const { gateway, frames } = services;
  await gateway.configure({ settings: { port: 0 } });
  const { urls } = await gateway.setEnabled({ enabled: true });
  const client = await connectClient(urls[0]!);
  client.send(register(clientTool('get_battery')));
  client.send(ask(`sk-${key} 我的电量还剩多少？`));
  const callback = (await client.upTo('tool_callback')).at(-1)!;
  const result = { level: 85, access_token: key, next: `http://me:${key}@host/a` };
  client.send({ type: 'tool_result', call_id: callback['call_id'], success: true, result });
  await client.upTo('idle');
  client.send({ type: 'tool_result', call_id: 'none', success: false, error: `token=${key}` });
  await client.upTo('error');

  const { rows } = await frames.page({ source: 'gateway', limit: 1_000 });
  const textOf = async (type: string): Promise<string> =>
    (await frames.frame({ source: 'gateway', seq: rows.find((row) => row.type === type)!.seq })).text!;
  expect(JSON.parse(await textOf('tool_result'))).toMatchObject({
    result: { level: 85, access_token: '***', next: 'http://***@host/a' },
  });
  const trace = JSON.parse(await textOf('turn')) as GatewayTurnTrace;
  expect(trace.text).toBe('sk-*** 我的电量还剩多少？');
  expect(trace.steps[0]!.calls[0]!.told).toBe('{"level":85,"access_token":"***","next":"http://***@host/a"}');
  expect(rows.map(({ summary }) => summary)).toContain('tool_result token=***');
  expect(JSON.stringify(gateway.turn({ id: rows[0]!.connection }))).not.toContain(key);
  expect((await exported(services)).text).not.toContain(key);
});

test('a turn that runs is shown with its prompt, its tools and the call that it waits for', async () => {
  const { services } = await openWorkbench(dataDirWith());
  const { gateway, frames } = services;
  await gateway.configure({ settings: { port: 0 } });
  const { urls } = await gateway.setEnabled({ enabled: true });
  const client = await connectClient(urls[0]!);
  const [{ id } = { id: '' }] = gateway.connections();
  expect(gateway.turn({ id }).trace).toBeUndefined();
  client.send(register(clientTool('get_battery')));
  client.send(ask('我的电量还剩多少？'));
  const callback = (await client.upTo('tool_callback')).at(-1)!;
  const running = gateway.turn({ id }).trace!;
  expect(running).toMatchObject({
    text: '我的电量还剩多少？',
    outcome: 'running',
    steps: [{ calls: [{ status: 'running' }] }],
  });
  expect(running.steps[0]!.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  expect(running.steps[0]!.tools.map(({ name }) => name)).toContain('get_battery');
  expect((await frames.page({ source: 'gateway', limit: 1_000 })).rows.map(({ type }) => type)).not.toContain('turn');

  client.send({ type: 'tool_result', call_id: callback['call_id'], success: true, result: { level: 85 } });
  await client.upTo('idle');
  await vi.waitFor(() => expect(gateway.turn({ id }).trace).toMatchObject({ id: running.id, outcome: 'answered' }));
  expect(gateway.turn({ id }).trace!.steps).toHaveLength(2);
  client.socket.terminate();
  await vi.waitFor(() => expect(gateway.connections()).toEqual([]));
  const next = await connectClient(urls[0]!);
  next.send(ask('你好'));
  await next.upTo('idle');
  await vi.waitFor(() => expect(gateway.turn({ id: gateway.connections()[0]!.id }).trace?.outcome).toBe('answered'));
  expect(gateway.turn({ id }).trace).toBeUndefined();
});

test('clearing can be undone, also after a restart; devices do not show it', async () => {
  const dataDir = dataDirWith();
  const first = await openWorkbench(dataDir);
  const client = await talk(first.services);
  client.socket.terminate();
  await vi.waitFor(() => expect(first.services.gateway.connections()).toEqual([]));
  const { rows } = await first.services.frames.page({ source: 'gateway', limit: 1_000 });
  expect(first.services.devices.list()).toEqual([]);
  expect((await first.services.frames.page({ source: 'device', limit: 100 })).rows).toEqual([]);
  await first.services.frames.clear({ source: 'gateway' });
  expect((await first.services.frames.page({ source: 'gateway', limit: 1_000 })).rows).toEqual([]);
  await first.close();

  const { services } = await openWorkbench(dataDir);
  const [removed] = services.removed.list();
  expect(removed).toMatchObject({ kind: 'gatewayLog' });
  await services.removed.restore({ id: removed!.id });
  expect((await services.frames.page({ source: 'gateway', limit: 1_000 })).rows).toEqual(rows);
});

test('an export is imported as it was, and exported again the same', async () => {
  const from = await openWorkbench(dataDirWith());
  await talk(from.services);
  const { fileName, text } = await exported(from.services);
  expect(fileName).toMatch(/^Gateway \d{4}-\d\d-\d\d\.jsonl$/);
  expect(JSON.parse(text.split('\n')[0]!)).toMatchObject({ toolwire: 'capture', version: 2, origin: 'gateway' });
  const { rows } = await from.services.frames.page({ source: 'gateway', limit: 1_000 });
  await from.close();

  const { services } = await openWorkbench(dataDirWith());
  const { captures, frames } = services;
  const { captureId } = await captures.importPart({ name: 'log.jsonl', text });
  expect(await captures.list()).toMatchObject([
    { id: captureId, origin: 'gateway', frames: rows.length, callCount: 1 },
  ]);
  expect((await frames.page({ captureId, limit: 1_000 })).rows).toEqual(rows);
  expect((await frames.page({ captureId, connection: 'connection-9', limit: 10 })).rows).toEqual([]);
  const turn = rows.find(({ type }) => type === 'turn')!;
  expect((await frames.frame({ captureId, seq: turn.seq })).text).toContain('get_battery');
  expect((await frames.search({ captureId, text: '电量' })).seqs).not.toEqual([]);
  const again = (await captures.exportPart({ captureId })).text;
  expect(again.split('\n').slice(1)).toEqual(text.split('\n').slice(1));
  await expect(async () => captures.asVirtual({ captureId })).rejects.toThrow(/Only logs of devices/);
});

test.each([
  ['no connection', { role: undefined }, /"role" must be the id of a connection/],
  ['a type that is too long', { type: 'x'.repeat(49) }, /"type" must be a string of at most 48/],
  ['a direction of its own', { direction: 'up' }, /"direction" must be/],
])('a file with %s is refused by line and field, and nothing stays', async (_, more, words) => {
  const { services } = await openWorkbench(dataDirWith());
  const device = { name: 'Gateway', deviceId: 'gateway' };
  const header = JSON.stringify({ toolwire: 'capture', version: 2, origin: 'gateway', device, exportedAt: 1 });
  const frame = {
    seq: 1,
    at: 1,
    direction: 'in',
    kind: 'text',
    type: 'ping',
    role: 'connection-1',
    summary: '',
    bytes: 1,
  };
  const line = JSON.stringify({ ...frame, ...more });
  await expect(services.captures.importPart({ name: 'a', text: `${header}\n${line}\n` })).rejects.toThrow(words);
  await expect(services.captures.importPart({ name: 'a', text: `${header}\n${line}\n` })).rejects.toThrow(/Line 2/);
  expect(await services.captures.list()).toEqual([]);
});

test('a flood on the gateway does not push out what devices said', async () => {
  const store = openTestStore();
  const text = 'x'.repeat(1_000);
  const limit = 100_000;
  const write = async (frames: Frame[]): Promise<void> => {
    while (store.wire.write({ frames, devices: [], limit }) === 'more') frames = [];
  };
  const ofGateway = { source: 'gateway', connection: 'connection-1', text } as const;
  await write(Array.from({ length: 30 }, (__, at) => frame(at + 1, { connection: 'device', text })));
  for (let at = 0; at < 300; at += 10)
    await write(Array.from({ length: 10 }, (__, n) => frame(100 + at + n, ofGateway)));
  expect(await store.wire.log('device').bounds()).toEqual({ first: 1, last: 30 });
  const { first } = (await store.wire.log(gatewayLogId).bounds())!;
  expect(first).toBeGreaterThan(300);
});
