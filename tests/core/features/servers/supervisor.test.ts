/** MCP servers that end, fail and return by themselves. */
import { execFileSync } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { renderMessage } from '../../../../src-core/base/messages/message.ts';
import { zhServers } from '../../../../src-core/base/messages/zh/servers.ts';
import { superviseServer } from '../../../../src-core/features/servers/superviseServer.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { membersOf } from '../../mcp/connectedServer.ts';
import { serveLegacy } from '../../mcp/legacyServer.ts';
import { serveSessions } from '../../mcp/serveSessions.ts';
import { addServer, everything, nodeServer, onlyServer, untilState } from './support.ts';

let workbench: Workbench;
beforeEach(async () => {
  workbench = await openWorkbench({ shell: 'browser' });
});
const server = () => nodeServer('everything', [everything]);
const pidOf = async (id: string): Promise<number | undefined> => (await workbench.services.servers.detail({ id })).pid;

it('starts a killed process again; the call that ran ends as disconnected', async () => {
  const id = await addServer(workbench, server());
  await untilState(workbench, 'ready');
  const pid = await pidOf(id);
  const call = workbench.services.calls.execute({
    toolName: 'mcp-everything_trigger-long-running-operation',
    argsJson: '{"duration":60,"steps":2}',
    callId: 'long-1',
    origin: 'executor',
  });
  await vi.waitUntil(async () => (await workbench.services.frames.ofCall({ callId: 'long-1' })).length > 0);
  process.kill(pid!, 'SIGKILL');
  expect(await call).toMatchObject({
    status: 'error',
    error: {
      code: 'disconnected',
      message: 'The server everything ended during the call (signal SIGKILL).',
      details: {
        kind: 'mcp',
        sourceId: id,
        lost: 'process',
        stderr: expect.arrayContaining(['Starting default (STDIO) server...']) as string[],
      },
    },
  });
  const failing = await untilState(workbench, 'failing');
  expect(failing.retryAt! - failing.since).toBeLessThanOrEqual(1_000);
  expect(failing.failure?.text).toMatch(/SIGKILL|ended|exit/i);
  await untilState(workbench, 'ready');
  expect(await pidOf(id)).not.toBe(pid);
  // The first attempt succeeds, and does not wait for a probe again.
  const { rows } = await workbench.services.frames.page({ source: 'mcp', connection: id, limit: 1_000 });
  const asked = rows.filter(({ role }) => role === 'request').map(({ method }) => method);
  expect(asked.filter((method) => method === 'initialize')).toHaveLength(2);
  expect(asked.filter((method) => method === 'server/discover')).toHaveLength(1);
  const again = { toolName: 'mcp-everything_echo', argsJson: '{"message":"back"}', callId: 'echo-2' };
  expect(await workbench.services.calls.execute({ ...again, origin: 'executor' })).toMatchObject({
    result: 'Echo: back',
  });
});

it('reports a session that is forgotten and cannot be opened again', async () => {
  let isUp = true;
  const { url, forget } = await serveSessions(({ method }) =>
    method === 'initialize' && !isUp ? new Response('', { status: 500 }) : undefined,
  );
  const id = await addServer(workbench, { name: 'web', type: 'http', url, headers: [] });
  await untilState(workbench, 'ready');
  isUp = false;
  forget(404);
  await expect(workbench.services.servers.reload({ id })).rejects.toThrow();
  const { failure } = await untilState(workbench, 'failing');
  expect(failure).toMatchObject({ code: 'servers.failed.session-lost', text: 'The server has forgotten the session.' });
  expect(renderMessage(failure!, zhServers)).toBe('服务器已丢失会话。');
});

