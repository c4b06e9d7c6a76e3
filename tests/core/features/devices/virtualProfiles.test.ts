/** What real clients answered to odd requests (shared/corpus), against the virtual ones. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { McpServer } from '../../../../src-core/deviceSide/mcp/mcpServer.ts';
import { McpTool } from '../../../../src-core/deviceSide/mcp/mcpTool.ts';
import { firmwareProfile } from '../../../../src-core/features/devices/virtual/firmware/firmwareProfile.ts';
import type { VirtualProfile } from '../../../../src-core/features/devices/virtual/profile.ts';
import { createPyXiaozhiProfile } from '../../../../src-core/features/devices/virtual/pyXiaozhi/pyXiaozhiProfile.ts';
import type { JsonObject, JsonValue } from '../../../../src-core/base/json.ts';

const corpus = new URL('../../../../../shared/corpus/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, corpus), 'utf8');

/** The machine that py-xiaozhi was recorded on had no sound card. */
const pyXiaozhi = createPyXiaozhiProfile({ soundCard: false });

function serve(
  profile: VirtualProfile,
  tools = profile.createTools({ pullPlug: () => {}, now: () => new Date(0) }),
): McpServer {
  const server = new McpServer({ name: profile.board, version: profile.firmware, dialect: profile.dialect });
  for (const tool of tools) server.addTool(tool);
  return server;
}

const setVolume = (args: JsonValue): JsonObject => ({ name: 'self.audio_speaker.set_volume', arguments: args });
const request = (id: JsonValue, method: string, more: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method,
  ...more,
});

/** The recorded odd requests by their names in the corpus; the rest of the 35 are about the socket. */
const odd: Record<string, JsonValue> = {
  'string id': request('abc', 'tools/list', { params: {} }),
  'id 0': request(0, 'initialize'),
  'id null': request(null, 'initialize'),
  'id 1.5': request(1.5, 'initialize'),
  'id -7': request(-7, 'initialize'),
  'id 2^31 (over int32)': request(2 ** 31, 'initialize'),
  'id 1e15': request(1e15, 'initialize'),
  'no params key': request(11, 'tools/list'),
  'params null': request(12, 'tools/list', { params: null }),
  'params array': request(13, 'tools/list', { params: [] }),
  'cursor null': request(14, 'tools/list', { params: { cursor: null } }),
  'cursor unknown': request(15, 'tools/list', { params: { cursor: 'no.such' } }),
  ping: request(16, 'ping'),
  'notifications/initialized': { jsonrpc: '2.0', method: 'notifications/initialized' },
  'resources/list': request(17, 'resources/list'),
  'jsonrpc missing': { id: 18, method: 'initialize' },
  'jsonrpc 1.0': { jsonrpc: '1.0', id: 19, method: 'initialize' },
  'call no params': request(20, 'tools/call'),
  'call no name': request(21, 'tools/call', { params: {} }),
  'call no arguments key': request(22, 'tools/call', { params: { name: 'self.audio_speaker.set_volume' } }),
  'call arguments null': request(23, 'tools/call', { params: setVolume(null) }),
  'call arguments array': request(24, 'tools/call', { params: setVolume([]) }),
  'call extra argument': request(25, 'tools/call', { params: setVolume({ volume: 30, extra: 1 }) }),
  'call int as true': request(26, 'tools/call', { params: setVolume({ volume: true }) }),
  'call int -1': request(27, 'tools/call', { params: setVolume({ volume: -1 }) }),
  'call int 1e12': request(28, 'tools/call', { params: setVolume({ volume: 1e12 }) }),
  'batch payload': [request(29, 'initialize')],
  'payload string': JSON.stringify(request(30, 'initialize')),
  'a response to nothing': { jsonrpc: '2.0', id: 31, result: {} },
};

/** What was recorded for a request; the recording cut one brace too few off the envelope. */
function recorded(file: string, name: string): string | undefined {
  const line = read(file)
    .split('\n')
    .find((candidate) => candidate.split('=>')[0]?.trim() === name);
  const answer = line?.split(/=> ?/)[1] ?? 'not recorded';
  return answer === 'NO REPLY' ? undefined : answer.replace(/\}$/, '');
}

