import { describe, expect, test } from 'vitest';
import { RequestError } from '../../../../../src-core/base/requestError.ts';
import { createManualClock } from '../support/manualClock.ts';
import { invokeOptions, openHub } from '../support/openHub.ts';
import { connectScripted, standardAnswer } from '../support/scriptedDevice.ts';
import type { WireRequest } from '../support/scriptedDevice.ts';

const id = '02:00:00:aa:bb:cc';
const mcp = (payload: object) => JSON.stringify({ type: 'mcp', payload: { jsonrpc: '2.0', ...payload } });

async function openBoard(answer: (request: WireRequest) => object | undefined = standardAnswer) {
  const open = await openHub({ dangerousTools: () => ['*_self.audio_speaker.*'] });
  const board = await connectScripted(open.wsUrl, { answer });
  board.hello();
  await open.registry();
  board.raw.length = 0;
  const frames = board.raw;
  const pongs = () => board.received.filter(({ type }) => type === 'pong').length;
  /** Resolves once each side has had all that the other sent before. */
  const settle = async () => {
    const before = pongs();
    board.send({ type: 'ping' });
    await board.frame(() => pongs() > before);
  };
  return { ...open, board, frames, settle, log: () => open.hub.frames({ limit: 500 }) };
}

describe('a frame sent by hand', () => {
  test('goes out just as it is, also if no device can read it', async () => {
    const { hub, frames, settle, log } = await openBoard();
    const texts = [' {"type" : "tts","state":"start"}\n', '{"type":"mcp"', '', '书房 \u{1f600}'];
    const seqs = texts.map((text) => hub.send({ id, text }));
    await settle();
    expect(frames.filter(({ text }) => !text.includes('pong')).map(({ text }) => text)).toEqual(texts);
    expect(frames.every(({ isBinary }) => !isBinary)).toBe(true);
    const logged = log().filter(({ summary }) => summary.endsWith(', by hand'));
    expect(logged.map(({ text, direction, type }) => [text, direction, type])).toEqual([
      [texts[0], 'out', 'tts'],
      [texts[1], 'out', 'invalid'],
      [texts[2], 'out', 'invalid'],
      [texts[3], 'out', 'invalid'],
    ]);
    expect(seqs).toEqual(logged.map(({ seq }) => ({ sent: true, seq })));
    expect(hub.device(id)?.counters.invalidIn).toBe(0);
  });

  test('is a binary one where it is given in base64', async () => {
    const { hub, frames, settle, log } = await openBoard();
    const data = Buffer.from([0xf8, 0xff, 0xfe]);
    expect(hub.send({ id, base64: data.toString('base64') })).toMatchObject({ sent: true });
    await settle();
    expect(frames[0]).toEqual({ text: 'f8fffe', isBinary: true });
    expect(log().find(({ kind, direction }) => kind === 'binary' && direction === 'out')).toMatchObject({
      type: 'audio',
      summary: 'audio of 3 bytes, by hand',
      text: 'f8fffe',
      bytes: 3,
    });
  });

  test('has its secrets masked in the log, not on the wire', async () => {
    const { hub, frames, settle, log } = await openBoard();
    hub.send({ id, text: '{"type":"custom","token":"s3cret"}' });
    await settle();
    expect(frames[0]?.text).toContain('s3cret');
    expect(JSON.stringify(log())).not.toContain('s3cret');
  });
});

