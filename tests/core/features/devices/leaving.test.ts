/** A device that leaves during a call: because the call told it to, because it crashed, or because we ended it. */
import { describe, expect, test } from 'vitest';

import { virtualFaults } from '../../../../src-core/features/devices/virtual/faults.ts';
import { firmwareProfile } from '../../../../src-core/features/devices/virtual/firmware/firmwareProfile.ts';
import { createVirtualDevice } from '../../../../src-core/features/devices/virtual/virtualDevice.ts';
import { executeSingleRequest } from '../../../../src-core/engine/executor.ts';
import { ToolError } from '../../../../src-core/base/errors.ts';
import type { DeviceInfo } from '../../../../src-core/contract/deviceInfo.ts';
import { createManualClock } from './support/manualClock.ts';
import { invokeOptions, openHub } from './support/openHub.ts';
import { connectScripted, standardAnswer, standardTools } from './support/scriptedDevice.ts';

const id = '02:00:00:aa:bb:cc';

const tools = [...standardTools, { name: 'self.reboot', description: 'Restarts.', inputSchema: { type: 'object' } }];
const allowed = { onBeforeExecute: () => true };

/** A board that answers everything but calls. */
async function openBoard(options: Parameters<typeof openHub>[0] = {}) {
  const clock = createManualClock();
  const open = await openHub({ ...options, clock });
  const connect = async () => {
    const board = await connectScripted(open.wsUrl, {
      answer: (request) => {
        if (request.method === 'tools/list') return { jsonrpc: '2.0', id: request.id, result: { tools } };
        return request.method === 'tools/call' ? undefined : standardAnswer(request);
      },
    });
    board.hello({ device_name: 'Lamp' });
    return board;
  };
  const board = await connect();
  const source = await open.registry();
  const call = async (tool: string) => {
    const outcome = source.invoke(tool, {}, invokeOptions()).then(
      ({ value }) => ({ value }),
      (error: unknown) => ({ error }),
    );
    await board.request('tools/call', tool);
    clock.advance(312);
    return { outcome };
  };
  /** Calls a tool through the executor, which has a clock of its own, and moves the hub's clock by `ms`. */
  const execute = async (tool: string, ms: number) => {
    const toolName = `${source.id}_${tool}`;
    const { toolRegistryManager } = open;
    const result = executeSingleRequest({ toolName, args: {} }, { toolRegistryManager, caller: 'user', ...allowed });
    const { id: requestId } = await board.request('tools/call', tool);
    clock.advance(ms);
    return { result, requestId };
  };
  return { ...open, clock, source, board, connect, call, execute };
}

/** The diagnosis that the error of a call carries. */
async function diagnosis(outcome: Promise<{ error: unknown } | { value: unknown }>) {
  const ended = await outcome;
  if (!('error' in ended) || !(ended.error instanceof ToolError)) throw new Error('the call did not fail');
  const { code, message, details = {} } = ended.error.info;
  const { cause, description } = details;
  expect(code).toBe('disconnected');
  expect(message.startsWith(`${String(description)} `)).toBe(true);
  return { error: { message: description }, doctor: { cause } };
}

const done = 'Lamp disconnected 312 ms after the request, as this call requires. Boards do not answer this call.';

describe('a call that makes the device leave is done', () => {
  test.each([
    'self.reboot',
    'self.upgrade_firmware',
    'self.system.reconfigure_wifi',
    'self.factory_reset',
    'self.ota.begin_update',
    '系统_重启',
  ])('%s', async (tool) => {
    const { board, call, device } = await openBoard();
    const { outcome } = await call(tool);
    board.socket.terminate();
    expect(await outcome).toEqual({ value: done });
    expect(await device(({ state }) => state === 'closed')).toMatchObject({
      error: { code: 'left-as-asked', message: `Lamp disconnected as ${tool} requires, 312 ms after the request.` },
      doctor: { cause: 'left-as-asked' },
    });
    const last = (await device(({ state }) => state === 'closed')).doctor.steps.at(-1);
    expect(last).toMatchObject({ id: 'call', state: 'done', fact: '#3', tookMs: 312 });
  });

  test('also if the board is back before its old connection is noticed to be gone', async () => {
    const { connect, call, device } = await openBoard();
    const { outcome } = await call('self.reboot');
    await connect();
    expect(await outcome).toEqual({ value: done });
    expect((await device(({ state }) => state === 'ready')).doctor.cause).toBeUndefined();
  });
});

