/** What a server may ask of Toolwire: roots, and replies from a model. Both are off by default. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CLIENT_CAPABILITIES_META_KEY, type ClientCapabilities } from '@modelcontextprotocol/client';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import type { ServerRequest } from '../../../../src-core/contract/types.ts';
import type { ToolExecutionResult } from '../../../../src-core/base/calls.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { serveLegacy } from '../../mcp/legacyServer.ts';
import { serveModern } from '../../mcp/modernServer.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, approve, everything, nodeServer, untilState } from './support.ts';

const filesystem = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
let workbench: Workbench;
beforeEach(async () => {
  workbench = await openWorkbench({ shell: 'browser' });
});
const api = (): Workbench['services']['servers'] => workbench.services.servers;
let calls = 0;
const call = (toolName: string, args = {}): Promise<ToolExecutionResult> =>
  workbench.services.calls.execute({
    toolName,
    argsJson: JSON.stringify(args),
    callId: `call-${++calls}`,
    origin: 'executor',
  });
const nextRequest = async (): Promise<ServerRequest> => {
  const [request] = await vi.waitUntil(async () => {
    const waiting = await api().requests(undefined);
    return waiting.length > 0 && waiting;
  });
  return request!;
};
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'toolwire-root-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  writeFileSync(join(made, 'note.txt'), `in ${made}`);
  return made;
};

it('tells a server its roots; changing them changes what it may read', async () => {
  const [first, second] = [folder(), folder()];
  const id = await addServer(workbench, nodeServer('files', [filesystem, first]));
  await untilState(workbench, 'ready');
  const read = (of: string) => call('mcp-files_read_text_file', { path: join(of, 'note.txt') });
  expect(await read(second)).toMatchObject({ error: { code: 'tool-error' } });
  const restarted = api().setRoots({ id, roots: [{ uri: second }] });
  // It is not shown as stopped meanwhile.
  expect((await api().list(undefined))[0]?.state).toBe('starting');
  await restarted;
  await untilState(workbench, 'ready');
  expect((await api().detail({ id })).roots).toEqual([{ uri: pathToFileURL(second).href }]);
  await vi.waitUntil(async () => (await read(second)).status === 'success');
  expect(await read(first)).toMatchObject({ error: { code: 'tool-error' } });
  await api().setRoots({ id, roots: [{ uri: pathToFileURL(first).href, name: 'first' }] });
  await vi.waitUntil(async () => (await read(first)).status === 'success');
  expect(await read(second)).toMatchObject({ error: { code: 'tool-error' } });
  const relative = Promise.resolve().then(() => api().setRoots({ id, roots: [{ uri: 'here' }] }));
  await expect(relative).rejects.toMatchObject({ field: 'roots', message: expect.stringContaining('"here"') });
});

it('lets a server ask for a reply only if that is allowed; a model or the user writes it, or the user refuses', async () => {
  const id = await addServer(workbench, nodeServer('everything', [everything]));
  const tool = 'mcp-everything_trigger-sampling-request';
  await untilState(workbench, 'ready');
  expect(await call(tool, { prompt: 'x' })).toMatchObject({ error: { code: 'unknown-method' } });
  await api().setSampling({ id, allowed: true });
  await vi.waitUntil(async () => (await api().detail({ id })).tools.some(({ name }) => tool.endsWith(name)));
  await untilState(workbench, 'ready');
  expect(await api().definitionChanges({ id })).toMatchObject([{ tool: tool.slice(15), since: 'sampling' }]);
  await api().setRoots({ id, roots: [{ uri: folder() }] });
  await vi.waitUntil(async () => (await api().definitionChanges({ id })).length > 1);
  expect((await api().definitionChanges({ id })).map(({ since }) => since)).toEqual(['roots', 'sampling']);
  await untilState(workbench, 'ready');

  const byModel = call(tool, { prompt: 'hello', maxTokens: 50 });
  const request = await nextRequest();
  expect(request).toMatchObject({
    kind: 'sampling',
    sampling: { system: 'You are a helpful test server.', maxTokens: 50, tools: [] },
  });
  expect(request.sampling?.messages[0]?.text).toContain('hello');
  const { requestId } = request;
  const reply = await api().draftReply({ requestId });
  expect(reply).toMatchObject({ model: 'Scripted model', text: expect.stringContaining('scripted model') });
  const empty = Promise.resolve().then(() => api().answer({ requestId, action: 'accept' }));
  await expect(empty).rejects.toMatchObject({ field: 'reply' });
  const foreign = { ...reply, calls: [{ name: 'delete', input: {} }] };
  const withTool = Promise.resolve().then(() => api().answer({ requestId, action: 'accept', reply: foreign }));
  await expect(withTool).rejects.toMatchObject({ field: 'reply', message: expect.stringContaining('"delete"') });
  await api().answer({ requestId, action: 'accept', reply });
  expect((await byModel).result).toContain('I am the scripted model');

  const byHand = call(tool, { prompt: 'hello' });
  const written = { text: 'Written by hand.', calls: [] };
  await api().answer({ requestId: (await nextRequest()).requestId, action: 'accept', reply: written });
  const { result: byUser } = await byHand;
  expect(byUser).toContain('Written by hand.');
  expect(byUser).toContain('"human"');

  const refused = call(tool, { prompt: 'hello' });
  await api().answer({ requestId: (await nextRequest()).requestId, action: 'decline' });
  expect((await refused).result).toContain('The user refused the request');
});

const reply = { role: 'user', content: { type: 'text', text: 'x' } };

it.each([
  ['sampling/createMessage', { messages: [reply], maxTokens: 1 }, 'May ask for replies from a model'],
  ['roots/list', {}, 'add a folder under Roots'],
])('says what to allow if a server asks for %s, which is off', async (method, params, remedy) => {
  const refusal = Promise.withResolvers<string>();
  const legacy = await serveLegacy(async (message) => {
    if (message.method !== 'tools/call') return undefined;
    const ask = setInterval(() => {
      legacy.send({ id: 'q', method, params });
      const sent = legacy.received.find(({ id }) => id === 'q') as { error?: { code: number; message: string } };
      if (sent?.error) refusal.resolve(`${sent.error.code}: ${sent.error.message}`);
    }, 20);
    const text = await refusal.promise.finally(() => clearInterval(ask));
    return { content: [{ type: 'text', text }], isError: true };
  });
  const modern = await serveModern((message) => {
    if (message.method === 'tools/list')
      return { tools: [{ name: 'echo', inputSchema: { type: 'object' } }], ttlMs: 0, cacheScope: 'private' };
    if (message.method !== 'tools/call') return undefined;
    return { resultType: 'input_required', inputRequests: { q: { method, params } } };
  });
  for (const [name, { url }] of [['legacy', legacy] as const, ['modern', modern] as const]) {
    await addServer(workbench, { name, type: 'http', url, headers: [] });
    await vi.waitUntil(async () => (await api().list(undefined)).every(({ state }) => state === 'ready'));
    const { result, error } = await call(`mcp-${name}_echo`);
    expect(result).toContain(remedy);
    expect(result.startsWith('-32601: ')).toBe(name === 'legacy');
    expect(error).toMatchObject({ code: 'tool-error', details: { notAllowed: method } });
  }
});

const question = {
  method: 'sampling/createMessage',
  params: {
    messages: [{ role: 'user', content: { type: 'text', text: 'What time is it?' } }],
    maxTokens: 100,
    tools: [{ name: 'get_time', description: 'The time.', inputSchema: { type: 'object' } }],
  },
};
const thanks = { content: [{ type: 'text', text: 'thanks' }] };

/** What a server whose tool asks a model has received. */
interface Asked {
  sampling?: unknown;
  reply?: unknown;
}

