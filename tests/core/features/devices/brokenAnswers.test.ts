/** Answers that cannot be read: what the log keeps of them, and what the call is told. */
import { expect, test } from 'vitest';

import type { DeviceHubOptions } from '../../../../src-core/features/devices/deviceHub.ts';
import { ToolError } from '../../../../src-core/base/errors.ts';
import { executeSingleRequest } from '../../../../src-core/engine/executor.ts';
import type { InvokeOptions } from '../../../../src-core/registry/types.ts';
import { framesOf, invokeOptions, openHub } from './support/openHub.ts';
import { connectScripted } from './support/scriptedDevice.ts';

const id = '02:00:00:aa:bb:cc';

/** A board that answers a call with these bytes, made of the whole answer. */
async function openBoard(spoil: (answer: Buffer) => Buffer, options: Partial<DeviceHubOptions> = {}) {
  const open = await openHub(options);
  const board = await connectScripted(open.wsUrl, {
    answer: ({ id: rpcId, method }) => {
      const result = {
        initialize: {
          protocolVersion: '2024-11-05',
          capabilities: {},
          serverInfo: { name: 'board', version: '1.0.0' },
        },
        'tools/list': { tools: [{ name: 'read', inputSchema: { type: 'object' } }] },
        'tools/call': undefined,
      }[method];
      if (result !== undefined) return { jsonrpc: '2.0', id: rpcId, result };
      if (method !== 'tools/call') return undefined;
      const text = `{"type":"mcp","payload":{"jsonrpc":"2.0","id":${rpcId},"result":{"content":[{"type":"text","text":"café 你"}]}}}`;
      board.socket.send(spoil(Buffer.from(text)), { binary: false });
      return undefined;
    },
  });
  board.hello();
  const source = await open.registry();
  return {
    ...open,
    board,
    call: (more: Partial<InvokeOptions> = {}) =>
      source.invoke('read', {}, invokeOptions({ timeoutMs: 5_000, ...more })),
  };
}

/** The same text in Latin-1, as a board that does not know UTF-8 sends it. */
const latin1 = (answer: Buffer): Buffer => {
  const at = answer.indexOf('é');
  return Buffer.concat([answer.subarray(0, at), Buffer.from([0xe9]), answer.subarray(at + 2)]);
};

test('text that is not UTF-8 fails its call with its bytes, and the connection stays', async () => {
  const { hub, call } = await openBoard(latin1);
  const failure = await call().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({
    code: 'protocol-error',
    message: expect.stringMatching(
      /^board answered tools\/call #3 with text that is not UTF-8 \(byte E9 at position 95\)\. .*GBK.*"caf\\xE9 你"/,
    ) as string,
    info: { details: { fault: 'not-utf8', requestId: 3 } },
  });
  expect(hub.device(id)).toMatchObject({
    state: 'ready',
    counters: { invalidIn: 1 },
    doctor: { cause: 'broken-frames', faults: ['not-utf8'] },
  });
  const frame = hub.frames({ limit: 100 }).find(({ type }) => type === 'invalid');
  expect(frame).toMatchObject({
    summary: 'answer #3, not UTF-8 (byte E9 at position 95)',
    rpcId: 3,
    failed: true,
    text: expect.stringContaining('caf\\xE9 你') as string,
  });
});

test('a message that is not UTF-8 and answers nothing is only logged', async () => {
  const { hub, board, device } = await openBoard((answer) => answer);
  board.socket.send(Buffer.from('7b22747970 65223a22c4e3227d'.replaceAll(' ', ''), 'hex'), { binary: false });
  await device(({ counters }) => counters.invalidIn === 1);
  expect(hub.frames({ limit: 100 }).at(-1)).toMatchObject({
    type: 'invalid',
    summary: 'not UTF-8 (byte C4 at position 9)',
    text: '{"type":"\\xC4\\xE3"}',
  });
  expect(hub.device(id)?.state).toBe('ready');
});

test('a hello that is not UTF-8 is refused with the reason', async () => {
  const { wsUrl, device } = await openHub();
  const board = await connectScripted(wsUrl);
  board.socket.send(Buffer.concat([Buffer.from('{"type":"hello","name":"'), Buffer.from([0xff]), Buffer.from('"}')]), {
    binary: false,
  });
  expect(await board.closed).toMatchObject({ code: 1002 });
  expect((await device(({ state }) => state === 'failed')).error?.message).toContain(
    'not UTF-8 (byte FF at position 24)',
  );
});

test.each([
  ['in a text', (answer: Buffer) => answer.subarray(0, 94)],
  ['in a character', (answer: Buffer) => answer.subarray(0, 96)],
  ['behind a value', (answer: Buffer) => answer.subarray(0, answer.length - 3)],
])('the call and the doctor report JSON that is cut off %s', async (_where, spoil) => {
  const { hub, call } = await openBoard(spoil);
  await expect(call()).rejects.toMatchObject({
    code: 'protocol-error',
    message: expect.stringMatching(
      /with JSON that is cut off: it ends after \d+ bytes\. Check the size of the buffer/,
    ) as string,
    info: { details: { fault: 'cut' } },
  });
  expect(hub.device(id)?.doctor).toMatchObject({ cause: 'broken-frames', faults: ['cut'] });
});

