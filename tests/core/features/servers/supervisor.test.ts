/** MCP servers that end, fail and come back by themselves. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import type { ServerRow } from '../../../../src-core/contract/types.ts';
import { createWorkbench, type Workbench } from '../../../../src-core/workbench.ts';

const everything = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

let dataDir: string;
let workbench: Workbench;
const errors: unknown[] = [];
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'toolwire-supervisor-'));
  workbench = await createWorkbench({
    dataDir,
    devicePort: 0,
    shell: 'browser',
    onError: (error) => errors.push(error),
  });
});
afterEach(async () => {
  await workbench.close();
  rmSync(dataDir, { recursive: true });
  expect(errors.splice(0)).toEqual([]);
});

type Config = Parameters<Workbench['services']['servers']['add']>[0];
const stdio: Config = { name: 'everything', type: 'stdio', command: process.execPath, args: [everything], env: [] };
const row = async (): Promise<ServerRow> => (await workbench.services.servers.list(undefined))[0]!;
const until = (state: ServerRow['state']): Promise<ServerRow> =>
  vi.waitUntil(
    async () => {
      const now = await row();
      return now.state === state && now;
    },
    { timeout: 30_000, interval: 10 },
  );
async function start(config: Config): Promise<string> {
  const { servers } = workbench.services;
  const { id } = await servers.add(config);
  const { fingerprint } = await servers.consent({ id });
  await servers.approve({ id, fingerprint, always: false });
  return id;
}
const pidOf = async (id: string): Promise<number | undefined> => (await workbench.services.servers.detail({ id })).pid;

it('starts a killed process again; the call that ran ends as disconnected', async () => {
  const id = await start(stdio);
  await until('ready');
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
  const failing = await until('failing');
  expect(failing.retryAt! - failing.since).toBeLessThanOrEqual(1_000);
  expect(failing.failure?.text).toMatch(/SIGKILL|ended|exit/i);
  await until('ready');
  expect(await pidOf(id)).not.toBe(pid);
  const again = { toolName: 'mcp-everything_echo', argsJson: '{"message":"back"}', callId: 'echo-2' };
  expect(await workbench.services.calls.execute({ ...again, origin: 'executor' })).toMatchObject({
    result: 'Echo: back',
  });
});

it('tries a server that answers 500 again, and stops trying when the user stops it', async () => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume();
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const id = await start({ name: 'broken', type: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: [] });
  const failing = await until('failing');
  expect(failing).toMatchObject({ retryAt: expect.any(Number), failure: { text: expect.stringContaining('500') } });
  const before = requests;
  await vi.waitUntil(() => requests > before, { timeout: 10_000 });
  await workbench.services.servers.stop({ id });
  expect(await row()).toMatchObject({ state: 'stopped' });
  expect((await row()).retryAt).toBeUndefined();
});

it('waits for the user if a program is missing, and names it', async () => {
  const id = await start({ ...stdio, command: 'toolwire-no-such-program', args: [] });
  const failing = await until('failing');
  expect(failing.retryAt).toBeUndefined();
  expect(failing.failure?.text).toContain('toolwire-no-such-program');
  const [, program] = (await workbench.services.servers.detail({ id })).steps;
  expect(program).toMatchObject({ step: 'program', outcome: 'failed' });
});

it('ends the process when the workbench closes', async () => {
  const id = await start(stdio);
  await until('ready');
  const pid = (await pidOf(id))!;
  await workbench.close();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
