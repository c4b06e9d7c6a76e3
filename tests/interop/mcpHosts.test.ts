/** MCP hosts at `toolwire mcp`: the SDKs that hosts are built with, over real processes. */
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { builtCli } from '../helpers/builtCli.ts';
import { startCli } from '../core/cli/cliProcess.ts';
import { connectToRunning } from '../../src-core/rpc/runningWorkbench.ts';
import { dataFolder } from '../core/workbench/openWorkbench.ts';

/** A module that writes to standard output while it loads and when it is called. */
const noisy = `console.log('loading');
process.stdout.write('raw\\n');
export default { methods: {
  add: { description: 'Adds.', agentCallable: true, inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
    handler: ({ a }) => { console.log('adding', a); console.info('i'); return a + 1; } },
  fail: { description: 'Throws.', agentCallable: true, handler: () => { throw new Error('broken'); } },
  late: { description: 'Throws what nothing catches.', agentCallable: true,
    handler: () => { setTimeout(() => { console.log('late'); throw new Error('uncaught'); }); return 1; } },
} };`;
/** A module of its own: the uncaught error of the other one ends that one's calls. */
const hanging = `export default { methods: {
  never: { description: 'Never ends.', agentCallable: true, handler: () => new Promise(() => {}) },
} };`;

function folderWithModule(): string {
  const dataDir = dataFolder();
  mkdirSync(join(dataDir, 'modules'));
  writeFileSync(join(dataDir, 'modules', 'noisy.js'), noisy);
  writeFileSync(join(dataDir, 'modules', 'hanging.js'), hanging);
  return dataDir;
}

