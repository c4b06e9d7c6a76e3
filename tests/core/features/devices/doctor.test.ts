import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { DeviceInfo, DoctorCause } from '../../../../src-core/contract/deviceInfo.ts';
import { createVirtualDeviceOf } from '../../../../src-core/features/devices/virtual/profiles.ts';
import { createManualClock } from './support/manualClock.ts';
import { openHub } from './support/openHub.ts';
import type { OpenHub } from './support/openHub.ts';
import { connectScripted, standardAnswer, tcpOf } from './support/scriptedDevice.ts';
import type { ScriptedDevice, WireRequest } from './support/scriptedDevice.ts';

type Answer = (request: WireRequest) => object | string | undefined;
/** A device that does not answer one method as it should. */
const but = (method: string, answer: Answer): Answer => {
  return (request) => (request.method === method ? answer(request) : standardAnswer(request));
};
const error = ({ id }: WireRequest) => ({ jsonrpc: '2.0', id, error: { message: 'not in this mood' } });
const listOf =
  (result: object): Answer =>
  ({ id }) => ({ jsonrpc: '2.0', id, result });

/** `hello:done tools:failed …` without the stations that are skipped or open. */
const stations = ({ doctor }: DeviceInfo): string =>
  doctor.steps
    .filter(({ state }) => state !== 'skipped' && state !== 'open')
    .map(({ id, state }) => `${id}:${state}`)
    .join(' ');

interface Stop {
  cause: DoctorCause;
  stations: string;
  answer?: Answer;
  /** What happens after the connection is open; `hello` unless told. */
  act?: (board: ScriptedDevice, open: OpenHub) => unknown;
  /** ms that pass then. */
  wait?: number;
  limits?: object;
}

const upTo = 'tcp:done hello:done';
const stops: Stop[] = [
  { cause: 'no-hello', stations: 'tcp:done hello:failed', act: () => {}, wait: 10_000 },
  { cause: 'not-hello', stations: 'tcp:done hello:failed', act: (board) => board.send('{"type":"listen"}') },
  { cause: 'left-before-ready', stations: 'tcp:done hello:failed', act: (board) => board.socket.terminate() },
  { cause: 'too-many-devices', stations: 'tcp:failed', limits: { maxDevices: 0 }, act: () => {} },
  { cause: 'no-mcp', stations: upTo, act: (board) => board.hello({ features: {} }) },
  {
    cause: 'initialize-silent',
    stations: `${upTo} initialize:failed`,
    answer: but('initialize', () => undefined),
    act: (board) => {
      board.hello();
      return board.request('initialize');
    },
    wait: 10_000,
  },
  { cause: 'initialize-error', stations: `${upTo} initialize:failed`, answer: but('initialize', error) },
  {
    cause: 'broken-frames',
    stations: `${upTo} initialize:failed`,
    answer: but('initialize', ({ id }) => `{"type":"mcp","payload":{"jsonrpc":"2.0","id":${id},"result":{"x":"a"b"}}}`),
  },
  {
    cause: 'list-silent',
    stations: `${upTo} initialize:done tools:failed`,
    answer: but('tools/list', () => undefined),
    act: (board) => {
      board.hello();
      return board.request('tools/list');
    },
    wait: 10_000,
  },
  { cause: 'list-error', stations: `${upTo} initialize:done tools:failed`, answer: but('tools/list', error) },
  {
    cause: 'list-incomplete',
    stations: `${upTo} initialize:done tools:failed`,
    answer: but('tools/list', listOf({ tools: [{ name: 'one' }], nextCursor: 'again' })),
  },
  {
    cause: 'no-tools',
    stations: `${upTo} initialize:done tools:done`,
    answer: but('tools/list', listOf({ tools: [] })),
  },
  {
    cause: 'left-before-ready',
    stations: `${upTo} initialize:failed`,
    answer: but('initialize', () => undefined),
    act: async (board) => {
      board.hello();
      await board.request('initialize');
      tcpOf(board.socket).destroy();
    },
  },
  {
    cause: 'left',
    stations: `${upTo} initialize:done tools:done`,
    act: async (board, { device }) => {
      board.hello();
      await device(({ state }) => state === 'ready');
      board.socket.close(1000);
    },
  },
  {
    cause: 'left',
    stations: upTo,
    act: async (board, { device }) => {
      board.hello({ features: {} });
      await device(({ state }) => state === 'ready');
      board.socket.close(1000);
    },
  },
  {
    cause: 'broken-frames',
    stations: `${upTo} initialize:done tools:done`,
    act: async (board, { device }) => {
      board.hello();
      await device(({ state }) => state === 'ready');
      board.send('{{{');
      board.hello();
    },
  },
  {
    cause: 'broken-frames',
    stations: `${upTo} initialize:done tools:done`,
    limits: { maxPayload: 10_000 },
    act: async (board, { device }) => {
      board.hello();
      await device(({ state }) => state === 'ready');
      board.socket.send('x'.repeat(10_001));
    },
  },
];