describe('a request sent by hand', () => {
  const held = () => {
    const waiting: WireRequest[] = [];
    const answer = (request: WireRequest) => {
      if (request.method !== 'tools/call') return standardAnswer(request);
      waiting.push(request);
      return undefined;
    };
    return { waiting, answer };
  };

  test('is logged with its answer, which no call of ours gets', async () => {
    const { hub, board, log, settle } = await openBoard();
    hub.send({ id, text: mcp({ id: 77, method: 'tools/list', params: {} }) });
    await board.frame(({ payload }) => payload?.id === 77);
    await settle();
    const exchange = log().filter(({ rpcId }) => rpcId === 77);
    expect(exchange.map(({ direction, role, method, summary }) => [direction, role, method, summary])).toEqual([
      ['out', 'request', 'tools/list', 'tools/list, by hand'],
      ['in', 'answer', 'tools/list', 'answer to tools/list, by hand'],
    ]);
    expect(exchange[1]?.durationMs).toEqual(expect.any(Number));
    expect(hub.device(id)?.latency).toBeUndefined();
  });

  test('with an id that a call of ours waits for is refused, and the free id it names works', async () => {
    const { waiting, answer } = held();
    const { hub, board, registry } = await openBoard(answer);
    const source = await registry();
    const call = source.invoke('self.get_device_status', {}, invokeOptions());
    const { id: ours } = await board.request('tools/call');
    const text = mcp({ id: ours, method: 'tools/list' });
    let error: unknown;
    try {
      hub.send({ id, text });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({
      message: `A request of ours with the id ${ours} waits for its answer. Use another; ${Number(ours) + 1} is free.`,
      field: 'text',
    });
    expect(hub.send({ id, text: mcp({ id: Number(ours) + 1, method: 'tools/list' }) })).toMatchObject({ sent: true });
    board.send({
      type: 'mcp',
      payload: { jsonrpc: '2.0', id: ours, result: { content: [{ type: 'text', text: 'ours' }] } },
    });
    expect((await call).value).toBe('ours');
    expect(waiting).toHaveLength(1);
  });
});

describe('what could do harm', () => {
  test.each([
    ['a restart', '{"type":"system","command":"reboot"}', /^Restarts/],
    ['a dangerous tool', mcp({ id: 500, method: 'tools/call', params: { name: 'self.reboot' } }), /^Restarts/],
    [
      "a tool of the person's list",
      mcp({ id: 500, method: 'tools/call', params: { name: 'self.audio_speaker.set_volume' } }),
      /on your list/,
    ],
  ])('%s asks first, and goes out once it is confirmed', async (_what, text, danger) => {
    const { hub, frames, settle } = await openBoard();
    expect(hub.send({ id, text })).toEqual({
      sent: false,
      needs: 'confirmation-required',
      danger: expect.stringMatching(danger) as string,
    });
    await settle();
    expect(frames.map(({ text: went }) => went)).not.toContain(text);
    expect(hub.send({ id, text, confirmed: true })).toMatchObject({ sent: true });
    await settle();
    expect(frames.map(({ text: went }) => went)).toContain(text);
  });

  test('in a binary frame of JSON asks, too', async () => {
    const { hub, board } = await openBoard();
    board.hello({ version: 3 });
    await board.frame(({ payload }) => payload?.id === 4);
    const json = Buffer.from('{"type":"system","command":"reboot"}');
    const data = Buffer.concat([Buffer.from([1, 0, 0, json.length]), json]);
    expect(hub.send({ id, base64: data.toString('base64') })).toMatchObject({ sent: false });
  });
});

describe('nothing is sent', () => {
  test.each([
    [{}, 'text'],
    [{ text: 'a', base64: 'YQ==' }, 'text'],
    [{ base64: 'no base64!' }, 'base64'],
    [{ base64: 'YQ' }, 'base64'],
  ])('of %j', async (input, field) => {
    const { hub } = await openBoard();
    expect(() => hub.send({ id, ...input })).toThrow(expect.objectContaining({ name: 'RequestError', field }) as Error);
  });

  test('to a device that is unknown, gone, or has said no hello', async () => {
    const { hub, wsUrl, device } = await openHub({ clock: createManualClock() });
    expect(() => hub.send({ id, text: 'x' })).toThrow(RequestError);
    const board = await connectScripted(wsUrl);
    await device(({ state }) => state === 'hello');
    expect(() => hub.send({ id, text: 'x' })).toThrow(/has not sent its hello/);
    board.hello();
    await device(({ state }) => state === 'ready');
    expect(hub.send({ id, text: 'x' })).toMatchObject({ sent: true });
    board.socket.terminate();
    await device(({ state }) => state === 'closed');
    expect(() => hub.send({ id, text: 'x' })).toThrow(/is not connected/);
  });
});
