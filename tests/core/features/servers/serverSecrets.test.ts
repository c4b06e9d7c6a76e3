/** Secrets of MCP servers in what is recorded of them. */
import { expect, it, onTestFinished } from 'vitest';

import { createMcpFrames } from '../../../../src-core/features/frames/mcp/mcpFrames.ts';
import { createSecretMask } from '../../../../src-core/features/servers/serverSecrets.ts';
import { superviseServer } from '../../../../src-core/features/servers/superviseServer.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import { serveFetch } from '../../mcp/serveFetch.ts';
import type { NewFrame } from '../../../../src-core/features/frames/frameLog.ts';

const stdio = (env: Record<string, string>) => createSecretMask({ type: 'stdio', command: 'x', args: [], env });
const http = (url: string, headers: Record<string, string> = {}) => createSecretMask({ type: 'http', url, headers });

it('masks a secret that begins with another one', () => {
  expect(stdio({ A: 'abcdef', B: 'abcdefghij' })('abcdefghij abcdef')).toBe('*** ***');
});

it('masks the present tokens of a sign-in beside them', () => {
  const mask = stdio({ A: 'abcdef' });
  const text = 'abcdef token-1 token-2';
  expect([mask(text, ['token-1']), mask(text, ['token-2']), mask(text)]).toEqual([
    '*** *** token-2',
    '*** token-1 ***',
    '*** token-1 token-2',
  ]);
});

it('masks secrets as JSON and as a URL write them, and leaves short values', () => {
  const mask = stdio({ A: 'say "please"', B: 'true' });
  expect(mask(String.raw`{"a":"say \"please\"","b":true}`)).toBe('{"a":"***","b":true}');
  expect(mask('https://a.example/?q=say%20%22please%22')).toBe('https://a.example/?q=***');
});

it('masks the token of a header without its scheme, the user info of a URL and a long value of its query', () => {
  const mask = http('https://worker-1:pass%2Fword@a.example/mcp?region=eu-west-1&sig=0123456789abcdef', {
    Authorization: 'Basic dG9rZW4tMTIz',
  });
  expect(mask('dG9rZW4tMTIz worker-1 pass/word 0123456789abcdef eu-west-1')).toBe('*** *** *** *** eu-west-1');
});

it('takes a value that is not well-formed Unicode', () => {
  expect(stdio({ A: 'swordfish\ud800' })('swordfish\ud800')).toBe('***');
});

it('reads a URL whose user info is not encoded correctly', () => {
  expect(http('https://user:50%-off-99@a.example/mcp')('50%-off-99')).toBe('***');
});

it('masks secrets in summaries, methods and headers of frames', () => {
  const added: NewFrame[] = [];
  const frames = createMcpFrames({
    frames: { add: (frame) => added.push(frame) },
    source: 'mcp',
    connection: 'a',
    mask: stdio({ A: 'swordfish-7' }),
    clock: { now: () => 0 },
  });
  const uri = `file:///${'x'.repeat(185)}swordfish-7`;
  const headers = { 'x-echo': 'swordfish-7', 'x-lab': 'bench 4' };
  const add = (text: string): void =>
    frames.add({ direction: 'in', text, bytes: 1, http: { method: 'POST', headers } });
  add('out of order: swordfish-7');
  add(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }));
  add(JSON.stringify({ jsonrpc: '2.0', method: 'x/swordfish-7' }));
  expect(added).toHaveLength(3);
  expect(added[0]?.http?.headers).toEqual({ 'x-echo': '***', 'x-lab': 'bench 4' });
  // Also no part of it, at the end of what is cut.
  expect(JSON.stringify(added)).not.toContain('sword');
});

it('masks secrets in the frames and notes of a server that the library supervises', async () => {
  const { url } = await serveFetch(async (request) => {
    const { id } = JSON.parse((await request.text()) || '{}') as { id?: number };
    const answer = { 'X-Echo': request.headers.get('x-key') ?? '', 'Content-Type': 'application/json' };
    return Response.json(
      { jsonrpc: '2.0', id: id ?? null, error: { code: 1, message: 'swordfish-7' } },
      { headers: answer },
    );
  });
  const seen: unknown[] = [];
  const server = superviseServer({
    id: 'lab',
    endpoint: { type: 'http', url, headers: { 'X-Key': 'swordfish-7' } },
    toolRegistryManager: createToolRegistryManager(),
    onFrame: (frame) => seen.push(frame),
    onNote: (kind, text) => seen.push({ kind, text }),
  });
  onTestFinished(() => server.stop());
  server.start();
  const failure = await server.whenReady().catch((error: unknown) => String(error));
  expect(JSON.stringify(seen)).toContain('X-Echo'.toLowerCase());
  expect(JSON.stringify([seen, failure, server.failure])).not.toContain('swordfish');
});

it.each(['initialize', 'tools/call'])('masks a secret with spaces in the body of a refusal, %s', async (refused) => {
  const { url } = await serveFetch(async (request) => {
    const { id, method } = JSON.parse((await request.text()) || '{}') as { id?: number; method?: string };
    if (method === 'server/discover')
      return Response.json({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'no' } });
    if (method === refused) return new Response(`${'x '.repeat(140)}correct  horse battery`, { status: 500 });
    if (id === undefined) return new Response(null, { status: 202 });
    const tools = [{ name: 'a', inputSchema: { type: 'object' } }];
    const serverInfo = { name: 'x', version: '1' };
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo, tools };
    return Response.json({ jsonrpc: '2.0', id, result });
  });
  const toolRegistryManager = createToolRegistryManager();
  const call = { callId: '1', signal: new AbortController().signal, timeoutMs: 10_000 };
  const server = superviseServer({
    id: 'lab',
    endpoint: { type: 'http', url, headers: { 'X-Key': 'correct  horse battery' } },
    toolRegistryManager,
  });
  onTestFinished(() => server.stop());
  server.start();
  const failure = await server
    .whenReady()
    .then(() => toolRegistryManager.getAllTools()[0]?.invoke('a', {}, call))
    .catch(String);
  expect(failure).toContain('500');
  expect(failure).toContain('***');
  expect(failure).not.toContain('correct');
});