describe('the doctor says where a connection stopped and why', () => {
  test.each(stops)('$cause ($stations)', async ({ cause, stations: expected, wait = 0, limits = {}, ...stop }) => {
    const clock = createManualClock();
    const open = await openHub({ clock, limits });
    const board = await connectScripted(open.wsUrl, stop.answer === undefined ? {} : { answer: stop.answer });
    await (stop.act ?? (() => board.hello()))(board, open);
    await open.device(() => true);
    clock.advance(wait);
    const info = await open.device(({ doctor }) => doctor.cause === cause);
    expect(stations(info)).toBe(expected);
    board.socket.terminate();
    // It is kept after the device has left.
    const gone = await open.device(({ state }) => state === 'closed' || state === 'failed');
    expect(gone.doctor.steps.map(({ id }) => id)).toEqual(['ota', 'tcp', 'hello', 'approval', 'initialize', 'tools']);
  });

  test('reports idle if an open connection is silent, and not if it answers pings', async () => {
    const clock = createManualClock();
    const { wsUrl, device } = await openHub({ clock });
    const board = await connectScripted(wsUrl);
    board.hello();
    const ready = await device(({ state }) => state === 'ready');
    expect(ready.doctor).not.toHaveProperty('cause');
    const pinged = once(board.socket, 'ping');
    clock.advance(30_000);
    await pinged;
    board.send({ type: 'ping' });
    await board.frame(({ type }) => type === 'pong');
    expect((await device(() => true)).lastSeenAt).toBe(clock.wall());
    // The power is cut: nothing closes the connection, nothing comes.
    tcpOf(board.socket).pause();
    clock.advance(120_000);
    const silent = await device(({ doctor }) => doctor.cause === 'idle');
    expect(silent).toMatchObject({ state: 'ready', toolCount: 2 });
    // Or it was only away.
    tcpOf(board.socket).resume();
    board.send({ type: 'ping' });
    await board.frame(() => board.received.filter(({ type }) => type === 'pong').length === 2);
    expect((await device(() => true)).doctor).not.toHaveProperty('cause');
  });
});

test('of a good connection it tells times and facts, and no cause', async () => {
  const clock = createManualClock();
  const answer: Answer = ({ id, method, params }) => {
    clock.advance(5);
    if (method !== 'tools/list')
      return standardAnswer(
        params === undefined ? { method, ...(id && { id }) } : { method, params, ...(id && { id }) },
      );
    const first = params?.cursor === '';
    return {
      jsonrpc: '2.0',
      id,
      result: { tools: [{ name: first ? 'one' : 'two' }], ...(first && { nextCursor: 'two' }) },
    };
  };
  const { wsUrl, device } = await openHub({ clock });
  const start = clock.wall();
  const board = await connectScripted(wsUrl, { answer });
  await device(({ state }) => state === 'hello');
  clock.advance(20);
  board.hello();
  const { doctor } = await device(({ state }) => state === 'ready');
  expect(doctor).toEqual({
    steps: [
      { id: 'ota', state: 'skipped' },
      { id: 'tcp', state: 'done', at: start, fact: '127.0.0.1' },
      { id: 'hello', state: 'done', at: start + 20, tookMs: 20, fact: 'version 1, MCP' },
      { id: 'approval', state: 'skipped' },
      { id: 'initialize', state: 'done', at: start + 25, tookMs: 5, fact: 'host-sim 2.4.2' },
      {
        id: 'tools',
        state: 'done',
        at: expect.any(Number) as number,
        tookMs: expect.any(Number) as number,
        fact: '2 tools, 2 pages',
      },
    ],
  });
});

