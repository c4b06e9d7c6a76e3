import { describe, expect, test } from 'vitest';
import { executeSingleRequest } from '../../../../src-core/engine/executor.ts';
import { ToolError } from '../../../../src-core/base/errors.ts';
import { createManualClock } from './support/manualClock.ts';
import { framesOf, invokeOptions, openHub } from './support/openHub.ts';
import { connectScripted, standardAnswer, tcpOf } from './support/scriptedDevice.ts';
import type { WireRequest } from './support/scriptedDevice.ts';

const failure = (call: Promise<unknown>): Promise<ToolError> =>
  call.then(
    () => Promise.reject(new Error('the call did not fail')),
    (error: unknown) => error as ToolError,
  );

/** A ready device whose tools/call is answered by `onCall`; `undefined` leaves it without an answer. */
async function ready(onCall: (request: WireRequest) => object | string | undefined, options = {}) {
  const opened = await openHub(options);
  const board = await connectScripted(opened.wsUrl, {
    answer: (request) => (request.method === 'tools/call' ? onCall(request) : standardAnswer(request)),
  });
  board.hello({ device_name: '书房音箱' });
  return { ...opened, board, registry: await opened.registry() };
}

const result = (id: number | undefined, content: unknown, more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  result: { content, ...more },
});
const raw = (payload: string) => `{"session_id":"","type":"mcp","payload":${payload}}`;

describe('a call', () => {
  test('reaches the device verbatim, with integer ids, and is found in the log by its call id', async () => {
    const { registry, board, hub } = await ready(standardAnswer);
    let started = 0;
    const onStart = () => (started += 1);
    const output = await registry.invoke(
      'self.audio_speaker.set_volume',
      { volume: 50 },
      invokeOptions({ callId: 'mine', onStart }),
    );
    expect(output).toEqual({ value: 'true', content: [{ type: 'text', text: 'true' }] });
    expect(started).toBe(1);
    expect(board.requests.at(-1)).toEqual({
      jsonrpc: '2.0',
      id: 3,
      method: 'tools/call',
      params: { name: 'self.audio_speaker.set_volume', arguments: { volume: 50 } },
    });
    const frames = framesOf(hub, 'mine');
    expect(frames.map(({ direction, summary, rpcId }) => [direction, summary, rpcId])).toEqual([
      ['out', 'tools/call self.audio_speaker.set_volume', 3],
      ['in', 'answer to tools/call self.audio_speaker.set_volume', 3],
    ]);
    expect(frames[1]?.durationMs).toBeGreaterThan(0);
    expect(frames[0]?.bytes).toBe(Buffer.byteLength(frames[0]?.text ?? ''));
  });

  test('has one duration in its result and its frame', async () => {
    const clock = createManualClock();
    const { registry, board, hub, toolRegistryManager } = await ready(() => undefined, { clock });
    const call = { toolName: `${registry.id}_self.get_device_status`, args: {} };
    const running = executeSingleRequest(call, { toolRegistryManager, caller: 'user', newId: () => 'exact' });
    const { id } = await board.request('tools/call');
    clock.advance(2_414.999_96);
    board.send(raw(JSON.stringify(result(id, []))));
    expect((await running).durationMs).toBe(2_415);
    expect(framesOf(hub, 'exact').at(-1)?.durationMs).toBe(2_415);
  });

  test('that the tool says failed keeps its text and content', async () => {
    const { registry } = await ready(({ id }) =>
      result(id, [{ type: 'text', text: 'Value -1 is below' }], { isError: true }),
    );
    expect(await registry.invoke('x', {}, invokeOptions())).toEqual({
      value: 'Value -1 is below',
      content: [{ type: 'text', text: 'Value -1 is below' }],
      isError: true,
    });
  });

  test("rejects with the device's message if an error has no code", async () => {
    const { registry } = await ready(({ id }) => ({
      jsonrpc: '2.0',
      id,
      error: { message: 'Value exceeds maximum allowed: 100' },
    }));
    const error = await failure(registry.invoke('x', {}, invokeOptions()));
    expect(error.info).toEqual({
      code: 'tool-error',
      message: '书房音箱 answered with an error: Value exceeds maximum allowed: 100',
      details: { device: '书房音箱', requestId: 3, deviceMessage: 'Value exceeds maximum allowed: 100' },
    });
  });

  test.each([
    [
      'an error with a code',
      { error: { code: -32603, message: 'Unknown tool: x' } },
      { code: 'tool-error', details: { rpcCode: -32603 } },
    ],
    ['an error that is text', { error: 'no' }, { code: 'tool-error', details: { deviceMessage: 'no' } }],
    ['neither result nor error', {}, { code: 'protocol-error', details: { requestId: 3 } }],
  ])('answered with %s rejects clearly', async (_what, answer, expected) => {
    const { registry } = await ready(({ id }) => ({ jsonrpc: '2.0', id, ...answer }));
    expect((await failure(registry.invoke('x', {}, invokeOptions()))).info).toMatchObject(expected);
  });

  test('answered with invalid JSON rejects with the raw frame, found by its id', async () => {
    const frame = raw('{"jsonrpc":"2.0","id":3,"error":{"message":"Unknown tool: no"such"}}');
    const { registry, hub } = await ready(() => frame);
    const error = await failure(registry.invoke('no"such', {}, invokeOptions({ callId: 'broken' })));
    expect(error.code).toBe('protocol-error');
    expect(error.message).toContain(frame);
    expect(framesOf(hub, 'broken').map(({ text }) => text)).toContain(frame);
  });

  test('waits for its turn: one at a time to a board, in order, onStart when it goes out', async () => {
    const asked: WireRequest[] = [];
    const { registry, board } = await ready((request) => void asked.push(request));
    const started: number[] = [];
    const calls = Array.from({ length: 64 }, (_, index) =>
      registry.invoke('x', { index }, invokeOptions({ onStart: () => started.push(index) })),
    );
    for (let index = 0; index < 64; index += 1) {
      const { id } =
        (await board.frame(({ payload }) => payload?.params?.arguments?.['index'] === index)).payload ?? {};
      expect(started).toHaveLength(index + 1);
      board.send({ type: 'mcp', payload: result(id, [{ type: 'text', text: String(index) }]) });
    }
    expect((await Promise.all(calls)).map(({ value }) => value)).toEqual(calls.map((_, index) => String(index)));
    expect(started).toEqual(calls.map((_, index) => index));
    expect(new Set(asked.map(({ id }) => id)).size).toBe(64);
  });

  test('goes out beside others to a peer that may have several, and answers in any order find their callers', async () => {
    const asked: WireRequest[] = [];
    const { registry, board } = await ready((request) => void asked.push(request), { maxConcurrentCalls: () => 3 });
    const calls = [0, 1, 2, 3].map((index) => registry.invoke('x', { index }, invokeOptions()));
    await board.frame(({ payload }) => payload?.params?.arguments?.['index'] === 2);
    expect(asked).toHaveLength(3);
    for (const { id, params } of asked.toReversed()) {
      board.send({ type: 'mcp', payload: result(id, [{ type: 'text', text: String(params?.arguments?.['index']) }]) });
    }
    const last = await board.frame(({ payload }) => payload?.params?.arguments?.['index'] === 3);
    board.send({ type: 'mcp', payload: result(last.payload?.id, [{ type: 'text', text: '3' }]) });
    expect((await Promise.all(calls)).map(({ value }) => value)).toEqual(['0', '1', '2', '3']);
  });
});