it('tries a server that answers 500 again, later each time, shows the failure meanwhile, and stops trying when the user stops it', async () => {
  const requests: ServerResponse[] = [];
  const listener = createServer((request, response) => {
    request.resume();
    requests.push(response);
    if (requests.length === 1) response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void listener.close());
  onTestFinished(() => listener.closeAllConnections());
  const { port } = listener.address() as AddressInfo;
  const id = await addServer(workbench, {
    name: 'broken',
    type: 'http',
    url: `http://127.0.0.1:${port}/mcp`,
    headers: [],
  });
  const failing = await untilState(workbench, 'failing');
  expect(failing).toMatchObject({ retryAt: expect.any(Number), failure: { text: expect.stringContaining('500') } });
  await vi.waitUntil(() => requests.length === 2);
  expect(await onlyServer(workbench)).toMatchObject({ state: 'starting', failure: failing.failure });
  requests[1]?.writeHead(500).end();
  const again = await untilState(workbench, 'failing');
  expect(again.retryAt! - again.since).toBeGreaterThan(2 * (failing.retryAt! - failing.since));
  const log = await workbench.services.servers.log({ id });
  expect(log.filter(({ text }) => text === failing.failure?.text)).toMatchObject([{ count: 2 }]);
  await workbench.services.servers.stop({ id });
  expect(await onlyServer(workbench)).toMatchObject({ state: 'stopped' });
  expect((await onlyServer(workbench)).retryAt).toBeUndefined();
});

it('waits for the user if a program is missing, and names it', async () => {
  const id = await addServer(workbench, {
    name: 'missing',
    type: 'stdio',
    command: 'toolwire-no-such-program',
    args: [],
    env: [],
  });
  const failing = await untilState(workbench, 'failing');
  expect(failing.retryAt).toBeUndefined();
  expect(failing.failure?.text).toContain('toolwire-no-such-program');
  const [, program] = (await workbench.services.servers.detail({ id })).steps;
  expect(program).toMatchObject({ step: 'program', outcome: 'failed' });
});

it('has one process at a time, and none once it is closed, also while it starts', async () => {
  // Answers nothing, and ends with its child a moment after its input.
  const parent = 'sleep 1000 & echo $$ >&2; cat >/dev/null; kill $!; wait';
  const id = await addServer(workbench, { name: 'slow', type: 'stdio', command: 'sh', args: ['-c', parent], env: [] });
  const groups = async (): Promise<number[]> =>
    (await workbench.services.servers.log({ id }))
      .filter(({ kind }) => kind === 'stderr')
      .map(({ text }) => Number(text));
  await vi.waitUntil(async () => (await groups()).length === 1);
  await workbench.services.servers.start({ id });
  await vi.waitUntil(async () => (await groups()).length === 2);
  const [first, second] = await groups();
  expect(membersOf(first!)).toEqual([]);
  expect(membersOf(second!)).toHaveLength(3);
  await workbench.close();
  expect(membersOf(second!)).toEqual([]);
});

/** The processes that this one started, and those that they started. */
function descendantsOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const children = rows.map((row) => row.trim().split(/\s+/).map(Number)).filter(([, parent]) => parent === pid);
  return children.flatMap(([child = 0]) => [child, ...descendantsOf(child)]);
}

it('ends the process of npx and the server that it started when the workbench closes', async () => {
  const args = ['--offline', '--no', 'mcp-server-everything'];
  const cwd = process.cwd();
  const id = await addServer(workbench, { name: 'npx', type: 'stdio', command: 'npx', args, cwd, env: [] });
  await untilState(workbench, 'ready');
  const pid = (await pidOf(id))!;
  const started = descendantsOf(pid);
  expect(started.length).toBeGreaterThan(0);
  await workbench.close();
  expect(membersOf(pid)).toEqual([]);
  for (const descendant of started) expect(() => process.kill(descendant, 0)).toThrow();
});

it('is ready again after a sign-in that asked twice', async () => {
  const steps: { onState?: (state: 'waits' | 'done') => void } = {};
  const supervised = superviseServer({
    id: 'everything',
    endpoint: { type: 'stdio', command: process.execPath, args: [everything], env: {} },
    toolRegistryManager: createToolRegistryManager(),
    signIn({ onState }) {
      steps.onState = onState;
      return undefined as never;
    },
  });
  onTestFinished(() => supervised.stop());
  supervised.start();
  await supervised.whenReady();
  for (const state of ['waits', 'waits'] as const) steps.onState?.(state);
  expect(supervised.state).toBe('sign-in');
  steps.onState?.('done');
  expect(supervised.state).toBe('ready');
});

it('does not retry an address whose port is blocked', async () => {
  await addServer(workbench, { name: 'discard', type: 'http', url: 'http://127.0.0.1:9/mcp', headers: [] });
  const { failure, retryAt } = await untilState(workbench, 'failing');
  expect([failure?.code, retryAt]).toEqual(['servers.failed.blocked-port', undefined]);
});

it('keeps the code and the data of an error of JSON-RPC that a server returns for a call', async () => {
  const tools = [{ name: 'relay', inputSchema: { type: 'object' } }];
  const stuck = await serveLegacy(({ method }) => {
    if (method === 'tools/list') return { tools };
    const error = { code: -32050, message: 'The relay is stuck', data: { pin: 7 } };
    return method === 'tools/call' ? { error } : undefined;
  });
  await addServer(workbench, { name: 'pin', type: 'http', url: stuck.url, headers: [] });
  await untilState(workbench, 'ready');
  const toolName = 'mcp-pin_relay';
  const ended = await workbench.services.calls.execute({ toolName, argsJson: '{}', callId: 'r', origin: 'executor' });
  expect(ended).toMatchObject({
    error: {
      code: 'tool-error',
      message: 'Error -32050 from the server: The relay is stuck',
      details: { rpcCode: -32050, reason: 'The relay is stuck', data: '{"pin":7}' },
    },
  });
});
