/** Messages of MCP servers that are longer than the setting allows. */
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';

import { failureMessage } from '../../../../src-core/features/servers/failureMessage.ts';
import { superviseServer } from '../../../../src-core/features/servers/superviseServer.ts';
import { McpError } from '../../../../src-core/mcp/errors.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { serveLegacy } from '../../mcp/legacyServer.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, nodeServer, untilState } from './support.ts';

const raw = join(process.cwd(), 'tests/fixtures/mcp/rawServer.mjs');
const text = 'x'.repeat(2 * 1024 * 1024);
const large = { content: [{ type: 'text', text }] };

const remedy = 'To accept it, increase “Longest MCP message” in Settings and restart the server.';

let workbench: Workbench;
beforeEach(async () => {
  workbench = await openWorkbench({ shell: 'browser' });
  await workbench.services.settings.set({ mcpMessageMib: 1 });
});

async function overHttp(): Promise<Parameters<typeof addServer>[1]> {
  const tools = [{ name: 'large', inputSchema: { type: 'object' } }];
  const { url } = await serveLegacy(
    ({ method, params }) => {
      if (method === 'tools/list') return { tools };
      if (method === 'resources/read') return { contents: [{ uri: params['uri'], text }] };
      return method === 'tools/call' ? large : undefined;
    },
    { resources: {} },
  );
  return { name: 'lab', type: 'http', url, headers: [] };
}

it.each([
  ['stdio', () => nodeServer('lab', [raw, 'large'])],
  ['HTTP', overHttp],
])('over %s, an answer over the limit fails its call alone, and passes once the limit is larger', async (_, config) => {
  const id = await addServer(workbench, await config());
  await untilState(workbench, 'ready');
  const argsJson = JSON.stringify({ bytes: text.length });
  const call = () =>
    workbench.services.calls.execute({
      toolName: 'mcp-lab_large',
      argsJson,
      callId: crypto.randomUUID(),
      origin: 'executor',
    });
  expect(await call()).toMatchObject({
    status: 'error',
    error: {
      code: 'result-too-large',
      message: `The tool has run, but its answer is longer than 1 MiB. ${remedy}`,
      details: { setting: 'mcpMessageMib' },
    },
  });
  await untilState(workbench, 'ready');
  await workbench.services.settings.set({ mcpMessageMib: 4 });
  await workbench.services.servers.start({ id });
  await untilState(workbench, 'ready');
  expect(await call()).toMatchObject({ status: 'success', result: text });
});

it('does not name the setting if the result of a call may not be as long in any case', async () => {
  await workbench.services.settings.set({ mcpMessageMib: 2 });
  await addServer(workbench, nodeServer('lab', [raw, 'large']));
  await untilState(workbench, 'ready');
  const call = { toolName: 'mcp-lab_large', argsJson: '{"bytes":17000000}', callId: 'a', origin: 'executor' as const };
  const { error } = await workbench.services.calls.execute(call);
  expect(error?.message).toBe(
    'The tool has run, but its answer is longer than 2 MiB. The result of a call may have up to 16 MB.',
  );
  expect(error?.details?.['setting']).toBeUndefined();
});

it('names the setting also if a resource is too long', async () => {
  const id = await addServer(workbench, await overHttp());
  await untilState(workbench, 'ready');
  await expect(workbench.services.servers.readResource({ id, uri: 'x:/large' })).rejects.toThrow(remedy);
});

it.each([
  ['tools/list', 'servers.failed.lists'],
  ['initialize', 'servers.failed.message-too-large'],
])('names the setting also if the answer to %s is too long', async (tooLong, code) => {
  const { url } = await serveLegacy(({ method }) => (method === tooLong ? { tools: [], text } : undefined));
  await addServer(workbench, { name: 'lab', type: 'http', url, headers: [] });
  const { failure } = await untilState(workbench, 'failing');
  expect(failure?.code).toBe(code);
  expect(failure?.text).toContain(remedy);
});

it('names the setting only below its maximum', () => {
  const textAt = (maxBytes: number) => failureMessage(new McpError('too-large', '', { maxBytes }), String).text;
  expect(textAt(255 * 1_048_576)).toContain(remedy);
  expect(textAt(256 * 1_048_576)).toMatch(/The server's answer is longer than 256 MiB\.$/);
});

it('is an option of the library', async () => {
  const toolRegistryManager = createToolRegistryManager();
  const args = [raw, 'large'];
  const supervised = superviseServer({
    id: 'lab',
    endpoint: { type: 'stdio', command: process.execPath, args, env: {} },
    toolRegistryManager,
    maxMessageBytes: 1_000,
  });
  onTestFinished(() => supervised.stop());
  supervised.start();
  await supervised.whenReady();
  const call = (bytes: number) =>
    supervised.connection?.callTool('large', { bytes }, { signal: new AbortController().signal, timeoutMs: 10_000 });
  await expect(call(2_000)).rejects.toMatchObject({ code: 'too-large', details: { maxBytes: 1_000 } });
  expect(await call(100)).toMatchObject({ isError: false });
});