describe.each([
  { file: 'edge-esp32host.txt', profile: firmwareProfile, board: '"host-sim"' },
  { file: 'edge-pyxiaozhi.txt', profile: pyXiaozhi, board: '"py-xiaozhi"' },
])('$profile.id answers odd requests as recorded in $file', ({ file, profile, board }) => {
  test.runIf(existsSync(corpus)).each(Object.entries(odd))('%s', async (name, payload) => {
    const expected = recorded(file, name)?.replaceAll(board, JSON.stringify(profile.board));
    const answer = await serve(profile).handle(payload);
    // Lists are cut in the recording, and have other words: they begin alike.
    const list = expected?.indexOf('"description"') ?? -1;
    if (list < 0) expect(answer).toBe(expected);
    else expect(answer?.slice(0, list)).toBe(expected?.slice(0, list));
  });
});

interface Recorded {
  request: JsonObject;
  /** The answering frame as it was; cut where it was long. */
  frame: string;
}

/** The MCP requests of a transcript that were answered, each with the frame. */
function transcript(file: string): Recorded[] {
  const requests = new Map<number, JsonObject>();
  const answered: Recorded[] = [];
  for (const line of read(file).split('\n')) {
    const [, direction, frame = ''] = /^\S+ (>>|<<) (?:\d+B |MALFORMED JSON for id \d+ )?(\{.*)$/.exec(line) ?? [];
    const id = Number(/"id": ?(\d+)/.exec(frame)?.[1]);
    if (direction === '>>' && frame.includes('"type":"mcp"'))
      requests.set(id, (JSON.parse(frame) as { payload: JsonObject }).payload);
    const asked = requests.get(id);
    if (direction === '<<' && asked !== undefined) answered.push({ request: asked, frame });
  }
  return answered;
}

/** Ids whose answers depend on nothing but the protocol and what both boards have: they must be the same to the byte. */
const exact = {
  'transcript-esp32host.txt': [1, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19],
  'transcript-pyxiaozhi.txt': [1, 7, 8, 9, 10, 11],
};

/** Tools that only the recorded board had. */
const recordedTools = [
  new McpTool({
    name: 'self.sim.throw',
    description: '',
    callback: () => {
      throw new Error('bad "thing" happened');
    },
  }),
  new McpTool({
    name: 'self.sim.image',
    description: '',
    callback: () => ({ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }),
  }),
];

describe.each([
  { file: 'transcript-esp32host.txt' as const, profile: firmwareProfile, session: 's-1' },
  { file: 'transcript-pyxiaozhi.txt' as const, profile: pyXiaozhi, session: '' },
])('$profile.id answers as in $file', ({ file, profile, session }) => {
  test.runIf(existsSync(corpus))('to the byte where the board does not matter', async () => {
    const server = serve(profile);
    for (const tool of recordedTools) server.addTool(tool);
    const answers = transcript(file).filter(({ request: { id } }) => exact[file].includes(Number(id)));
    expect(answers).toHaveLength(exact[file].length);
    for (const { request: asked, frame } of answers) {
      const payload = await server.handle(asked);
      expect(profile.wire.envelope(payload ?? '', session)).toBe(
        frame.replaceAll('"host-sim"', JSON.stringify(profile.board)),
      );
    }
  });
});

describe('py-xiaozhi', () => {
  test.runIf(existsSync(corpus))('has the recorded tools, schema by schema, on the recorded three pages', async () => {
    const server = serve(createPyXiaozhiProfile());
    const tools: JsonObject[] = [];
    const cursors: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const text: string = (await server.handle(request(1, 'tools/list', { params: { cursor } }))) ?? '';
      expect(text).toMatch(/^[\x20-\x7e]*$/);
      expect(text.length).toBeLessThan(8_192);
      const { result } = JSON.parse(text) as { result: { tools: JsonObject[]; nextCursor?: string } };
      tools.push(...result.tools);
      cursor = result.nextCursor;
      if (cursor !== undefined) cursors.push(cursor);
    }
    const real = JSON.parse(read('tools-pyxiaozhi.json')) as {
      name: string;
      description: string;
      inputSchema: JsonObject;
    }[];
    expect(tools.map(({ name, inputSchema }) => ({ name, inputSchema }))).toEqual(
      real.map(({ name, inputSchema }) => ({ name, inputSchema })),
    );
    expect(cursors).toEqual(['self.application.launch', 'take_screenshot']);
    // Its words are our own.
    const theirs = new Set(real.map(({ description }) => description));
    expect(tools.filter(({ description }) => theirs.has(String(description)))).toEqual([]);
  });

  test('echoes ids of any type, except deeply nested ones', async () => {
    const server = serve(pyXiaozhi);
    expect(await server.handle(request({ a: ['é', 1.5] }, 'ping'))).toBe(
      '{"jsonrpc": "2.0", "id": {"a": ["\\u00e9", 1.5]}, "error": {"code": -32603, "message": "Method not implemented: ping"}}',
    );
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as JsonValue;
    expect(await server.handle(request(deep, 'ping'))).toBeUndefined();
  });

  test('names a tool that is too large as the next one for ever', async () => {
    const tool = (name: string, size: number) =>
      new McpTool({ name, description: '字'.repeat(size), callback: () => 1 });
    const server = serve(pyXiaozhi, [tool('a', 1_000), tool('huge', 1_400), tool('behind', 1)]);
    const page = async (cursor: string) =>
      JSON.parse((await server.handle(request(1, 'tools/list', { params: { cursor } }))) ?? '') as JsonObject;
    expect(await page('')).toMatchObject({ result: { tools: [{ name: 'a' }], nextCursor: 'huge' } });
    expect(await page('huge')).toMatchObject({ result: { tools: [], nextCursor: 'huge' } });
  });
});

