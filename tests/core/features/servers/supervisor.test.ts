/** MCP servers that end, fail and return by themselves. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
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
  expect(await call).toMatchObject({ status: 'error', error: { code: 'disconnected' } });
  const failing = await untilState(workbench, 'failing');
  expect(failing.retryAt! - failing.since).toBeLessThanOrEqual(1_000);
  expect(failing.failure?.text).toMatch(/SIGKILL|ended|exit/i);
  await untilState(workbench, 'ready');
  expect(await pidOf(id)).not.toBe(pid);
  const again = { toolName: 'mcp-everything_echo', argsJson: '{"message":"back"}', callId: 'echo-2' };
  expect(await workbench.services.calls.execute({ ...again, origin: 'executor' })).toMatchObject({
    result: 'Echo: back',
  });
});

it('tries a server that answers 500 again, shows the failure meanwhile, and stops trying when the user stops it', async () => {
  let requests = 0;
  const listener = createServer((request, response) => {
    requests += 1;
    request.resume();
    if (requests === 1) response.writeHead(500).end();
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
  await vi.waitUntil(() => requests === 2, { timeout: 10_000 });
  expect(await onlyServer(workbench)).toMatchObject({ state: 'starting', failure: failing.failure });
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

it('ends the process when the workbench closes', async () => {
  const id = await addServer(workbench, server());
  await untilState(workbench, 'ready');
  const pid = (await pidOf(id))!;
  await workbench.close();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