test('a station that is waited for is the current one', async () => {
  const { wsUrl, device, hub } = await openHub();
  const board = await connectScripted(wsUrl, { answer: () => undefined });
  expect(stations(await device(({ state }) => state === 'hello'))).toBe('tcp:done hello:current');
  board.hello();
  const { doctor } = await device(({ state }) => state === 'initializing');
  expect(doctor).not.toHaveProperty('cause');
  expect(doctor.steps.find(({ state }) => state === 'current')?.id).toBe('initialize');
  hub.disconnect('02:00:00:aa:bb:cc');
});

test('asking for the tools again makes a failed handshake good', async () => {
  let answers: Answer = error;
  const { wsUrl, device, hub } = await openHub();
  const board = await connectScripted(wsUrl, { answer: (request) => answers(request) });
  board.hello();
  const { id } = await device(({ doctor }) => doctor.cause === 'initialize-error');
  answers = standardAnswer;
  await hub.refreshTools(id);
  const info = await device(({ state }) => state === 'ready');
  expect(info.doctor).not.toHaveProperty('cause');
  expect(stations(info)).toBe('tcp:done hello:done initialize:done tools:done');
});

test.each(['firmware', 'py-xiaozhi'])(
  'a virtual device has a clean bill, its question to OTA included: %s',
  async (profile) => {
    const { otaUrl, device } = await openHub();
    const virtual = createVirtualDeviceOf(profile, { url: otaUrl });
    await virtual.connect();
    const { doctor, virtual: isVirtual, board, firmware } = await device(({ state }) => state === 'ready');
    expect(isVirtual).toBe(true);
    expect(doctor).not.toHaveProperty('cause');
    expect(doctor.steps.map(({ id, state }) => [id, state])).toEqual([
      ['ota', 'done'],
      ['tcp', 'done'],
      ['hello', 'done'],
      ['approval', 'skipped'],
      ['initialize', 'done'],
      ['tools', 'done'],
    ]);
    expect(doctor.steps[0]?.fact).toBe(`${board} ${firmware}`);
    expect(doctor.steps[5]?.fact).toMatch(/^\d\d tools, \d pages?$/);
    await virtual.close();
  },
);

test('of many silent connections each ends with its cause, and a device among them is served', async () => {
  const clock = createManualClock();
  const { port, hub, wsUrl, device } = await openHub({ clock });
  const upgrade = (index: number) =>
    `GET /xiaozhi/v1/ HTTP/1.1\r\nHost: 127.0.0.1\r\nDevice-Id: silent-${index}\r\nConnection: Upgrade\r\n` +
    'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
  const silent = await Promise.all(
    Array.from({ length: 500 }, async (_, index) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(upgrade(index)));
      await once(socket, 'data');
      return socket;
    }),
  );
  const board = await connectScripted(wsUrl);
  board.hello();
  await device(({ state }) => state === 'ready');
  const ends = silent.map((socket) => once(socket.resume(), 'close'));
  clock.advance(10_000);
  clock.advance(1_000);
  await Promise.all(ends);
  await device(() => hub.devices().length === 65);
  const others = hub.devices().filter(({ id }) => id.startsWith('silent-'));
  expect(new Set(others.map(({ doctor }) => doctor.cause))).toEqual(new Set(['no-hello']));
  expect((await device(({ state }) => state === 'ready')).toolCount).toBe(2);
});
