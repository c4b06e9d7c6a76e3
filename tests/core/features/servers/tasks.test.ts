/** Calls that a server works on by itself: their states, their questions, and what a restart of Toolwire makes of them. */
import { beforeEach, expect, it, vi } from 'vitest';

import type { CallRecord, ServerRequest } from '../../../../src-core/contract/types.ts';
import type { ToolExecutionResult } from '../../../../src-core/base/calls.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { connectToRunning } from '../../../../src-core/rpc/runningWorkbench.ts';
import { startCli } from '../../cli/cliProcess.ts';
import { serveLegacy } from '../../mcp/legacyServer.ts';
import { serveModern } from '../../mcp/modernServer.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, approve, everything, nodeServer, onlyServer, untilState } from './support.ts';

let dataDir: string;
let workbench: Workbench;
beforeEach(async () => {
  dataDir = dataFolder();
  workbench = await openWorkbench({ dataDir, shell: 'browser' });
});
const restart = async (): Promise<void> => {
  await workbench.close();
  workbench = await openWorkbench({ dataDir, shell: 'browser' });
};
const call = (toolName: string, args: object, options = {}): Promise<ToolExecutionResult> =>
  workbench.services.calls.execute({
    toolName,
    argsJson: JSON.stringify(args),
    callId: 'call-1',
    origin: 'executor',
    timeoutMs: 60_000,
    ...options,
  });
const running = (fits: (record: CallRecord) => boolean): Promise<CallRecord> =>
  vi.waitUntil(() => workbench.services.calls.running().find(fits));
const ended = (): Promise<CallRecord> =>
  vi.waitUntil(() => workbench.services.calls.get({ callId: 'call-1' }).catch(() => undefined));
const nextRequest = (): Promise<ServerRequest> =>
  vi.waitUntil(async () => (await workbench.services.servers.requests(undefined))[0]);

it('everything: shows the states of a task, asks its question, and keeps its result', async () => {
  await addServer(workbench, nodeServer('everything', [everything]));
  await untilState(workbench, 'ready');
  const { methods } = workbench.toolRegistryManager.getTool('mcp-everything')!.getMetadata();
  expect(methods.find(({ name }) => name === 'simulate-research-query')?.taskSupport).toBe('required');
  const research = call('mcp-everything_simulate-research-query', { topic: 'python', ambiguous: true });
  await running(({ task }) => task?.statusMessage === 'Gathering sources...');
  const { requestId, serverName } = await nextRequest();
  expect(serverName).toBe('everything');
  await running(({ task }) => task?.status === 'input_required');
  const content = { interpretation: 'snake' };
  await workbench.services.servers.answer({ requestId, action: 'accept', content });
  expect(await research).toMatchObject({ status: 'success', result: expect.stringContaining('python (snake)') });
  expect(await ended()).toMatchObject({
    task: { taskId: expect.any(String), status: 'completed' },
    result: { status: 'success' },
  });
  expect(workbench.services.calls.running()).toEqual([]);
});

it('everything: cancels the task with the call', async () => {
  await addServer(workbench, nodeServer('everything', [everything]));
  await untilState(workbench, 'ready');
  const research = call('mcp-everything_simulate-research-query', { topic: 'python' });
  await running(({ task }) => task !== undefined);
  // Its process ends with Toolwire, so that quitting asks.
  expect(workbench.live()).toMatchObject({ calls: 1 });
  workbench.services.calls.cancel({ callId: 'call-1' });
  expect(await research).toMatchObject({ error: { code: 'cancelled' } });
  expect(await ended()).toMatchObject({ task: { status: 'cancelled' }, result: { status: 'error' } });
  await vi.waitUntil(async () => {
    const frames = await workbench.services.frames.ofCall({ callId: 'call-1' });
    return frames.some(({ text }) => text?.includes('tasks/cancel'));
  });
});