describe('the firmware', () => {
  const answer = (payload: JsonValue) => serve(firmwareProfile).handle(payload);

  test('takes arguments regardless of case, and cuts numbers', async () => {
    expect(await answer(request(1, 'tools/call', { params: setVolume({ VOLUME: 30.9 }) }))).toContain('"true"');
    expect(await answer(request(1, 'tools/call', { params: setVolume({ volume: '30' }) }))).toContain(
      'Missing valid argument: volume',
    );
  });

  test('makes its answer invalid JSON by a quote in an error', async () => {
    const text = await answer(request(15, 'tools/call', { params: { name: 'no"such', arguments: {} } }));
    expect(text).toBe('{"jsonrpc":"2.0","id":15,"error":{"message":"Unknown tool: no"such"}}');
    expect(() => JSON.parse(text ?? '') as unknown).toThrow(SyntaxError);
  });

  test('pages below 8,000 bytes, shows hidden tools on request, and breaks off at one that is too large', async () => {
    const tool = (name: string, size: number, userOnly = false) =>
      new McpTool({ name, description: '字'.repeat(size), userOnly, callback: () => true });
    const server = serve(firmwareProfile, [
      tool('a', 1_000),
      tool('b', 1_000),
      tool('c', 1_000),
      tool('hidden', 1, true),
      tool('huge', 3_000),
    ]);
    const page = async (cursor: string, withUserTools = false) =>
      (await server.handle(request(1, 'tools/list', { params: { cursor, withUserTools } }))) ?? '';
    const first = JSON.parse(await page('')) as { result: { tools: { name: string }[]; nextCursor: string } };
    expect(Buffer.byteLength(await page(''))).toBeLessThan(8_100);
    expect(first.result.tools.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(first.result.nextCursor).toBe('c');
    expect(await page('c')).toContain('"nextCursor":"huge"');
    expect(await page('c', true)).toContain('"annotations":{"audience":["user"]}');
    expect(await page('huge')).toContain('Failed to add tool huge because of payload size limit');
  });

  test('has one main task: what came together is answered together, initialize first', async () => {
    const said: string[] = [];
    const scheduler = firmwareProfile.createScheduler();
    let release = (): void => {};
    const first = new Promise<void>((resolve) => (release = resolve));
    const slow = (name: string) => new McpTool({ name, description: '', callback: () => first.then(() => true) });
    const server = serve(firmwareProfile, [
      slow('slow'),
      new McpTool({ name: 'status', description: '', callback: () => 1 }),
    ]);
    const handled = [
      request(1, 'tools/call', { params: { name: 'slow' } }),
      request(2, 'tools/call', { params: { name: 'status' } }),
      request(3, 'tools/call', { params: { name: 'slow' } }),
      request(9, 'initialize'),
    ].map(async (payload) => {
      await server.handle(payload, { runCall: scheduler.runCall });
      await new Promise<void>((resolve) =>
        scheduler.sendAnswer(() => {
          said.push(String(payload['id']));
          resolve();
        }),
      );
    });
    release();
    await Promise.all(handled);
    expect(said).toEqual(['9', '1', '2', '3']);
  });
});