describe('cancelling', () => {
  test('removes a waiting call from the queue and sends nothing', async () => {
    const { registry, board } = await ready(({ id, params }) =>
      params?.name === 'slow' ? undefined : result(id, [{ type: 'text', text: 'done' }]),
    );
    const slow = registry.invoke('slow', {}, invokeOptions());
    const waiting = new AbortController();
    let started = false;
    const second = registry.invoke(
      'never',
      {},
      invokeOptions({ signal: waiting.signal, onStart: () => (started = true) }),
    );
    const third = registry.invoke('after', {}, invokeOptions());
    waiting.abort();
    expect((await failure(second)).code).toBe('cancelled');
    const { id } = await board.request('tools/call', 'slow');
    board.send({ type: 'mcp', payload: result(id, []) });
    await slow;
    expect((await third).value).toBe('done');
    expect(started).toBe(false);
    expect(board.requests.map(({ params }) => params?.name)).not.toContain('never');
  });

  test('stops waiting for a running call; the next goes out, and the late answer is logged as late', async () => {
    const { registry, board, hub } = await ready(({ id, params }) =>
      params?.name === 'slow' ? undefined : result(id, [{ type: 'text', text: 'done' }]),
    );
    const running = new AbortController();
    const reason = new ToolError('timeout', 'took too long');
    const slow = registry.invoke('slow', {}, invokeOptions({ signal: running.signal, callId: 'slow' }));
    const { id } = await board.request('tools/call', 'slow');
    running.abort(reason);
    expect(await failure(slow)).toBe(reason);
    board.send({ type: 'mcp', payload: result(id, []) });
    expect((await registry.invoke('next', {}, invokeOptions())).value).toBe('done');
    expect(framesOf(hub, 'slow').map(({ summary }) => summary)).toEqual([
      'tools/call slow',
      'late answer to tools/call slow',
    ]);
  });

  test('through the executor frees the place of a running call, and takes a waiting one out', async () => {
    const { registry, board, toolRegistryManager, hub } = await ready(({ id, params }) =>
      params?.name === slowTool ? undefined : result(id, [{ type: 'text', text: 'done' }]),
    );
    const slowTool = 'self.audio_speaker.set_volume';
    const endings: AbortController[] = [];
    const call = (toolName: string, args = {}) =>
      executeSingleRequest(
        { toolName: `${registry.id}_${toolName}`, args },
        { toolRegistryManager, caller: 'user', onCallStart: (_, ending) => void endings.push(ending) },
      );
    const running = call(slowTool, { volume: 1 });
    const waiting = call(slowTool, { volume: 2 });
    const last = call('self.get_device_status');
    const { id } = await board.request('tools/call', slowTool);
    endings[1]?.abort(new ToolError('cancelled', 'Not that one.'));
    expect(await waiting).toMatchObject({ result: 'Not that one. It did not run.', durationMs: 0 });
    endings[0]?.abort(new ToolError('cancelled', 'Enough.'));
    expect(await running).toMatchObject({
      status: 'error',
      result: 'Enough. It had already started and may have taken effect.',
    });
    expect(await last).toMatchObject({ status: 'success', result: 'done' });
    board.send({ type: 'mcp', payload: result(id, []) });
    await registry.invoke('after', {}, invokeOptions());
    expect(hub.frames({ limit: 99 }).map(({ summary }) => summary)).toContain(`late answer to tools/call ${slowTool}`);
    expect(board.requests.filter(({ params }) => params?.name === slowTool).length).toBe(1);
  });

  test('before the call begins sends nothing', async () => {
    const { registry, board } = await ready(standardAnswer);
    const before = board.requests.length;
    expect((await failure(registry.invoke('x', {}, invokeOptions({ signal: AbortSignal.abort() })))).code).toBe(
      'cancelled',
    );
    await registry.invoke('y', {}, invokeOptions());
    expect(board.requests.slice(before).map(({ params }) => params?.name)).toEqual(['y']);
  });
});