/** A server whose tool is a task, which ends once `finish` has been called. */
async function serveTask(era: 'legacy' | 'modern') {
  const received: { method: string; params: Record<string, unknown> }[] = [];
  const state: { status: string; isKnown: boolean; statusMessage?: string } = { status: 'working', isKnown: true };
  const task = () => ({
    taskId: 't-1',
    status: state.status,
    statusMessage: state.statusMessage,
    pollInterval: 20,
    pollIntervalMs: 20,
    ttl: null,
    ttlMs: null,
  });
  const result = { content: [{ type: 'text', text: 'printed' }] };
  const answer = (message: {
    method: string;
    params: Record<string, unknown>;
  }): Record<string, unknown> | undefined => {
    received.push(message);
    const { method } = message;
    if (method === 'tools/list')
      return {
        tools: [{ name: 'print', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } }],
        ...(era === 'modern' && { ttlMs: 0, cacheScope: 'private' }),
      };
    if (method.startsWith('tasks/') && !state.isKnown) return { error: { code: -32602, message: 'Unknown task.' } };
    if (method === 'tools/call') {
      if (era === 'modern') return { ...task(), resultType: 'task' };
      return message.params['task'] === undefined ? result : { task: task() };
    }
    if (method === 'tasks/result') return result;
    if (method !== 'tasks/get') return method === 'tasks/cancel' ? {} : undefined;
    return { ...task(), ...(era === 'modern' && state.status === 'completed' && { result }) };
  };
  const { url } =
    era === 'modern'
      ? await serveModern(answer)
      : await serveLegacy(answer, { tasks: { requests: { tools: { call: {} } } } });
  return {
    url,
    received,
    finish: () => (state.status = 'completed'),
    report: (statusMessage: string) => (state.statusMessage = statusMessage),
    forget: () => (state.isKnown = false),
    sent: (method: string) => received.filter((message) => message.method === method),
  };
}

async function startPrinting(era: 'legacy' | 'modern') {
  const server = await serveTask(era);
  const { id } = await workbench.services.servers.add({ name: 'printer', type: 'http', url: server.url, headers: [] });
  await approve(workbench, id, true);
  await untilState(workbench, 'ready');
  const printing = call('mcp-printer_print', { pages: 3 }, { asTask: true });
  await running(({ task }) => task?.status === 'working');
  return { ...server, id, printing };
}

it.each(['legacy', 'modern'] as const)('%s: shows the progress that a task reports', async (era) => {
  const { report, finish, printing } = await startPrinting(era);
  for (const page of ['page 1 of 3', 'page 2 of 3']) {
    report(page);
    await running(({ task }) => task?.status === 'working' && task.statusMessage === page);
  }
  finish();
  expect(await printing).toMatchObject({ status: 'success', result: 'printed' });
});

it.each(['legacy', 'modern'] as const)('%s: follows a task to its end after a restart', async (era) => {
  const { id, sent, finish, printing } = await startPrinting(era);
  expect(workbench.live()).toMatchObject({ calls: 0 });
  await restart();
  await printing;
  expect(sent('tasks/cancel')).toEqual([]);
  expect(workbench.services.calls.running()).toMatchObject([
    { callId: 'call-1', waitsForSource: true, task: { taskId: 't-1' } },
  ]);
  await workbench.services.servers.start({ id });
  await running(({ waitsForSource }) => waitsForSource === undefined);
  finish();
  expect(await ended()).toMatchObject({
    argsJson: '{"pages":3}',
    task: { taskId: 't-1', status: 'completed' },
    result: { status: 'success', result: 'printed' },
  });
  expect(sent('tools/call')).toHaveLength(1);
  expect(workbench.services.calls.running()).toEqual([]);
});

