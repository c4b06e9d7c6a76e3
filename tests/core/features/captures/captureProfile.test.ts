/** A recorded device as a virtual one: over a real socket, against the hub. */
import { describe, expect, onTestFinished, test } from 'vitest';

import { captureProfile } from '../../../../src-core/features/captures/captureProfile.ts';
import type { CaptureFrame } from '../../../../src-core/features/captures/captureFrame.ts';
import { isSameAnswer } from '../../../../src-core/features/captures/compareAnswers.ts';
import { answerText, brokenErrorMessage } from '../../../../src-core/features/captures/recordedAnswer.ts';
import { recordedCalls } from '../../../../src-core/features/captures/recordedCalls.ts';
import { ToolListReader } from '../../../../src-core/features/captures/toolListReader.ts';
import { createVirtualDevice } from '../../../../src-core/features/devices/virtual/virtualDevice.ts';
import { ToolError } from '../../../../src-core/base/errors.ts';
import { openHub, invokeOptions } from '../devices/support/openHub.ts';
import { hasCorpus, mcpFrame, transcriptFrames } from '../devices/support/recorded.ts';

const device = { name: 'Board', deviceId: '02:00:00:11:22:33' };
const schema = { type: 'object', properties: { steps: { type: 'array', items: { type: 'integer' } } } };
const tools = [
  { name: 'self.walk', description: 'Walks.', inputSchema: schema, 'x-own': [1, { deep: true }] },
  { name: 'self.reset', description: '', inputSchema: {}, annotations: { audience: ['user'] } },
];
const text = (said: string, isError = false) => ({ content: [{ type: 'text', text: said }], isError });

/** The frames of a connection: initialize, one list, then calls with their answers. */
function recording(
  calls: { name: string; args?: object; result?: object; error?: object; raw?: string }[],
  { name = 'host-sim', list = tools }: { name?: string; list?: unknown[] } = {},
): CaptureFrame[] {
  const payloads: [object, Partial<CaptureFrame>?][] = [
    [{ id: 1, method: 'initialize', params: {} }],
    [{ id: 1, result: { serverInfo: { name, version: '9.1' } } }, { method: 'initialize' }],
    [{ id: 2, method: 'tools/list', params: { cursor: '' } }],
    [{ id: 2, result: { tools: list } }, { method: 'tools/list' }],
  ];
  for (const [index, { name: tool, args, result, error, raw }] of calls.entries()) {
    const id = index + 3;
    payloads.push([{ id, method: 'tools/call', params: { name: tool, arguments: args } }]);
    const answer = { id, ...(error === undefined ? { result } : { error }) };
    payloads.push([answer, { method: 'tools/call', ...(raw !== undefined && { text: raw }) }]);
  }
  return payloads.map(([payload, change], index) => mcpFrame(index + 1, payload, change));
}

/** Connects a device made of these frames, and gives a way to call it. */
async function connected(frames: CaptureFrame[], options?: { timing?: boolean }) {
  const { otaUrl, hub, registry } = await openHub();
  const profile = captureProfile({ device, frames }, options);
  const virtual = createVirtualDevice({ url: otaUrl, profile, name: 'Again' });
  onTestFinished(() => virtual.close());
  await virtual.connect();
  const found = await registry();
  const call = async (name: string, args: object = {}): Promise<{ text: string; isError: boolean }> => {
    try {
      const output = await found.invoke(name, args as never, invokeOptions());
      return { text: answerText(output.content ?? []), isError: output.isError === true };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      const { deviceMessage, frame } = error.info.details ?? {};
      return { text: String(deviceMessage ?? brokenErrorMessage(String(frame))), isError: true };
    }
  };
  return { call, hub, registry: found };
}

test('it is who the recorded one was, and lists its tools word for word', async () => {
  const { hub } = await connected(recording([]));
  expect(hub.devices()).toMatchObject([
    { board: 'host-sim', firmware: '9.1', name: 'Again', toolCount: 2, virtual: true },
  ]);
  const page = hub.frames({ limit: 999 }).findLast(({ method, role }) => method === 'tools/list' && role === 'answer');
  expect((JSON.parse(page!.text!) as { payload: { result: object } }).payload.result).toEqual({ tools });
});

test('the same calls get the same answers in their order, the last one for ever; key order does not matter', async () => {
  const args = { steps: [1, 2], fast: true };
  const { call } = await connected(
    recording([
      { name: 'self.walk', args, result: text('one') },
      { name: 'self.walk', args, result: text('two') },
      { name: 'self.walk', args: { steps: [] }, error: { message: 'no steps' } },
    ]),
  );
  expect(await call('self.walk', { fast: true, steps: [1, 2] })).toEqual({ text: 'one', isError: false });
  expect(await call('self.walk', args)).toEqual({ text: 'two', isError: false });
  expect(await call('self.walk', args)).toEqual({ text: 'two', isError: false });
  expect(await call('self.walk', { steps: [] })).toEqual({ text: 'no steps', isError: true });
});

test('other arguments get the last answer of the tool, and a note; a tool without any an error', async () => {
  const { call } = await connected(recording([{ name: 'self.walk', args: { steps: [1] }, result: text('done') }]));
  const other = await call('self.walk', { steps: [2] });
  expect(other).toEqual({
    text: 'done\n(Toolwire: this was recorded for the arguments {"steps":[1]}.)',
    isError: false,
  });
  expect(await call('self.reset')).toEqual({ text: 'The recording has no answer of self.reset', isError: true });
});