describe('a device that leaves during a call', () => {
  test('fails the running call and the waiting ones at once, and its registry goes', async () => {
    const clock = createManualClock();
    const { registry, board, device, toolRegistryManager, hub } = await ready(() => undefined, { clock });
    const running = failure(registry.invoke('self.camera.take_photo', {}, invokeOptions({ callId: 'photo' })));
    const waiting = failure(registry.invoke('x', {}, invokeOptions()));
    await board.request('tools/call');
    clock.advance(2_410);
    board.socket.terminate();

    const error = await running;
    expect(error.code).toBe('disconnected');
    expect(error.message).toBe(
      'The connection to 书房音箱 ended without a close frame (1006), 2.41 s after request #3 (self.camera.take_photo), without an answer. ' +
        'If it does not reconnect automatically, press its button, say the wake word, or start a conversation in py-xiaozhi.',
    );
    expect(error.info.details).toEqual({
      code: 1006,
      elapsedMs: 2_410,
      requestId: 3,
      device: '书房音箱',
      cause: 'left-during-call',
      description: error.message.slice(0, error.message.indexOf(' If')),
    });
    expect((await waiting).message).toContain('before the request was sent');
    expect((await device(({ state }) => state === 'closed')).registryId).toBeUndefined();
    expect(toolRegistryManager.getAllTools()).toEqual([]);
    expect(framesOf(hub, 'photo').map(({ kind }) => kind)).toEqual(['text', 'close']);
    expect((await failure(registry.invoke('x', {}, invokeOptions()))).code).toBe('disconnected');
  });

  test('with a clean close says the code', async () => {
    const { registry, board } = await ready(() => undefined);
    const running = failure(registry.invoke('x', {}, invokeOptions()));
    await board.request('tools/call');
    board.socket.close(1000);
    expect((await running).info.details).toMatchObject({ code: 1000 });
  });

  test('because it was disconnected here says so', async () => {
    const { registry, board, hub } = await ready(() => undefined);
    const running = failure(registry.invoke('x', {}, invokeOptions()));
    await board.request('tools/call');
    hub.disconnect('02:00:00:aa:bb:cc');
    expect((await running).message).toContain('closed here: disconnected by the user');
  });

  test('a device that does not read what we send is let go', async () => {
    const { registry, board } = await ready(() => undefined, {
      limits: { maxUnsent: 100_000 },
      maxConcurrentCalls: () => 1_000,
    });
    tcpOf(board.socket).pause();
    const text = 'x'.repeat(1_000_000);
    const calls = Array.from({ length: 40 }, () => failure(registry.invoke('x', { text }, invokeOptions())));
    for (const error of await Promise.all(calls)) expect(error.code).toBe('disconnected');
  });
});