it('follows a task to its end after kill -9', async () => {
  const { url, sent, finish } = await serveTask('modern');
  const dir = dataFolder();
  const start = async () => {
    const {
      child,
      ended: exit,
      firstLine,
    } = startCli([...['serve', '--port', '0', '--device-port', '0', '--no-open', '--json', '--data-dir', dir]]);
    await firstLine();
    const found = await connectToRunning(dir);
    if (found === undefined) throw new Error('The workbench does not run.');
    return { child, exit, ...found };
  };
  const first = await start();
  const { id } = await first.client.servers.add({ name: 'printer', type: 'http', url, headers: [] });
  const { fingerprint } = await first.client.servers.consent({ id });
  await first.client.servers.approve({ id, fingerprint, always: true });
  await vi.waitUntil(async () => (await first.client.servers.list())[0]?.state === 'ready');
  const input = { toolName: 'mcp-printer_print', argsJson: '{}', callId: 'call-1', origin: 'executor' } as const;
  const lost = first.client.calls.execute({ ...input, asTask: true }).catch(() => 'lost');
  const isWorking = async (): Promise<boolean> =>
    (await first.client.calls.running()).some(({ task }) => task?.status === 'working');
  await vi.waitUntil(isWorking);
  first.child.kill('SIGKILL');
  await first.exit;
  expect(await lost).toBe('lost');
  const { client, child, exit, close } = await start();
  await client.servers.start({ id });
  finish();
  const record = await vi.waitUntil(() => client.calls.get({ callId: 'call-1' }).catch(() => undefined));
  expect(record).toMatchObject({ task: { status: 'completed' }, result: { status: 'success', result: 'printed' } });
  expect(sent('tools/call')).toHaveLength(1);
  expect(sent('tasks/cancel')).toEqual([]);
  close();
  child.kill('SIGTERM');
  await exit;
});

it('says that the outcome is unknown if the server has forgotten the task', async () => {
  const { id, forget } = await startPrinting('modern');
  await restart();
  forget();
  await workbench.services.servers.start({ id });
  expect((await ended()).result).toMatchObject({
    error: { code: 'interrupted' },
    result: expect.stringContaining('The server no longer knows the task: Unknown task.'),
  });
});

it('cancels a task that waits for its server, and says that the server may still work on it', async () => {
  const { sent } = await startPrinting('modern');
  await restart();
  expect(workbench.services.calls.cancel({ callId: 'call-1' })).toEqual({ cancelled: true });
  expect((await ended()).result).toMatchObject({
    error: { code: 'cancelled' },
    result: expect.stringContaining('The server may still work on the task.'),
  });
  expect(workbench.services.calls.running()).toEqual([]);
  expect(sent('tasks/cancel')).toEqual([]);
});

it('ends a task whose call has secrets at the close, because no later run could hide them', async () => {
  const server = await serveTask('modern');
  await addServer(workbench, { name: 'printer', type: 'http', url: server.url, headers: [] });
  await untilState(workbench, 'ready');
  const printing = call('mcp-printer_print', { key: 'hunter2' }, { asTask: true, secrets: { KEY: 'hunter2' } });
  await running(({ task }) => task?.status === 'working');
  expect(workbench.live()).toMatchObject({ calls: 1 });
  await restart();
  await printing;
  expect(workbench.services.calls.running()).toEqual([]);
  const record = await ended();
  expect(record).toMatchObject({ task: { status: 'cancelled' }, result: { status: 'error' } });
  expect(JSON.stringify(record)).not.toContain('hunter2');
});

it('ends the waiting tasks of a server that is removed', async () => {
  const { id } = await startPrinting('legacy');
  await restart();
  await workbench.services.servers.remove({ id });
  expect((await ended()).result).toMatchObject({ error: { code: 'interrupted' } });
  await restart();
  expect(workbench.services.calls.running()).toEqual([]);
});

it('runs a call as a task only if that was asked for', async () => {
  const server = await serveTask('legacy');
  await addServer(workbench, { name: 'printer', type: 'http', url: server.url, headers: [] });
  await untilState(workbench, 'ready');
  expect(await call('mcp-printer_print', {})).toMatchObject({ status: 'success', result: 'printed' });
  expect(server.sent('tools/call')[0]?.params).not.toHaveProperty('task');
  expect((await onlyServer(workbench)).state).toBe('ready');
});
