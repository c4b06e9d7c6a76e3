/** What a connection's traffic tells of a device, and when it is told. */
import { describe, expect, test } from 'vitest';
import { createManualClock } from './support/manualClock.ts';
import { invokeOptions, openHub } from './support/openHub.ts';
import { connectScripted, standardAnswer, standardTools } from './support/scriptedDevice.ts';

const id = '02:00:00:aa:bb:cc';

async function openBoard(hello: object = {}) {
  const clock = createManualClock();
  const open = await openHub({ clock });
  const board = await connectScripted(open.wsUrl);
  board.hello(hello);
  const source = await open.registry();
  const pongs = () => board.received.filter(({ type }) => type === 'pong').length;
  /** Resolves once the hub has had all that was sent before. */
  const settle = async () => {
    const before = pongs();
    board.send({ type: 'ping' });
    await board.frame(() => pongs() > before);
  };
  let told = 0;
  open.hub.onChange(() => (told += 1));
  /** How often listeners hear of the device in the next so many seconds. */
  const toldIn = (seconds: number) => {
    const before = told;
    clock.advance(seconds * 1_000);
    return told - before;
  };
  return { ...open, clock, board, source, settle, toldIn, info: () => open.hub.device(id) };
}

describe('figures', () => {
  test('are told once a second while something comes, and not while it is quiet', async () => {
    const { settle, toldIn } = await openBoard();
    toldIn(2);
    expect(toldIn(5)).toBe(0);
    for (let frame = 0; frame < 20; frame += 1) await settle();
    expect(toldIn(1)).toBe(1);
    expect(toldIn(5)).toBe(0);
  });

  test('have the rate of the audio, and say when it has ended', async () => {
    const { board, clock, settle, toldIn, info } = await openBoard();
    expect(info()?.audio).toBeUndefined();
    for (let frame = 0; frame < 100; frame += 1) {
      board.socket.send(Buffer.from([1, 2, 3]));
      if (frame % 25 === 24) await settle();
      if (frame % 25 === 24) clock.advance(500);
    }
    expect(info()?.audio).toEqual({ frames: 100, bytes: 300, framesPerSecond: 50, malformed: 0 });
    expect(toldIn(4)).toBeGreaterThan(0);
    expect(info()?.audio?.framesPerSecond).toBe(0);
    expect(toldIn(4)).toBe(0);
  });

  test('stop when the last device has gone', async () => {
    const { board, device, toldIn } = await openBoard();
    board.socket.terminate();
    await device(({ state }) => state === 'closed');
    expect(toldIn(60)).toBe(0);
  });

  test('have the round trips of tool calls', async () => {
    const { source, info } = await openBoard();
    expect(info()?.latency).toBeUndefined();
    await source.invoke('self.get_device_status', {}, invokeOptions());
    expect(info()?.latency).toEqual({ lastMs: 0, p50Ms: 0, p99Ms: 0, count: 1 });
  });

  test("have the device's notifications; their params are in the log", async () => {
    const { board, settle, info, clock, hub } = await openBoard();
    board.send({
      type: 'mcp',
      payload: { jsonrpc: '2.0', method: 'notifications/state_changed', params: { state: 'x' } },
    });
    await settle();
    expect(info()?.notifications).toEqual({
      count: 1,
      lastMethod: 'notifications/state_changed',
      lastAt: clock.wall(),
    });
    expect(
      hub.frames({ limit: 50 }).find(({ role, direction }) => role === 'notification' && direction === 'in'),
    ).toMatchObject({
      type: 'mcp',
      method: 'notifications/state_changed',
      text: expect.stringContaining('"params":{"state":"x"}') as string,
    });
  });
});

describe('binary frames of version 3', () => {
  test('are audio, JSON, or kept as they came', async () => {
    const { board, settle, info, hub } = await openBoard({ version: 3 });
    const json = Buffer.from('{"type":"abort","reason":"wake_word_detected"}');
    board.socket.send(Buffer.from('0000000301020f', 'hex'));
    board.socket.send(Buffer.concat([Buffer.from([1, 0, 0, json.length]), json]));
    board.socket.send(Buffer.from('f8fffe01', 'hex'));
    board.socket.send(Buffer.from('f8fffe01', 'hex'));
    await settle();
    expect(info()).toMatchObject({
      protocolVersion: 3,
      audio: { frames: 1, bytes: 3, malformed: 2 },
      counters: { binaryIn: 4, invalidIn: 2 },
    });
    const frames = hub.frames({ limit: 50 }).filter(({ kind }) => kind === 'binary');
    expect(frames.map(({ type, summary, text, bytes }) => ({ type, summary, text, bytes }))).toEqual([
      { type: 'audio', summary: '1 audio frame', text: undefined, bytes: 7 },
      { type: 'abort', summary: 'abort', text: json.toString(), bytes: json.length + 4 },
      {
        type: 'invalid',
        summary: '2 times a binary frame of 4 bytes, too short for version 3',
        text: 'f8fffe01',
        bytes: 8,
      },
    ]);
  });
});

