/** The frames of MCP servers in the one log: as they were sent, paired, assigned to calls, secrets masked. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, it, onTestFinished } from 'vitest';

import type { Frame } from '../../../../src-core/contract/types.ts';
import { createMcpFrames, observerOf, ofCall } from '../../../../src-core/features/frames/mcp/mcpFrames.ts';
import type { NewFrame } from '../../../../src-core/features/frames/frameLog.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { serveFetch } from '../../mcp/serveFetch.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, everything, nodeServer, untilState } from './support.ts';

let workbench: Workbench;
beforeEach(async () => {
  workbench = await openWorkbench({ shell: 'browser' });
});

async function start(config: Parameters<typeof addServer>[1]): Promise<string> {
  const id = await addServer(workbench, config);
  await untilState(workbench, 'ready', 'failing');
  return id;
}
const startEverything = (): Promise<string> =>
  start(nodeServer('everything', [everything], [{ name: 'LAB_WORD', value: 'swordfish-7' }]));
async function framesOf(id: string): Promise<Frame[]> {
  const { frames } = workbench.services;
  const name = { source: 'mcp', connection: id } as const;
  const { rows } = await frames.page({ ...name, limit: 1_000 });
  return Promise.all(rows.map(({ seq }) => frames.frame({ ...name, seq })));
}
const call = (toolName: string, argsJson: string, callId: string) =>
  workbench.services.calls.execute({ toolName, argsJson, callId, origin: 'executor' });

it('records each message as it was sent, with its method, its id and the time to its answer', async () => {
  const id = await startEverything();
  const frames = await framesOf(id);
  const asked = frames.find(({ method, role }) => method === 'initialize' && role === 'request')!;
  expect(asked).toMatchObject({ source: 'mcp', connection: id, direction: 'out', kind: 'text', type: 'mcp' });
  expect(JSON.parse(asked.text!)).toMatchObject({ jsonrpc: '2.0', method: 'initialize', id: asked.rpcId });
  expect(asked.bytes).toBe(Buffer.byteLength(asked.text!));
  const answer = frames.find(({ method, role }) => method === 'initialize' && role === 'answer')!;
  expect(answer).toMatchObject({ direction: 'in', rpcId: asked.rpcId, durationMs: expect.any(Number) });
  // µs, as the frames of devices have it.
  expect(answer.durationMs).toBe(Number(answer.durationMs?.toFixed(3)));
  expect(frames.some(({ role, method }) => role === 'notification' && method === 'notifications/initialized')).toBe(
    true,
  );
  expect(frames.map(({ kind }) => kind)).toContain('open');
});

it('says that a connection over HTTP failed, and not that it was opened', async () => {
  const id = await start({ name: 'far', type: 'http', url: 'http://no-such-host.invalid/mcp', headers: [] });
  const rows = (await framesOf(id)).filter(({ kind }) => kind !== 'text');
  const notes = rows.map(({ summary }) => summary);
  expect(notes[0]).toBe('Connecting');
  expect(rows.filter(({ failed }) => failed).map(({ summary }) => summary)).toEqual([
    expect.stringContaining('The connection failed'),
  ]);
  expect(notes).toContainEqual(expect.stringMatching(/^The connection failed: (ENOTFOUND|EAI_AGAIN)$/));
  expect(notes.join()).not.toContain('opened');
});

it('assigns the frames of a call to it, and keeps integers beyond 2^53', async () => {
  const id = await startEverything();
  const ended = await call('mcp-everything_get-sum', '{"a":9007199254740993,"b":1}', 'sum-1');
  expect(ended).toMatchObject({ status: 'success' });
  const frames = await workbench.services.frames.ofCall({ callId: 'sum-1' });
  expect(frames.map(({ direction, role, summary }) => [direction, role, summary])).toEqual([
    ['out', 'request', 'tools/call get-sum'],
    ['in', 'answer', 'answer to tools/call get-sum'],
  ]);
  expect(frames[0]!.text).toContain('"a":9007199254740993');
  expect(frames.every(({ connection }) => connection === id)).toBe(true);
});

it('assigns what a server asks to the only call that runs, also after one that was cancelled', async () => {
  const id = await startEverything();
  const running = call('mcp-everything_trigger-elicitation-request', '{}', 'ask-1');
  const { servers, frames } = workbench.services;
  await expect.poll(async () => (await servers.requests(undefined)).length).toBe(1);
  const asked = await frames.ofCall({ callId: 'ask-1' });
  expect(asked.map(({ direction, summary }) => [direction, summary])).toContainEqual(['in', 'elicitation/create']);
  workbench.services.calls.cancel({ callId: 'ask-1' });
  await running;
  const [sent] = asked;
  await expect
    .poll(async () => frames.ofCall({ callId: 'ask-1' }))
    .toContainEqual(
      expect.objectContaining({ method: 'notifications/cancelled', direction: 'out', rpcId: sent?.rpcId }),
    );
  const next = call('mcp-everything_trigger-elicitation-request', '{}', 'ask-2');
  await expect.poll(async () => (await servers.requests(undefined)).length).toBe(1);
  expect((await frames.ofCall({ callId: 'ask-2' })).map(({ summary }) => summary)).toContain('elicitation/create');
  workbench.services.calls.cancel({ callId: 'ask-2' });
  await next;
  await servers.stop({ id });
});

it('assigns a question to the call of the task that it names, or to the only call that has not ended', async () => {
  const rows: NewFrame[] = [];
  const add = (frame: NewFrame): number => rows.push(frame);
  const frames = createMcpFrames({
    frames: { add },
    source: 'mcp',
    connection: 'a',
    mask: String,
    clock: { now: () => 0 },
  });
  const record = (direction: 'in' | 'out', message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    frames.add({ direction, text, bytes: text.length });
  };
  const begin = (callId: string, rpcId: number): (() => Promise<unknown>) => {
    const { promise, resolve } = Promise.withResolvers();
    const ended = ofCall(callId, () => {
      record('out', { id: rpcId, method: 'tools/call', params: { name: callId } });
      return promise;
    });
    return () => {
      resolve(undefined);
      return ended;
    };
  };
  const callOf = (params: object, id: string | number = 7): string | undefined => {
    record('in', { id, method: 'elicitation/create', params });
    return rows.at(-1)?.note?.callId;
  };
  const ofTask = { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't' } } };
  const endTask = begin('task', 1);
  record('in', { id: 1, result: { task: { taskId: 't', status: 'working' } } });
  const endOther = begin('other', 2);
  expect([callOf(ofTask), callOf({})]).toEqual(['task', undefined]);
  await endOther();
  // No request of the task's call is open.
  expect([callOf({}), callOf({}, 'text')]).toEqual(['task', 'task']);
  await endTask();
  expect([callOf({}), callOf({}, 'text')]).toEqual([undefined, '"text"']);
});

it('masks the values of variables in frames, in the log of the process and in what failed', async () => {
  const id = await startEverything();
  await call('mcp-everything_get-env', '{}', 'env-1');
  await call('mcp-everything_echo', '{"message":"swordfish-7"}', 'echo-1');
  const log = JSON.stringify([await framesOf(id), await workbench.services.servers.log({ id })]);
  expect(log).toContain('LAB_WORD');
  expect(log).not.toContain('swordfish-7');
});

it('records a late message once: its frame is its row', () => {
  const rows: NewFrame[] = [];
  const life: string[] = [];
  const add = (frame: NewFrame): number => rows.push(frame);
  const options = { source: 'mcp', connection: 'a', mask: String, clock: { now: () => 0 } } as const;
  const observer = observerOf(createMcpFrames({ frames: { add }, ...options }), (_kind, text) => void life.push(text));
  const text = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":2}}';
  observer.onFrame?.({ direction: 'in', text, bytes: text.length });
  observer.onNote?.('note', 'A late message was ignored.', { code: 'late', isProgress: true, id: 7 });
  observer.onNote?.('note', 'Another note');
  expect(rows.map(({ note }) => note?.summary)).toEqual(['notifications/progress', 'Another note']);
  expect(life).toEqual(['A late message was ignored.', 'Another note']);
});

it('empties the log of a server, restores it, and removes it with the server', async () => {
  const id = await startEverything();
  await workbench.services.servers.stop({ id });
  const before = (await framesOf(id)).length;
  expect(before).toBeGreaterThan(3);
  await workbench.services.frames.clear({ source: 'mcp', connection: id });
  expect(await framesOf(id)).toEqual([]);
  const things = workbench.services.removed.list();
  expect(things[0]).toMatchObject({ kind: 'serverLog', name: 'everything', of: id });
  await workbench.services.removed.restore({ id: things[0]!.id });
  expect((await framesOf(id)).length).toBe(before);
  await workbench.services.frames.clear({ source: 'mcp', connection: id });
  await workbench.services.servers.remove({ id });
  expect(await framesOf(id)).toEqual([]);
  expect(workbench.services.removed.list()).toMatchObject([{ kind: 'server', of: id }]);
});

it('requires the server of a log', async () => {
  await expect(workbench.services.frames.page({ source: 'mcp', limit: 10 })).rejects.toThrow(
    'Name an MCP server: each has a log of its own.',
  );
});

it('keeps status and headers of HTTP messages, without the values of secret headers', async () => {
  const server = createServer((request, response) => {
    request.resume();
    response
      .writeHead(500, {
        'content-type': 'text/plain',
        'x-lab': 'bench 4',
        'x-echo': String(request.headers['x-lab-pass']),
      })
      .end(`out of order: ${String(request.headers['x-lab-pass'])}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const id = await start({
    name: 'broken',
    type: 'http',
    url: `http://127.0.0.1:${port}/mcp`,
    headers: [{ name: 'X-Lab-Pass', value: 'swordfish-7' }],
  });
  const frames = await framesOf(id);
  const asked = frames.find(({ direction, http }) => direction === 'out' && http !== undefined)!;
  expect(asked.http).toMatchObject({ method: 'POST', headers: { 'x-lab-pass': '***' } });
  const answer = frames.find(({ direction, http }) => direction === 'in' && http !== undefined)!;
  expect(answer).toMatchObject({
    text: 'out of order: ***',
    summary: 'out of order: ***',
    http: { status: 500, headers: { 'x-lab': 'bench 4' } },
  });
  expect(JSON.stringify(frames)).not.toContain('swordfish-7');
});

it.each(['', 'no', '{"error":"invalid_token"}', '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}'])(
  'a request that is refused with a status has the time to the refusal: "%s"',
  async (body) => {
    const { url } = await serveFetch(() => Promise.resolve(new Response(body, { status: 403 })));
    const frames = await framesOf(await start({ name: 'closed', type: 'http', url, headers: [] }));
    const asked = frames.find(({ role, direction }) => role === 'request' && direction === 'out')!;
    expect(frames.find(({ role }) => role === 'answer')).toMatchObject({
      method: asked.method,
      callId: asked.callId,
      bytes: body.length,
      durationMs: expect.any(Number),
      failed: true,
      http: { status: 403 },
      ...(body === '' && { summary: 'HTTP 403' }),
    });
  },
);

it('masks the secrets of the configuration in the error of a call', async () => {
  const { url } = await serveFetch(async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405 });
    const { id, method } = (await request.json()) as { id?: number; method: string };
    if (id === undefined) return new Response(null, { status: 202 });
    if (method === 'tools/call') return new Response(`refused: ${request.headers.get('x-lab-pass')}`, { status: 500 });
    const serverInfo = { name: 's', version: '1' };
    const tools = [{ name: 'read', inputSchema: { type: 'object' } }];
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo, tools };
    return Response.json({ jsonrpc: '2.0', id, result });
  });
  await start({ name: 'lab', type: 'http', url, headers: [{ name: 'X-Lab-Pass', value: 'swordfish-7' }] });
  const result = await call('mcp-lab_read', '{}', 'read');
  expect(result.error?.message).toContain('refused: ***');
  expect(JSON.stringify(result)).not.toContain('swordfish-7');
});