const request = (id: number, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

const initialize = request(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
});
const initialized = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`;

/** Every line of standard output, which must be a JSON-RPC message. */
function messagesOf(out: string): { id?: number; result?: object; error?: object }[] {
  const lines = out.split('\n');
  expect(lines.pop()).toBe('');
  const messages = lines.map((line) => JSON.parse(line) as { jsonrpc?: string; id?: number });
  for (const { jsonrpc } of messages) expect(jsonrpc).toBe('2.0');
  return messages;
}

/** Starts `toolwire serve` without a window's browser. */
async function serve(dataDir: string) {
  const flags = ['--port', '0', '--device-port', '0', '--no-open', '--json', '--data-dir', dataDir];
  const process = startCli(['serve', ...flags]);
  const line = await process.firstLine();
  return { process, served: JSON.parse(line) as { mcp?: string } };
}

async function callAll(client: {
  listTools: () => Promise<{ tools: { name: string }[] }>;
  callTool: (params: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>;
}) {
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('noisy_add');
  return client.callTool({ name: 'noisy_add', arguments: { a: 1 } });
}

describe.each(['its own workbench', 'a workbench that runs'] as const)('toolwire mcp with %s', (which) => {
  async function prepare(...flags: string[]) {
    const dataDir = folderWithModule();
    if (which === 'a workbench that runs') await serve(dataDir);
    const args = [builtCli, 'mcp', '--data-dir', dataDir, ...flags];
    return { command: process.execPath, args, stderr: 'ignore' as const };
  }

  it('serves the SDK v1', async () => {
    const client = new ClientV1({ name: 'v1', version: '1' });
    onTestFinished(() => client.close());
    await client.connect(new StdioV1(await prepare()));
    expect(await callAll(client)).toMatchObject({ content: [{ type: 'text', text: '2' }] });
  });

  it.each(['legacy', 'auto'] as const)('serves the SDK v2 in mode %s', async (mode) => {
    const client = new Client({ name: 'v2', version: '1' }, { versionNegotiation: { mode } });
    onTestFinished(() => client.close());
    await client.connect(new StdioClientTransport(await prepare()));
    expect(client.getProtocolEra()).toBe(mode === 'legacy' ? 'legacy' : 'modern');
    expect(await callAll(client)).toMatchObject({ content: [{ type: 'text', text: '2' }] });
  });

  it('serves chosen tools, and finds them in place of a list', async () => {
    const client = new Client({ name: 'v2', version: '1' });
    onTestFinished(() => client.close());
    // More than fits into a URL.
    const names = ['noisy_add', ...Array.from({ length: 400 }, (_, at) => `not_there_${at}`.padEnd(46, 'x'))];
    await client.connect(new StdioClientTransport(await prepare('--tools', names.join(','), '--find')));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['find_tool', 'call_tool']);
    expect(await client.callTool({ name: 'find_tool', arguments: {} })).toMatchObject({
      content: [{ text: 'noisy_add' }],
    });
    const call = { name: 'noisy_add', arguments: { a: 1 } };
    expect(await client.callTool({ name: 'call_tool', arguments: call })).toMatchObject({ content: [{ text: '2' }] });
  });
});

describe('the process of toolwire mcp', () => {
  it.each([
    ['its own workbench', false],
    ['a workbench that runs', true],
  ])(
    'writes nothing but JSON-RPC, and ends with its input although a call never ends: %s',
    async (_which, isServed) => {
      const dataDir = folderWithModule();
      if (isServed) {
        const { served } = await serve(dataDir);
        // For hosts that connect over HTTP.
        expect(served.mcp).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
        expect((await fetch(served.mcp ?? '', { method: 'POST' })).status).toBe(401);
      }
      const host = startCli(['mcp', '--data-dir', dataDir]);
      host.child.stdin.write(initialize);
      await host.firstLine();
      host.child.stdin.write(`${initialized}not json\n[]\n`);
      host.child.stdin.end(
        request(2, 'tools/call', { name: 'noisy_add', arguments: { a: 9007199254740992 } }) +
          request(3, 'tools/call', { name: 'noisy_fail', arguments: {} }) +
          request(4, 'nothing/such') +
          request(5, 'tools/call', { name: 'noisy_late', arguments: {} }) +
          request(6, 'tools/call', { name: 'hanging_never', arguments: {} }),
      );
      const { code, out } = await host.ended;
      expect(code).toBe(0);
      const messages = messagesOf(out);
      expect(messages.filter(({ id }) => id === null)).toHaveLength(2);
      for (const id of [1, 2, 3, 4, 5]) expect(messages.filter((message) => message.id === id)).toHaveLength(1);
      expect(messages.filter(({ id }) => id === 6)).toEqual([]);
      expect(messages.find(({ id }) => id === 3)).toMatchObject({ result: { isError: true } });
      expect(messages.find(({ id }) => id === 4)).toMatchObject({ error: { code: -32_601 } });
    },
  );

  it('goes on with another workbench when the one that it joined ends, and says what was lost', async () => {
    const dataDir = folderWithModule();
    const { process: first } = await serve(dataDir);
    const host = startCli(['mcp', '--data-dir', dataDir]);
    host.child.stdin.write(initialize + initialized);
    await host.firstLine();
    first.child.kill('SIGTERM');
    await first.ended;
    // Whether the end has been noticed yet or not, the request is answered.
    await vi.waitFor(async () => {
      const running = await connectToRunning(dataDir);
      running?.close();
      expect(running).toBeDefined();
    });
    host.child.stdin.end(request(5, 'tools/list'));
    const { out } = await host.ended;
    const messages = messagesOf(out);
    expect(messages.filter(({ id }) => id === 1)).toHaveLength(1);
    expect(messages.find(({ id }) => id === 5)).toHaveProperty('result.tools');
  });

  it('ends when the user revokes it', async () => {
    const dataDir = folderWithModule();
    await serve(dataDir);
    const host = startCli(['mcp', '--data-dir', dataDir]);
    host.child.stdin.write(initialize + initialized);
    await host.firstLine();
    const running = await connectToRunning(dataDir);
    onTestFinished(() => running?.close());
    const row = await vi.waitFor(async () => {
      const [first] = (await running?.client.hosts.state())?.hosts ?? [];
      if (first === undefined) throw new Error('It is not listed yet.');
      return first;
    });
    expect(row).toMatchObject({ kind: 'stdio', name: 'raw', era: 'legacy', revision: '2025-11-25', connections: 1 });
    await running?.client.hosts.revoke({ id: row.id });
    expect((await host.ended).err).toContain('The connection was ended in Toolwire.');
  });

  it('prints its help', async () => {
    const { code, out } = await startCli(['mcp', '--help']).ended;
    expect(code).toBe(0);
    expect(out).toContain('Usage: toolwire mcp');
    expect(out).not.toMatch(/--http|--conformance|conformance-client/);
  });
});