test('the doctor names each fault once, and none for frames that are too large', async () => {
  const { hub, board, device } = await openBoard((answer) => answer);
  board.send(`"${'x'.repeat(600_000)}"`);
  await device(({ counters }) => counters.invalidIn === 1);
  expect(hub.device(id)?.doctor).toMatchObject({ cause: 'broken-frames' });
  expect(hub.device(id)?.doctor).not.toHaveProperty('faults');
  for (const text of ['{"type":"mcp"', '{"x":"a"b"}', '{"type":"mcp"']) board.send(text);
  await device(({ counters }) => counters.invalidIn === 4);
  expect(hub.device(id)?.doctor.faults).toEqual(['cut', 'malformed']);
});

test('an answer that is cut off before its id ends the only call that waits', async () => {
  const { call } = await openBoard((answer) => answer.subarray(0, 30));
  await expect(call()).rejects.toMatchObject({
    code: 'protocol-error',
    message: expect.stringMatching(/with JSON that is cut off: it ends after 30 bytes/) as string,
  });
});

test('an answer that is cut off before its id ends neither of two waiting calls', async () => {
  let answers = 0;
  const spoil = (answer: Buffer): Buffer => ((answers += 1) === 1 ? answer.subarray(0, 30) : answer);
  const { call } = await openBoard(spoil, { maxConcurrentCalls: () => 2 });
  const stop = new AbortController();
  const first = call({ signal: stop.signal });
  await expect(call()).resolves.toMatchObject({ content: [{ type: 'text' }] });
  stop.abort();
  await expect(first).rejects.toThrow('The call was cancelled.');
});

test('quotes that are not escaped are told as such, not as a cut', async () => {
  const { call } = await openBoard((answer) => Buffer.from(answer.toString().replace('café', 'no"such')));
  await expect(call()).rejects.toMatchObject({
    message: expect.stringMatching(
      /with text that is not valid JSON from character \d+\. Boards do not escape quotes/,
    ) as string,
    info: { details: { fault: 'malformed' } },
  });
});

test('a time-out tells when the last frame arrived, of this call or not', async () => {
  const { hub, board, toolRegistryManager, registry } = await openBoard(() => Buffer.from('{"type":"other"}'));
  const toolName = `${(await registry()).id}_read`;
  const timeUp = Promise.withResolvers<() => void>();
  const after = (_ms: number, run: () => void) => {
    timeUp.resolve(run);
    return () => undefined;
  };
  const result = executeSingleRequest({ toolName, args: {} }, { toolRegistryManager, caller: 'user', after });
  await board.request('tools/call', 'read');
  await expect.poll(() => hub.frames({ limit: 100 }).at(-1)?.summary).toContain('other');
  (await timeUp.promise)();
  expect((await result).error).toMatchObject({
    message: expect.stringMatching(/ The last frame arrived \S+ ms after the call was sent\. A board /) as string,
    details: { lastFrameMs: expect.any(Number) as number },
  });
});

test.each([
  [
    1,
    'not JSON',
    Buffer.from('garbage'),
    /^Meanwhile a frame arrived that matches no request: it is not valid JSON from character 1\. See the wire log/,
  ],
  [
    2,
    'not JSON',
    Buffer.from('garbage'),
    /^Meanwhile 2 frames arrived that match no request, the last: it is not valid/,
  ],
  [1, 'of another id', '{"type":"mcp","payload":{"id":-1,"result":{}}}', /: its id is -1\. See the wire log/],
  [1, 'broken and of another id', '{"type":"mcp","payload":{"id":-1,"result":{"a"b"}}}', /: its id is -1\. See/],
  [1, 'without an id', '{"type":"mcp","payload":{"result":{}}}', /: it has no id\. See/],
  [
    1,
    'with the id as a text',
    '{"type":"mcp","payload":{"id":"3","result":{}}}',
    /: its id is the text "3", not a number\. See/,
  ],
  [1, 'without a payload', '{"type":"mcp"}', /: it has no payload object\. See/],
])('a time-out says that %d frames arrived that are %s, and the call keeps them', async (count, what, stray, hint) => {
  const last = count === 2 ? 'more garbage' : String(stray);
  const { hub, board, toolRegistryManager, registry } = await openBoard(() => Buffer.from(stray));
  const toolName = `${(await registry()).id}_read`;
  // Of no call: it does not count.
  board.socket.send('garbage before');
  await expect.poll(() => hub.device(id)?.counters.invalidIn).toBe(1);
  const before = hub.device(id)?.counters.framesIn ?? NaN;
  const timeUp = Promise.withResolvers<() => void>();
  const result = executeSingleRequest(
    { toolName, args: {} },
    {
      toolRegistryManager,
      caller: 'user',
      newId: () => 'the call',
      after: (_ms, run) => {
        timeUp.resolve(run);
        return () => undefined;
      },
    },
  );
  await board.request('tools/call', 'read');
  if (count === 2) board.socket.send('more garbage');
  await expect.poll(() => hub.device(id)?.counters.framesIn).toBe(before + count);
  (await timeUp.promise)();
  const { error } = await result;
  expect(error).toMatchObject({
    code: 'timeout',
    message: expect.stringContaining(`"${toolName}" did not answer within 30 s. Meanwhile`) as string,
    details: { unmatchedFrames: count, ...(what.startsWith('not JSON') && { fault: 'foreign', frame: last }) },
  });
  expect(error?.message.replace(/^.* 30 s\. /, '')).toMatch(hint);
  // They stand in the exchange of the call.
  expect(framesOf(hub, 'the call').filter(({ direction }) => direction === 'in')).toHaveLength(count);
});