describe('a call that the device does not survive fails', () => {
  test.each(['self.audio_speaker.set_volume', 'self.flash.write_file', 'self.get_reboot_count'])('%s', async (tool) => {
    const { board, call, device } = await openBoard();
    const { outcome } = await call(tool);
    board.socket.terminate();
    const card = await device(({ state }) => state === 'closed');
    expect(card).toMatchObject(await diagnosis(outcome));
    expect(card).toMatchObject({
      error: {
        code: 'left-during-call',
        message: `The connection to Lamp ended without a close frame (1006), 312 ms after request #3 (${tool}), without an answer.`,
      },
      doctor: { cause: 'left-during-call' },
    });
    expect(card.doctor.steps.at(-1)).toMatchObject({ id: 'call', state: 'failed', fact: '#3', tookMs: 312 });
  });

  test('a restart that we cut off ourselves', async () => {
    const { hub, call, device } = await openBoard();
    const { outcome } = await call('self.reboot');
    hub.disconnect(id);
    const card = await device(({ state }) => state === 'closed');
    expect(card).toMatchObject(await diagnosis(outcome));
    expect(card.doctor.cause).toBe('closed-here');
    expect(card.error?.message).toBe(
      'The connection to Lamp was closed here: disconnected by the user, 312 ms after request #3 (self.reboot), without an answer.',
    );
  });

  test('one whose device connected again before its old connection was noticed to be gone', async () => {
    const { connect, call } = await openBoard();
    const { outcome } = await call('self.get_device_status');
    await connect();
    expect((await diagnosis(outcome)).doctor.cause).toBe('left-during-call');
  });

  test('a frame that breaks the WebSocket instead of an answer', async () => {
    const { board, call, device } = await openBoard();
    const { outcome } = await call('self.reboot');
    board.socket.send('x'.repeat(2 * 1024 * 1024));
    const card = await device(({ state }) => state === 'closed');
    expect(card).toMatchObject(await diagnosis(outcome));
    expect(card.doctor.cause).toBe('broken-frames');
  });
});

describe('the result, the error, the card and the log name the same duration', () => {
  test.each([
    [312, '312 ms'],
    [0.4, '0.4 ms'],
    [12_345, '12.3 s'],
    [192_000, '3 m 12 s'],
  ])('of a call that was cut off after %d ms', async (ms, text) => {
    const { board, execute, device } = await openBoard();
    const { result } = await execute('self.get_device_status', ms);
    board.socket.terminate();
    const { durationMs, error } = await result;
    expect(durationMs).toBe(ms);
    expect(error?.details?.['elapsedMs']).toBe(ms);
    expect(error?.details?.['description']).toContain(`, ${text} after request #`);
    const { error: shown } = await device(({ state }) => state === 'closed');
    expect(shown?.message).toBe(error?.details?.['description']);
  });

  test('of a call that made the device leave', async () => {
    const { board, execute, device } = await openBoard();
    const { result } = await execute('self.reboot', 312);
    board.socket.terminate();
    expect(await result).toMatchObject({ status: 'success', result: done, durationMs: 312 });
    const { error } = await device(({ state }) => state === 'closed');
    expect(error?.message).toBe('Lamp disconnected as self.reboot requires, 312 ms after the request.');
  });

  test('of a call that was answered', async () => {
    const { board, execute, hub } = await openBoard();
    const { result, requestId } = await execute('self.get_device_status', 312);
    const payload = { jsonrpc: '2.0', id: requestId, result: { content: [{ type: 'text', text: 'on' }] } };
    board.send({ type: 'mcp', payload });
    expect(await result).toMatchObject({ status: 'success', result: 'on', durationMs: 312 });
    const answer = hub
      .frames({ deviceId: id, limit: 100 })
      .find(({ rpcId, role }) => rpcId === requestId && role === 'answer');
    expect(answer?.durationMs).toBe(312);
  });
});

