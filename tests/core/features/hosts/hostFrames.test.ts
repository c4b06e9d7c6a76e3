/** The frames of MCP hosts and endpoints in the one log: both eras over HTTP, the pipe of `toolwire mcp`, tokens masked. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { answerRecorder, createHostLog } from '../../../../src-core/features/hosts/hostFrames.ts';
import type { NewFrame } from '../../../../src-core/features/frames/frameLog.ts';
import type { Frame } from '../../../../src-core/contract/types.ts';
import type { MessagePipe } from '../../../../src-core/features/hosts/pipe.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { serveLegacy } from '../../mcp/legacyServer.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, untilState } from '../servers/support.ts';
import { connectBoard } from './board.ts';
import { connectHost, newToken } from './connectHost.ts';

async function framesOf({ services: { frames } }: Workbench, connection: string): Promise<Frame[]> {
  const name = { source: 'host', connection } as const;
  const { rows } = await frames.page({ ...name, limit: 1_000 });
  return Promise.all(rows.map(({ seq }) => frames.frame({ ...name, seq })));
}

async function connect(workbench: Workbench, mode: 'legacy' | 'auto') {
  const { id, token } = workbench.services.hosts.create({ name: 'My host', scope: 'all' });
  const client = new Client({ name: 'test-host', version: '1' }, { versionNegotiation: { mode } });
  const headers = { Authorization: `Bearer ${token}` };
  const url = new URL(workbench.services.hosts.state().url);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return { id, token, client };
}

/** A host at the other end of a pipe. */
function openPipe(workbench: Workbench) {
  let toServer: (text: string) => void = () => undefined;
  let end: () => void = () => undefined;
  const answers: string[] = [];
  const pipe: MessagePipe = {
    send: (text) => answers.push(text),
    open(onText, onClose) {
      toServer = onText;
      end = onClose;
    },
    close: () => undefined,
  };
  workbench.features.hosts.servePipe(pipe, '{"scope":"all","finds":false}');
  return {
    answers,
    end: () => end(),
    send: (message: object | string) => toServer(typeof message === 'string' ? message : JSON.stringify(message)),
  };
}

describe('hosts over HTTP', () => {
  it.each(['legacy', 'auto'] as const)('each message is recorded with its status and headers (%s)', async (mode) => {
    const workbench = await openWorkbench();
    const { id, token, client } = await connect(workbench, mode);
    const { tools } = await client.listTools();
    const { name } = tools.find((tool) => tool.name.endsWith('calculate') || tool.name.includes('time')) ?? tools[0]!;
    await client.callTool({ name, arguments: { large: token } });
    const frames = await framesOf(workbench, id);
    const calls = frames.filter(({ method, kind }) => method === 'tools/call' && kind === 'text');
    expect(calls.map(({ direction, role, summary }) => [direction, role, summary])).toEqual([
      ['in', 'request', `tools/call ${name}`],
      ['out', 'answer', `answer to tools/call ${name}`],
    ]);
    expect(calls[1]).toMatchObject({
      rpcId: calls[0]!.rpcId,
      durationMs: expect.any(Number) as number,
      http: { method: 'POST', status: 200, headers: { 'content-type': expect.any(String) as string } },
    });
    expect(calls[0]!.http).toMatchObject({ method: 'POST', headers: { authorization: '***' } });
    const list = frames.find(({ method, role }) => method === 'tools/list' && role === 'answer')!;
    expect(JSON.parse(list.text!)).toHaveProperty('result.tools.0.name');
    expect(JSON.stringify(frames)).not.toContain(token);
  });

  it('keeps exact integers, and records what cannot be read with the refusal', async () => {
    const workbench = await openWorkbench();
    const { id, token } = workbench.services.hosts.create({ name: 'My host', scope: 'all' });
    const post = (body: string) =>
      fetch(workbench.services.hosts.state().url, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body,
      });
    expect((await post('{"large":9007199254740993')).status).toBe(400);
    const [asked, refused] = await framesOf(workbench, id);
    expect(asked).toMatchObject({ direction: 'in', type: 'invalid', text: '{"large":9007199254740993' });
    expect(refused).toMatchObject({ direction: 'out', failed: true, http: { status: 400 } });
  });

  it('the log of a host is deleted when its token is revoked', async () => {
    const workbench = await openWorkbench();
    const { id, client } = await connect(workbench, 'legacy');
    await client.listTools();
    expect(await framesOf(workbench, id)).not.toEqual([]);
    await workbench.services.hosts.revoke({ id });
    expect(await framesOf(workbench, id)).toEqual([]);
  });
});