test('a time-out during which an answer of another id arrived is told of the device', async () => {
  const { hub, board, call } = await openBoard(() => Buffer.from('{"type":"mcp","payload":{"id":1003,"result":{}}}'));
  const timeUp = new AbortController();
  const failure = call({ signal: timeUp.signal });
  await board.request('tools/call', 'read');
  const summaries = () => hub.frames({ limit: 99 }).map(({ summary }) => summary);
  await expect.poll(summaries).toContain('answer with an unknown id');
  timeUp.abort(new ToolError('timeout', 'took too long'));
  await expect(failure).rejects.toThrow('took too long');
  expect(hub.device(id)).toMatchObject({ health: 'call-timeout', doctor: { cause: 'call-unmatched' } });
});

test.each([
  ['a log line', 'E (4711) wifi: {"type":', 'broken-frames', ['foreign']],
  ['an answer with a wrong id', '{"type":"mcp","payload":{"id":1003,"result":{}}}', 'call-unmatched', undefined],
])('the doctor diagnoses the last call, answered by %s, and no earlier frame', async (_what, stray, cause, faults) => {
  const { hub, board, call, device } = await openBoard(() => Buffer.from(stray));
  board.send('{"type":"mcp"');
  await device(({ counters }) => counters.invalidIn === 1);
  expect(hub.device(id)?.doctor.faults).toEqual(['cut']);
  const before = hub.device(id)?.counters.framesIn ?? NaN;
  const timeUp = new AbortController();
  const failure = call({ signal: timeUp.signal });
  await board.request('tools/call', 'read');
  await device(({ counters }) => counters.framesIn === before + 1);
  timeUp.abort(new ToolError('timeout', 'took too long'));
  await expect(failure).rejects.toThrow('took too long');
  const { doctor } = await device(() => true);
  expect(doctor).toMatchObject({ cause });
  expect(doctor.faults).toEqual(faults);
  expect(doctor.steps.at(-1)).toMatchObject({ id: 'call', fact: '#3' });
});

test('an answer in a binary frame fails its call, even while the device speaks', async () => {
  const { hub, board, call } = await openBoard(() => Buffer.from('{"type":"listen","state":"start","mode":"auto"}'));
  const failure = call({ callId: 'the call' });
  await board.request('tools/call', 'read');
  const text = '{"type":"mcp","payload":{"jsonrpc":"2.0","id":3,"result":{"content":[]}}}';
  board.socket.send(Buffer.from(text), { binary: true });
  await expect(failure).rejects.toMatchObject({
    code: 'protocol-error',
    message: `board answered tools/call #3 in a binary frame, which carries audio. Send it as a text frame. The frame: ${text}`,
    info: { details: { fault: 'binary', requestId: 3 } },
  });
  expect(framesOf(hub, 'the call').at(-1)).toMatchObject({ type: 'invalid', summary: 'answer #3, in a binary frame' });
  expect(hub.device(id)?.doctor).toMatchObject({ cause: 'broken-frames', faults: ['binary'] });
});

test.each([
  ['', true],
  ['{"type":"listen","state":"start","mode":"manual"}', false],
  ['{"type":"listen","state":"stop"}', false],
])(
  'a binary frame belongs to the call that waits, unless the device speaks or has just stopped (%s)',
  async (first, isOfCall) => {
    const { hub, board, call } = await openBoard(() => Buffer.from('garbage'));
    if (first !== '') board.socket.send(first);
    const stray: string[] = [];
    const stop = new AbortController();
    const end = call({ callId: 'the call', signal: stop.signal, onUnmatched: (why) => stray.push(why) });
    await expect.poll(() => stray.length).toBe(1);
    board.socket.send(Buffer.from([1, 2, 3]), { binary: true });
    board.socket.send('garbage');
    await expect.poll(() => stray.length).toBe(isOfCall ? 3 : 2);
    expect(stray.includes('it is binary')).toBe(isOfCall);
    expect(framesOf(hub, 'the call').filter(({ kind }) => kind === 'binary')).toHaveLength(isOfCall ? 1 : 0);
    stop.abort();
    await expect(end).rejects.toThrow('The call was cancelled.');
  },
);
