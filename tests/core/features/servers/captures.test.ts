/** Captures of MCP servers: the log as a file and back, replayed on a server, and compared. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { builtCli } from '../../../helpers/builtCli.ts';
import type { CaptureInfo, Frame } from '../../../../src-core/contract/types.ts';
import type { CaptureFrame } from '../../../../src-core/features/captures/captureFrame.ts';
import { createRecordedServer } from '../../../../src-core/features/captures/mcp/recordedServer.ts';
import type { CaptureSource } from '../../../../src-core/features/captures/service.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { serveModern } from '../../mcp/modernServer.ts';
import { dataFolder, openWorkbench } from '../../workbench/openWorkbench.ts';
import { addServer, everything, nodeServer, untilState } from './support.ts';

const raw = join(process.cwd(), 'tests/fixtures/mcp/rawServer.mjs');
const large = '9007199254740993';

async function ready(config: Parameters<typeof addServer>[1]): Promise<{ workbench: Workbench; id: string }> {
  const workbench = await openWorkbench({ shell: 'browser' });
  const id = await addServer(workbench, config);
  await untilState(workbench, 'ready');
  return { workbench, id };
}
const withEverything = () =>
  ready(nodeServer('everything', [everything], [{ name: 'LAB_WORD', value: 'swordfish-7' }]));

let lastCall = 0;
const call = ({ services }: Workbench, toolName: string, argsJson: string) =>
  services.calls.execute({ toolName, argsJson, callId: `call-${(lastCall += 1)}`, origin: 'executor' });

async function exported({ services }: Workbench, source: CaptureSource): Promise<string> {
  const texts: string[] = [];
  let after: number | undefined;
  do {
    const part = await services.captures.exportPart({ ...source, ...(after !== undefined && { after }) });
    texts.push(part.text);
    after = part.next;
  } while (after !== undefined);
  return texts.join('');
}

async function imported({ services }: Workbench, text: string): Promise<CaptureInfo> {
  const { captureId } = await services.captures.importPart({ name: 'capture', text });
  return (await services.captures.list()).find(({ id }) => id === captureId)!;
}

async function framesOf({ services: { frames } }: Workbench, name: { source: 'mcp'; connection: string }) {
  const { rows } = await frames.page({ ...name, limit: 10_000 });
  return Promise.all(rows.map(({ seq }) => frames.frame({ ...name, seq })));
}

const header = (change: object = {}): string =>
  JSON.stringify({
    toolwire: 'capture',
    version: 3,
    origin: 'mcp',
    device: { name: 'Lab', deviceId: 'lab' },
    exportedAt: 5,
    ...change,
  });
const line = (change: object): string =>
  JSON.stringify({
    seq: 1,
    at: 1,
    direction: 'in',
    kind: 'text',
    type: 'mcp',
    summary: 'x',
    bytes: 1,
    text: '{}',
    ...change,
  });

describe('a file', () => {
  test('has each frame of the server; imported and exported again it is the same, and it is searched', async () => {
    const { workbench, id } = await withEverything();
    await call(workbench, 'mcp-everything_get-sum', `{"a":${large},"b":1}`);
    // It announces changes of its lists, which are read again at any time.
    await workbench.services.servers.stop({ id });
    const text = await exported(workbench, { serverId: id });
    const [head, ...lines] = text.trimEnd().split('\n');
    expect(JSON.parse(head!)).toMatchObject({
      version: 3,
      origin: 'mcp',
      device: { name: 'everything', deviceId: id },
    });
    const frames = await framesOf(workbench, { source: 'mcp', connection: id });
    const textsOf = (all: Frame[]) => all.map(({ seq, text }) => ({ seq, text }));
    expect(textsOf(lines.map((each) => JSON.parse(each) as Frame))).toEqual(textsOf(frames));
    const capture = await imported(workbench, text);
    expect(capture).toMatchObject({ origin: 'mcp', frames: frames.length, callCount: 1, toolCount: 15 });
    expect(await exported(workbench, { captureId: capture.id })).toBe(text);
    const { seqs } = await workbench.services.frames.search({ captureId: capture.id, text: large });
    // The server itself rounds it in its answer.
    expect(seqs).toHaveLength(1);
    const { text: found = '' } = await workbench.services.frames.frame({ captureId: capture.id, seq: seqs[0]! });
    expect(found).toContain(`"a":${large}`);
  });

  test('keeps method, status and headers of HTTP, and has no secret', async () => {
    const { url } = await serveModern(({ method }) => (method === 'tools/list' ? { tools: [] } : undefined));
    const { workbench, id } = await ready({
      name: 'modern',
      type: 'http',
      url: `${url}?key=swordfish-7-swordfish-7`,
      headers: [{ name: 'X-Lab-Pass', value: 'swordfish-7' }],
    });
    const text = await exported(workbench, { serverId: id });
    expect(text).toMatch(/"http":\{"method":"POST","status":200,"headers":\{.*"content-type":"application\/json"/);
    expect(text).toContain('"x-lab-pass":"***"');
    expect(text).not.toContain('swordfish');
    const capture = await imported(workbench, text);
    expect(await exported(workbench, { captureId: capture.id })).toBe(text);
  });

  test('has what the process wrote to stderr, masked and bounded', async () => {
    const program = `process.stderr.write('the word is ' + process.env.LAB_WORD + 'x'.repeat(9000) + '\\n');
      import(${JSON.stringify(raw)});`;
    const { workbench, id } = await ready(
      nodeServer('noisy', ['-e', program], [{ name: 'LAB_WORD', value: 'swordfish-7' }]),
    );
    const frames = await framesOf(workbench, { source: 'mcp', connection: id });
    const said = frames.find(({ type }) => type === 'stderr')!;
    expect(said).toMatchObject({ kind: 'note', summary: expect.stringMatching(/^the word is \*\*\*x/) as string });
    expect(said.text).toHaveLength(4_000);
    expect(said.text).not.toContain('swordfish');
  });

  test.each([
    ['an unknown origin', header({ origin: 'moon' }), '"origin" must be "gateway", "realtime", "mcp" or absent'],
    ['headers that are no texts', `${header()}\n${line({ http: { method: 'POST', headers: { a: 1 } } })}`, '"http"'],
    [
      'too many headers',
      `${header()}\n${line({ http: { method: 'P', headers: { a: 'x'.repeat(70_000) } } })}`,
      '"http"',
    ],
    ['a bad role', `${header()}\n${line({ role: 'boss' })}`, '"role" must be one of request, answer, notification'],
  ])('with %s is refused, and names the field', async (_what, text, message) => {
    const workbench = await openWorkbench();
    await expect(imported(workbench, text)).rejects.toThrow(message);
    expect(await workbench.services.captures.list()).toEqual([]);
  });

  test('needs a server that has a log', async () => {
    const { captures } = (await openWorkbench()).services;
    await expect(captures.exportPart({ serverId: 'none' })).rejects.toThrow('There is no log of an MCP server "none".');
  });
});

describe('a replay', () => {
  test('makes the recorded calls again, with equal frames and exact numbers', async () => {
    const { workbench, id } = await withEverything();
    await call(workbench, 'mcp-everything_get-sum', `{"a":${large},"b":1}`);
    await call(workbench, 'mcp-everything_echo', '{"message":"hello"}');
    await call(workbench, 'mcp-everything_get-structured-content', '{"location":"Chicago"}');
    const capture = await imported(workbench, await exported(workbench, { serverId: id }));
    const before = await framesOf(workbench, { source: 'mcp', connection: id });
    const report = await workbench.services.captures.replay({ captureId: capture.id, targetId: id });
    expect(report.calls.map(({ toolName, verdict }) => [toolName, verdict])).toEqual([
      ['get-sum', 'same'],
      ['echo', 'same'],
      ['get-structured-content', 'same'],
    ]);
    expect(report.calls[0]!.argsJson).toBe(`{"a":${large},"b":1}`);
    const after = (await framesOf(workbench, { source: 'mcp', connection: id })).slice(before.length);
    const calls = (frames: Frame[]) =>
      frames
        .filter(({ method }) => method === 'tools/call')
        // Ids and progress tokens are counted.
        .map(({ text = '' }) => text.replaceAll(/"(id|progressToken)":\d+/g, '"$1":0'));
    expect(calls(after)).toEqual(calls(before));
    expect(calls(after)[0]).toContain(`"a":${large}`);
  });

  test('compares integers beyond 2^53 exactly, and sends them as they were recorded', async () => {
    const { workbench, id } = await ready(nodeServer('raw', [raw]));
    await call(workbench, 'mcp-raw_echo', `{"n":${large}}`);
    const text = await exported(workbench, { serverId: id });
    const capture = await imported(workbench, text);
    const replay = (captureId: string) => workbench.services.captures.replay({ captureId, targetId: id });
    expect((await replay(capture.id)).calls).toMatchObject([{ verdict: 'same', now: { text: `{"n":${large}}` } }]);
    const rounded = text.replaceAll(
      `\\"structuredContent\\":{\\"n\\":${large}`,
      '\\"structuredContent\\":{\\"n\\":9007199254740992',
    );
    expect(rounded).not.toBe(text);
    expect((await replay((await imported(workbench, rounded)).id)).calls).toMatchObject([{ verdict: 'different' }]);
  });

  test('tells an answer that differs, also in its structured content alone, and a tool that is gone', async () => {
    const { workbench, id } = await withEverything();
    await call(workbench, 'mcp-everything_echo', '{"message":"hello"}');
    await call(workbench, 'mcp-everything_get-structured-content', '{"location":"Chicago"}');
    const text = await exported(workbench, { serverId: id });
    const changed = text
      .replaceAll('Echo: hello', 'Echo: goodbye')
      .replaceAll(/\\"structuredContent\\":\{\\"temperature\\":\d+/g, '\\"structuredContent\\":{\\"temperature\\":-40');
    const capture = await imported(workbench, changed);
    const report = await workbench.services.captures.replay({ captureId: capture.id, targetId: id });
    expect(report.calls).toMatchObject([
      { verdict: 'different', recorded: { text: 'Echo: goodbye' }, now: { text: 'Echo: hello' } },
      { verdict: 'different', recorded: { text: expect.stringContaining('"temperature":-40') as string } },
    ]);
    const other = await imported(workbench, text.replaceAll(/\\"name\\":\\"echo\\"/g, '\\"name\\":\\"shout\\"'));
    const [gone] = (await workbench.services.captures.replay({ captureId: other.id, targetId: id })).calls;
    expect(gone).toMatchObject({ toolName: 'shout', verdict: 'not-there' });
  });

  test('asks for a connected server, and leaves out what asks first unless it is confirmed', async () => {
    const { workbench, id } = await ready(nodeServer('raw', [raw, 'destructive']));
    const { services } = workbench;
    await services.calls.execute({
      toolName: 'mcp-raw_erase',
      argsJson: '{}',
      callId: 'erase-1',
      origin: 'executor',
      confirmed: true,
    });
    const replay = (confirmed: boolean) => services.captures.replay({ serverId: id, targetId: id, confirmed });
    expect((await replay(false)).calls).toMatchObject([{ verdict: 'asks-first' }]);
    expect((await replay(true)).calls).toMatchObject([{ verdict: 'same' }]);
    await services.servers.stop({ id });
    await expect(replay(false)).rejects.toThrow('The target of the calls is not connected');
  });

  test('takes the rounds of one call for one call', async () => {
    const { url } = await serveModern(({ method, params }) => {
      if (method === 'tools/list') return { tools: [{ name: 'ask', inputSchema: { type: 'object' } }] };
      if (method !== 'tools/call') return undefined;
      if (params['requestState'] === 'one') return { content: [{ type: 'text', text: 'done' }] };
      return { resultType: 'input_required', requestState: 'one', inputRequests: {} };
    });
    const { workbench, id } = await ready({ name: 'modern', type: 'http', url, headers: [] });
    expect(await call(workbench, 'mcp-modern_ask', '{}')).toMatchObject({ result: 'done' });
    const { calls } = await workbench.services.captures.replay({ serverId: id, targetId: id });
    expect(calls).toMatchObject([{ verdict: 'same', recorded: { text: 'done' } }]);
  });
});

describe('a recorded server', () => {
  test('answers the recorded session with equal frames, exact numbers included', async () => {
    const { workbench, id } = await withEverything();
    await call(workbench, 'mcp-everything_get-sum', `{"a":${large},"b":1}`);
    await call(workbench, 'mcp-everything_echo', '{"message":"hello"}');
    const before = await framesOf(workbench, { source: 'mcp', connection: id });
    const file = join(dataFolder(), 'everything.jsonl');
    writeFileSync(file, await exported(workbench, { serverId: id }));
    await workbench.services.servers.remove({ id });

    const recorded = await addServer(workbench, nodeServer('everything', [builtCli, 'mcp', '--capture', file]));
    await untilState(workbench, 'ready');
    expect(await call(workbench, 'mcp-everything_get-sum', `{"a":${large},"b":1}`)).toMatchObject({
      status: 'success',
    });
    expect(await call(workbench, 'mcp-everything_echo', '{"message":"hello"}')).toMatchObject({
      result: 'Echo: hello',
    });
    const after = await framesOf(workbench, { source: 'mcp', connection: recorded });
    // The lists are read again after each announcement of a change, which a recording does not repeat.
    const messages = (frames: Frame[]) =>
      new Set(
        frames
          .filter(({ type, role }) => type === 'mcp' && role !== 'notification')
          .map(({ direction, text = '' }) => `${direction} ${text.replaceAll(/"(id|progressToken)":\d+/g, '"$1":0')}`),
      );
    expect(messages(after)).toEqual(messages(before));

    const other = await call(workbench, 'mcp-everything_echo', '{"message":"bye"}');
    expect(other.result).toBe('Echo: hello\n(Toolwire: this was recorded for the arguments {"message":"hello"}.)');
    const unknown = await call(workbench, 'mcp-everything_get-tiny-image', '{}');
    expect(unknown).toMatchObject({
      status: 'error',
      result: expect.stringContaining('The recording has no answer to this tools/call.') as string,
    });
  });

  test('gives the answers of a repeated request in their order, and needs one', () => {
    const frame = (seq: number, direction: 'in' | 'out', message: object): CaptureFrame => ({
      seq,
      at: seq,
      direction,
      kind: 'text',
      type: 'mcp',
      summary: 'x',
      bytes: 1,
      text: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
    const ask = (id: number) => ({ id, method: 'tools/list', params: { _meta: { id } } });
    const frames = [
      frame(1, 'out', ask(1)),
      frame(2, 'in', { id: 1, result: { tools: [1] } }),
      frame(3, 'out', ask(2)),
      frame(4, 'in', { id: 2, error: { code: 1, message: 'no' } }),
    ];
    const server = createRecordedServer(frames);
    const answers = [7, 'a', 9].map(
      (id) => server.receive(JSON.stringify({ id, method: 'tools/list', jsonrpc: '2.0' }))[0],
    );
    expect(answers).toEqual([
      '{"jsonrpc":"2.0","id":7,"result":{"tools":[1]}}',
      '{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"no"}}',
      '{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"no"}}',
    ]);
    expect(server.receive('{"jsonrpc":"2.0","method":"notifications/x"}')).toEqual([]);
    expect(server.receive('no JSON')).toEqual([
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"The message is not a JSON object."}}',
    ]);
    expect(() => createRecordedServer(frames.slice(0, 1))).toThrow('It holds no answer of an MCP server');
  });
});