describe('the frames of a call', () => {
  /** Those of the last call of a host: of which wire, where to, and what. */
  async function ofLastCall({ services: { hosts, frames } }: Workbench, id: string) {
    const [call] = hosts.calls({ id });
    const found = await frames.ofCall({ callId: call?.callId ?? '' });
    return found.map(({ source, direction, summary }) => `${source} ${direction} ${summary}`);
  }

  it.each(['legacy', 'modern'] as const)(
    'are those of the host and of the MCP server that it reaches (%s)',
    async (era) => {
      const workbench = await openWorkbench();
      const server = await serveLegacy(({ method }) =>
        method === 'tools/list' ? { tools: [{ name: 'ping', inputSchema: { type: 'object' } }] } : undefined,
      );
      const serverId = await addServer(workbench, { name: 'lab', type: 'http', url: server.url, headers: [] });
      await untilState(workbench, 'ready');
      await workbench.services.servers.setConsumers({ id: serverId, consumers: ['host'] });
      const { id, token } = newToken(workbench);
      const client = await connectHost(workbench, { era, token });
      await client.callTool({ name: 'lab_ping' });
      expect(await ofLastCall(workbench, id)).toEqual([
        'host in tools/call lab_ping',
        'mcp out tools/call ping',
        'mcp in answer to tools/call ping',
        'host out answer to tools/call lab_ping',
      ]);
    },
  );

  it.each(['legacy', 'modern'] as const)('include each round of questions to the host (%s)', async (era) => {
    const workbench = await openWorkbench();
    await connectBoard(workbench, '02:00:00:aa:be:01');
    const { id, token } = newToken(workbench);
    const client = await connectHost(workbench, {
      era,
      token,
      answer: () => ({ action: 'accept', content: { run: true } }),
    });
    await client.callTool({ name: 'kitchen_be01_reboot' });
    const frames = await ofLastCall(workbench, id);
    const asked = 'tools/call kitchen_be01_reboot';
    expect(frames.filter((frame) => frame.startsWith('host'))).toEqual(
      era === 'modern'
        ? [`host in ${asked}`, `host out answer to ${asked}`, `host in ${asked}`, `host out answer to ${asked}`]
        : [
            `host in ${asked}`,
            'host out elicitation/create',
            'host in answer to elicitation/create',
            `host out answer to ${asked}`,
          ],
    );
    expect(frames.filter((frame) => frame.startsWith('device'))).toHaveLength(2);
  });

  it('are none of a request whose id is that of the call', async () => {
    const workbench = await openWorkbench();
    const { id, client } = await connect(workbench, 'auto');
    await client.callTool({ name: 'clock_get_time' });
    const before = await ofLastCall(workbench, id);
    const [call] = workbench.services.hosts.calls({ id });
    const other = openPipe(workbench);
    for (let count = 0; count < 20; count += 1) other.send({ jsonrpc: '2.0', id: call?.callId, method: 'ping' });
    expect(await ofLastCall(workbench, id)).toEqual(before);
    expect(before).toHaveLength(2);
  });
});