test('pictures come as the board sends them, errors with quotes as the board breaks them, hidden tools answer', async () => {
  const picture = JSON.stringify({ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' });
  const { call, registry, hub } = await connected(
    recording([
      { name: 'self.walk', result: { content: [{ type: 'image', image: picture }], isError: false } },
      {
        name: 'self.hidden',
        raw: '{"session_id":"","type":"mcp","payload":{"jsonrpc":"2.0","id":4,"error":{"message":"bad "thing" happened"}}}',
      },
    ]),
  );
  expect(await registry.invoke('self.walk', {}, invokeOptions())).toMatchObject({
    content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }],
  });
  expect(await call('self.hidden')).toEqual({ text: 'bad "thing" happened', isError: true });
  expect(hub.frames({ limit: 1 })[0]!.text).toContain('"message":"bad "thing" happened"');
});

test('py-xiaozhi fails in its results', async () => {
  const { call, hub } = await connected(
    recording([{ name: 'self.walk', result: text('Missing required argument: steps', true) }], { name: 'py-xiaozhi' }),
  );
  expect(await call('self.walk')).toEqual({ text: 'Missing required argument: steps', isError: true });
  expect(hub.frames({ limit: 1 })[0]!.text).toContain('"isError": true');
});

test('with its timing it takes as long as it did', async () => {
  const frames = recording([{ name: 'self.walk', result: text('slow') }]);
  const { call } = await connected([...frames.slice(0, -1), { ...frames.at(-1)!, durationMs: 1 }], { timing: true });
  expect(await call('self.walk')).toEqual({ text: 'slow', isError: false });
});

test.each<[string, CaptureFrame[]]>([
  ['nothing', []],
  ['an empty list', recording([], { list: [] })],
  ['a list that cannot be read', recording([], { list: [5, { name: '' }] })],
])('of %s no device can be made', (_, frames) => {
  expect(() => captureProfile({ device, frames })).toThrow(/no list of tools/);
});

describe('the last whole list wins', () => {
  const read = (...frames: CaptureFrame[]) => {
    const reader = new ToolListReader();
    for (const frame of frames) reader.add(frame);
    return reader.tools.map(({ name }) => name);
  };
  const ask = (id: number, cursor?: string) => mcpFrame(1, { id, method: 'tools/list', params: { cursor } });
  const page = (id: number, names: string[], nextCursor?: string) =>
    mcpFrame(2, { id, result: { tools: names.map((name) => ({ name })), nextCursor } }, { method: 'tools/list' });

  test('over pages, and over lists that broke off', () => {
    expect(read(ask(2, ''), page(2, ['a', 'b'], 'c'), ask(3, 'c'), page(3, ['c']))).toEqual(['a', 'b', 'c']);
    const first = [ask(2), page(2, ['a'])];
    expect(read(...first, ask(2), page(2, ['x', 'y']))).toEqual(['x', 'y']);
    expect(read(...first, ask(2), page(2, ['x'], 'y'), ask(3, 'y'))).toEqual(['a']);
    expect(read(ask(2), page(2, ['x'], 'y'))).toEqual(['x']);
  });

  test('whatever else stands there', () => {
    const cut = { ...page(2, ['a']), cut: true };
    expect(read(page(9, ['stray']), ask(2), cut)).toEqual([]);
    expect(read(ask(2), { ...page(2, ['a']), text: '{' })).toEqual([]);
    expect(read(ask(2), page(2, ['a', 'a', '', 'x'.repeat(300)]))).toEqual(['a']);
    expect(
      read(
        ask(2),
        page(
          2,
          Array.from({ length: 2_000 }, (_, index) => `t${index}`),
        ),
      ),
    ).toHaveLength(1_024);
  });
});

describe('answers are compared', () => {
  const deep = '['.repeat(5_000) + ']'.repeat(5_000);
  test.each<[string, string, string, boolean]>([
    ['to the letter', 'a', 'a', true],
    ['to the letter', 'a', 'b', false],
    ['without the order of keys', '{"a":1,"b":[{"c":1,"d":2}]}', ' {"b":[{"d":2,"c":1}], "a":1}', true],
    ['with that of lists', '[1,2]', '[2,1]', false],
    ['with types', '{"a":1}', '{"a":"1"}', false],
    ['as texts where they are no objects', '1', '1.0', false],
    ['as texts where they only begin like objects', '{oops', '{ oops', false],
    ['as texts where they are nested for ever', deep, ` ${deep}`, false],
  ])('%s', (_, one, other, same) => {
    expect(isSameAnswer({ text: one, isError: false }, { text: other, isError: false })).toBe(same);
    expect(isSameAnswer({ text: one, isError: true }, { text: other, isError: false })).toBe(false);
  });
});

describe.runIf(hasCorpus)('real devices of the corpus', () => {
  test.each([
    ['transcript-esp32host.txt', 'tools-esp32host.json', 40],
    ['transcript-pyxiaozhi.txt', 'tools-pyxiaozhi.json', 19],
  ])('%s: every recorded call is answered as it was', async (transcript, list, toolCount) => {
    const frames = transcriptFrames(transcript, list);
    const { call, hub } = await connected(frames);
    expect(hub.devices()[0]).toMatchObject({ toolCount });
    const calls = recordedCalls(frames).filter(({ answer }) => answer !== undefined);
    expect(calls.length).toBeGreaterThan(10);
    for (const { toolName, args, answer } of calls) {
      const recorded = { text: answerText(answer!.content), isError: answer!.isError };
      expect([toolName, await call(toolName, args)]).toEqual([toolName, recorded]);
    }
  });
});