test('a device that was disconnected here did not leave by itself', async () => {
  const { hub, device } = await openBoard();
  hub.disconnect(id);
  expect(await device(({ state }) => state === 'closed')).toMatchObject({
    error: { code: 'closed-here', message: 'The connection to Lamp was closed here: disconnected by the user.' },
    doctor: { cause: 'closed-here' },
  });
});

describe('a device that leaves after a frame sent by hand', () => {
  const reboot = '{"type":"system","command":"reboot"}';
  const call = (name: string) => {
    const payload = { jsonrpc: '2.0', id: 500, method: 'tools/call', params: { name, arguments: {} } };
    return JSON.stringify({ type: 'mcp', payload });
  };

  test.each([
    [call('self.reboot'), 'left-as-asked', 'Lamp disconnected as self.reboot requires, 312 ms after the request.'],
    [reboot, 'left-as-asked', 'Lamp disconnected as system reboot requires, 312 ms after the request.'],
    [
      call('self.flash.write_file'),
      'left-during-call',
      'The connection to Lamp ended without a close frame (1006), 312 ms after request #500 (self.flash.write_file), without an answer.',
    ],
    ['{"type":"tts","state":"start"}', 'left', 'The connection to Lamp ended without a close frame (1006).'],
  ])('%s', async (text, cause, message) => {
    const { hub, board, clock, device } = await openBoard();
    hub.send({ id, text, confirmed: true });
    clock.advance(312);
    board.socket.terminate();
    expect(await device(({ state }) => state === 'closed')).toMatchObject({
      error: { code: cause, message },
      doctor: { cause },
    });
    const { lastSeenAt, leftAt } = await device(() => true);
    expect(lastSeenAt).toBe(leftAt);
    const { summary, rpcId } = hub.frames({ deviceId: id, limit: 100 }).at(-1) ?? {};
    const isAsked = cause === 'left-as-asked';
    expect(summary).toMatch(isAsked ? /^1006 as (self\.|system )reboot requires$/ : /^1006 without a close frame$/);
    expect(rpcId).toBe(isAsked && text !== reboot ? 500 : undefined);
  });

  test('that it answered, or long ago, has only left', async () => {
    const { hub, board, clock, connect, device } = await openBoard();
    hub.send({ id, text: call('self.reboot'), confirmed: true });
    await board.request('tools/call', 'self.reboot');
    board.send({ type: 'mcp', payload: { jsonrpc: '2.0', id: 500, result: {} } });
    await expect.poll(() => hub.frames({ deviceId: id, limit: 100 }).at(-1)?.role).toBe('answer');
    board.socket.terminate();
    expect((await device(({ state }) => state === 'closed')).doctor.cause).toBe('left');
    const again = await connect();
    await device(({ state }) => state === 'ready');
    hub.send({ id, text: reboot, confirmed: true });
    clock.advance(30_001);
    again.socket.terminate();
    expect((await device(({ state }) => state === 'closed')).doctor.cause).toBe('left');
  });

  test('which we cut off, has been disconnected here', async () => {
    const { hub, device } = await openBoard();
    hub.send({ id, text: reboot, confirmed: true });
    hub.disconnect(id);
    expect((await device(({ state }) => state === 'closed')).error).toEqual({
      code: 'closed-here',
      message: 'The connection to Lamp was closed here: disconnected by the user.',
    });
  });
});