const asking = {
  async legacy(asked: Asked) {
    const server = await serveLegacy(async ({ method, params }) => {
      if (method === 'initialize') asked.sampling = (params['capabilities'] as ClientCapabilities).sampling;
      if (method !== 'tools/call') return undefined;
      await vi.waitUntil(() => server.openStreams() > 0);
      server.send({ id: 'time', ...question });
      const answer: object = await vi.waitUntil(() => server.received.find(({ id }) => id === 'time'));
      asked.reply = (answer as { result?: unknown }).result;
      return thanks;
    });
    return server.url;
  },
  async modern(asked: Asked) {
    const { url } = await serveModern(({ method, params }) => {
      if (method === 'tools/list')
        return { tools: [{ name: 'echo', inputSchema: { type: 'object' } }], ttlMs: 0, cacheScope: 'private' };
      if (method !== 'tools/call') return undefined;
      asked.sampling = (params._meta[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities).sampling;
      if (params['requestState'] !== 's 1')
        return { resultType: 'input_required', inputRequests: { time: question }, requestState: 's 1' };
      asked.reply = (params['inputResponses'] as { time: unknown }).time;
      return thanks;
    });
    return url;
  },
};

it.each(['legacy', 'modern'] as const)(
  'passes the tools of a request on to the model, and its calls to the server, %s',
  async (era) => {
    const asked: Asked = {};
    const url = await asking[era](asked);
    const { id } = await api().add({ name: 'lab', type: 'http', url, headers: [] });
    await api().setSampling({ id, allowed: true });
    await approve(workbench, id);
    await untilState(workbench, 'ready');
    const answer = call('mcp-lab_echo');
    const { requestId, sampling } = await nextRequest();
    expect(sampling?.tools).toEqual([{ name: 'get_time', description: 'The time.' }]);
    const reply = await api().draftReply({ requestId });
    expect(reply.calls).toEqual([{ name: 'get_time', input: {} }]);
    await api().answer({ requestId, action: 'accept', reply });
    expect(await answer).toMatchObject({ status: 'success', result: 'thanks' });
    expect(asked).toEqual({
      sampling: { tools: {} },
      reply: {
        role: 'assistant',
        model: 'Scripted model',
        stopReason: 'toolUse',
        content: [
          { type: 'text', text: 'I look at the clock.' },
          { type: 'tool_use', id: 'call_1', name: 'get_time', input: {} },
        ],
      },
    });
  },
);

it('says why a server refuses a log level, without the secrets of the server', async () => {
  const message = 'Not for the-secret-of-the-test';
  const { url } = await serveLegacy(
    ({ method }) => (method === 'logging/setLevel' ? { error: { code: 1, message } } : undefined),
    { logging: {} },
  );
  const headers = [{ name: 'X-Key', value: 'the-secret-of-the-test' }];
  const id = await addServer(workbench, { name: 'lab', type: 'http', url, headers });
  await untilState(workbench, 'ready');
  await expect(api().setLogLevel({ id, level: 'debug' })).rejects.toMatchObject({
    name: 'RequestError',
    message: expect.stringContaining('Not for ***'),
  });
});