describe('a host at `toolwire mcp`', () => {
  const clientInfo = { name: 'Desk host', version: '1' };
  const initialize = (id: string | number) => ({
    jsonrpc: '2.0',
    id,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  });

  it('is recorded under its name from its first message on, also with ids that are texts', async () => {
    const workbench = await openWorkbench();
    const host = openPipe(workbench);
    host.send(initialize('first'));
    await vi.waitFor(() => expect(host.answers).toHaveLength(1));
    host.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    host.send('no JSON');
    host.send(`{"jsonrpc":"2.0","id":${'['.repeat(100_000)}${']'.repeat(100_000)},"method":"ping"}`);
    await vi.waitFor(async () => expect(await framesOf(workbench, 'stdio:Desk host')).toHaveLength(7));
    const frames = await framesOf(workbench, 'stdio:Desk host');
    expect(frames.map(({ direction, role, type, callId }) => [direction, role ?? type, callId])).toEqual([
      ['in', 'request', '"first"'],
      ['out', 'answer', '"first"'],
      ['in', 'notification', undefined],
      ['in', 'invalid', undefined],
      ['out', 'answer', undefined],
      ['in', 'invalid', undefined],
      ['out', 'answer', undefined],
    ]);
  });

  it('since 2026-07-28 is listed under its name, and asks for its task by it', async () => {
    const workbench = await openWorkbench();
    const ending = Promise.withResolvers<{ value: null }>();
    workbench.toolRegistryManager.register({
      id: 'slow',
      name: 'slow',
      source: { kind: 'builtin', id: 'slow', label: 'slow' },
      getMetadata: () => ({
        methods: [{ name: 'work', description: '', agentCallable: true, inputSchema: { type: 'object' } }],
      }),
      invoke(_name, _args, { host }) {
        host?.becomeTask();
        return ending.promise;
      },
    });
    const host = openPipe(workbench);
    const ask = async (id: number, method: string, params: object) => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': clientInfo,
        'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
      };
      host.send({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });
      await vi.waitFor(() => expect(host.answers).toHaveLength(id));
      return JSON.parse(host.answers.at(-1) ?? '') as { result?: Record<string, unknown> };
    };
    const { result } = await ask(1, 'tools/call', { name: 'slow_work', arguments: {} });
    const [call] = workbench.services.hosts.calls({ id: 'stdio:Desk host' });
    expect((await framesOf(workbench, 'stdio:Desk host')).map(({ callId }) => callId)).toEqual([
      call?.callId,
      call?.callId,
    ]);
    expect(result).toMatchObject({ resultType: 'task' });
    const { taskId } = result ?? {};
    expect(await ask(2, 'tasks/get', { taskId })).toMatchObject({ result: { taskId, status: 'working' } });
    expect(workbench.services.hosts.state().hosts).toMatchObject([
      { id: 'stdio:Desk host', name: 'Desk host', era: 'modern', client: clientInfo },
    ]);
    ending.resolve({ value: null });
    host.end();
  });

  it('that never says its name has no log, and few of its messages are held', async () => {
    const workbench = await openWorkbench();
    const host = openPipe(workbench);
    for (let count = 0; count < 3; count += 1) host.send('nothing');
    host.end();
    expect(await framesOf(workbench, 'stdio:')).toEqual([]);
    const chatty = openPipe(workbench);
    for (let count = 0; count < 20; count += 1) chatty.send('nothing');
    expect((await framesOf(workbench, 'stdio:')).length).toBe(40);
  });
});

/** A log of hosts, and the frames that were added to it. */
function openLog() {
  const added: NewFrame[] = [];
  const log = createHostLog({
    frames: { add: (frame) => added.push(frame), setAside: () => Promise.resolve() },
    wire: { drop: () => Promise.resolve() },
    clock: { now: () => 0 },
  });
  return { added, log };
}

describe('the frames of an answer', () => {
  const answers = ['application/json', 'text/event-stream'] as const;
  const sent = (type: (typeof answers)[number], text: string) =>
    type === 'application/json' ? text : `event: message\nid: 1\ndata: ${text}\n\n`;

  /** Records an answer that is sent in pieces. */
  function record(type: (typeof answers)[number], texts: string[], pieceBytes: number) {
    const { added, log } = openLog();
    const response = new Response('', { headers: { 'content-type': type } });
    const onChunk = answerRecorder(log.of('a'), new Request('http://localhost/', { method: 'POST' }), response);
    const bytes = Buffer.from(texts.map((text) => sent(type, text)).join(''));
    for (let at = 0; at < bytes.length; at += pieceBytes) onChunk?.(bytes.subarray(at, at + pieceBytes));
    onChunk?.(undefined);
    return added.map(({ text, note }) => text ?? note.summary);
  }

  it.each(answers)('are its messages, whatever pieces it is sent in, %s', (type) => {
    const texts = type === 'application/json' ? ['{"a":"€ 😀"}'] : ['{"a":"€ 😀"}', '{"b":1}'];
    for (const pieceBytes of [1, 3, 1_000]) expect(record(type, texts, pieceBytes)).toEqual(texts);
  });

  it('are none of a message over 16 MiB, which is noted, and the others', () => {
    const long = `{"a":"${'x'.repeat(16 * 1024 * 1024)}"}`;
    expect(record('text/event-stream', [long, '{"b":1}'], 1024 * 1024)).toEqual([
      'A message of more than 16777216 bytes was sent',
      '{"b":1}',
    ]);
  });
});

describe('the log of hosts', () => {
  const request = (id: number, name: string) => ({
    direction: 'in' as const,
    text: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } }),
    bytes: 1,
  });
  const answer = (id: number) => ({
    direction: 'out' as const,
    text: JSON.stringify({ jsonrpc: '2.0', id, result: {} }),
    bytes: 1,
  });

  it('ties an answer to the request of its own session', () => {
    const { added, log } = openLog();
    log.of('a', 's1').add(request(1, 'one'));
    log.of('a', 's2').add(request(1, 'two'));
    log.of('a', 's1').add(answer(1));
    log.of('a', 's2').add(answer(1));
    expect(added.map(({ note }) => note.summary)).toEqual([
      'tools/call one',
      'tools/call two',
      'answer to tools/call one',
      'answer to tools/call two',
    ]);
  });
});