test('a device that leaves between calls has only left', async () => {
  const { board, device } = await openBoard();
  board.socket.terminate();
  expect(await device(({ state }) => state === 'closed')).toMatchObject({
    error: { code: 'left', message: 'The connection to Lamp ended without a close frame (1006).' },
    doctor: { cause: 'left' },
  });
});

test.each(virtualFaults.filter((fault) => fault === 'crash-on-call' || fault === 'disconnect-half-way'))(
  'reports the fault %s as a crash during the call',
  async (fault) => {
    const { wsUrl, registry, device } = await openHub();
    const virtual = createVirtualDevice({ url: wsUrl, profile: firmwareProfile, faults: [fault] });
    await virtual.connect();
    const source = await registry();
    await expect(source.invoke('self.get_device_status', {}, invokeOptions())).rejects.toMatchObject({
      code: 'disconnected',
    });
    expect((await device(({ state }) => state === 'closed')).doctor.cause).toBe('left-during-call');
  },
);

describe('a call without a usable answer is shown until one succeeds', () => {
  const lastStep = ({ doctor }: DeviceInfo) => doctor.steps.at(-1);
  const callStep = { id: 'call', state: 'failed', fact: '#3' };

  test('after a timeout, which is no round trip', async () => {
    const { board, source, clock, device } = await openBoard();
    const time = new AbortController();
    const silent = source.invoke('self.get_device_status', {}, invokeOptions({ signal: time.signal }));
    await board.request('tools/call');
    expect((await device(({ state }) => state === 'ready')).latency).toBeUndefined();
    clock.advance(30_000);
    time.abort(new ToolError('timeout', 'No answer within 30 s.'));
    await expect(silent).rejects.toMatchObject({ code: 'timeout' });
    const late = await device(({ health }) => health === 'call-timeout');
    expect(lastStep(late)).toMatchObject({ ...callStep, tookMs: 30_000 });
    expect(late.latency).toBeUndefined();
    const answered = source.invoke('self.audio_speaker.set_volume', { volume: 1 }, invokeOptions());
    const { id: requestId } = await board.request('tools/call', 'self.audio_speaker.set_volume');
    const result = { content: [{ type: 'text', text: 'true' }] };
    board.send({ type: 'mcp', payload: { jsonrpc: '2.0', id: requestId, result } });
    await answered;
    expect(lastStep(await device(({ health }) => health === 'ready'))?.id).toBe('tools');
  });

  test.each(['before', 'after'])('after a crash, if its old connection ends %s it is back', async (when) => {
    const { board, connect, call, device } = await openBoard();
    const { outcome } = await call('self.get_device_status');
    if (when === 'before') {
      board.socket.terminate();
      await device(({ state }) => state === 'closed');
    }
    await connect();
    expect((await diagnosis(outcome)).doctor.cause).toBe('left-during-call');
    const back = await device(({ health }) => health === 'back-after-crash');
    expect(lastStep(back)).toMatchObject({ ...callStep, tookMs: 312 });
  });

  test('after an answer that is cut off', async () => {
    const { board, call, device } = await openBoard();
    const { outcome } = await call('self.get_device_status');
    board.send('{"type":"mcp","payload":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"te');
    expect(await outcome).toMatchObject({ error: { code: 'protocol-error' } });
    const cut = await device(({ health }) => health === 'broken-frames');
    expect(lastStep(cut)).toMatchObject(callStep);
    expect(cut.doctor.faults).toEqual(['cut']);
  });
});

test('the end of a connection is told with the name that the device has by now', async () => {
  const named: { given?: string } = {};
  const { board, device } = await openBoard({ givenName: () => named.given });
  board.socket.terminate();
  expect((await device(({ state }) => state === 'closed')).error?.message).toMatch(/connection to Lamp ended/);
  named.given = 'Desk';
  expect((await device(({ state }) => state === 'closed')).error?.message).toMatch(/connection to Desk ended/);
});