test('keep-alives have a line in the log every ten minutes, not one each', async () => {
  const { clock, hub, settle } = await openBoard();
  // The hub has answered the ping, so that its silence begins now.
  await settle();
  clock.advance(3_600_000);
  const lines = hub.frames({ limit: 500 }).filter(({ method }) => method === 'notifications/ping');
  expect(lines.map(({ type, role, summary }) => [type, role, summary])).toEqual([
    ['mcp', 'notification', 'notifications/ping'],
    ...Array.from({ length: 5 }, () => ['mcp', 'notification', 'notifications/ping × 20']),
  ]);
});

test('reports the tools that changed since the last connection', async () => {
  const { wsUrl, device, hub } = await openHub();
  const connect = async (tools: object[]) => {
    const board = await connectScripted(wsUrl, {
      answer: (request) =>
        request.method === 'tools/list'
          ? { jsonrpc: '2.0', id: request.id, result: { tools } }
          : standardAnswer(request),
    });
    board.hello();
    await device(({ state, toolCount }) => state === 'ready' && toolCount === tools.length);
    const info = hub.device(id);
    board.socket.terminate();
    await device(({ state }) => state === 'closed');
    return info?.toolChanges;
  };
  const [one, two] = standardTools;
  expect(await connect(standardTools)).toBeUndefined();
  const other = { ...two, description: 'Reports more.' };
  expect(await connect([other, { ...one, name: 'new' }])).toEqual({
    added: ['new'],
    removed: ['self.audio_speaker.set_volume'],
    changed: ['self.get_device_status'],
  });
  expect(await connect([other, { ...one, name: 'new' }])).toBeUndefined();
});

test('a device whose list always has an invalid tool reports changes of the others once', async () => {
  const { wsUrl, device, hub } = await openHub();
  const connect = async (...tools: object[]) => {
    const board = await connectScripted(wsUrl, {
      answer: (request) =>
        request.method === 'tools/list'
          ? { jsonrpc: '2.0', id: request.id, result: { tools } }
          : standardAnswer(request),
    });
    board.hello();
    await device(({ state }) => state === 'ready');
    const info = hub.device(id);
    board.socket.terminate();
    await device(({ state }) => state === 'closed');
    return info?.toolChanges;
  };
  const valid = (name: string) => ({ name, inputSchema: { type: 'object' } });
  const invalid = (name: string) => ({ name, inputSchema: 'none' });
  const changes = { added: [], removed: [], changed: [] };
  expect(await connect(valid('a'), invalid('odd'))).toBeUndefined();
  expect(await connect(valid('a'), valid('b'), invalid('odd'))).toEqual({ ...changes, added: ['b'] });
  expect(await connect(valid('a'), valid('b'), invalid('odd'))).toBeUndefined();
  // The list is whole: b is gone.
  expect(await connect(valid('a'), invalid('odd'))).toEqual({ ...changes, removed: ['b'] });
  expect(await connect(valid('a'), valid('odd'))).toEqual({ ...changes, added: ['odd'] });
  // It is invalid now, not removed, and the same as before once it is valid again.
  expect(await connect(valid('a'), invalid('odd'))).toBeUndefined();
  expect(await connect(valid('a'), valid('odd'))).toBeUndefined();
  // An entry without a name may be any tool.
  expect(await connect(valid('a'), {})).toBeUndefined();
  expect(await connect(valid('a'))).toEqual({ ...changes, removed: ['odd'] });
});

test('setDeviceToolsCallback is called for each list of its device, over all connections', async () => {
  const { hub, wsUrl, device } = await openHub();
  const heard: string[] = [];
  const listen = (who: string) =>
    hub.setDeviceToolsCallback(id, (tools) => heard.push(`${who}: ${tools.map(({ name }) => name).join()}`));
  const stop = listen('one');
  const names = standardTools.map(({ name }) => name).join();
  for (let connection = 1; connection <= 2; connection += 1) {
    const board = await connectScripted(wsUrl);
    board.hello();
    await device(({ state }) => state === 'ready');
    board.socket.terminate();
    await device(({ state }) => state === 'closed');
  }
  expect(heard.splice(0)).toEqual([`one: ${names}`, `one: ${names}`]);
  listen('two');
  expect(heard).toEqual([]);
  stop();
  const board = await connectScripted(wsUrl);
  board.hello();
  await device(({ state }) => state === 'ready');
  expect(heard.splice(0)).toEqual([`two: ${names}`]);
  listen('three');
  expect(heard).toEqual([`three: ${names}`]);
});
