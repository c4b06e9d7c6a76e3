import { describe, expect, test } from 'vitest';
import { createManualClock } from './support/manualClock.ts';
import { openHub } from './support/openHub.ts';
import { connectScripted, standardAnswer, tcpOf } from './support/scriptedDevice.ts';

describe('hello', () => {
  test('is answered with a transport, and nothing goes out before it', async () => {
    const { wsUrl, device } = await openHub();
    const board = await connectScripted(wsUrl);
    await device(({ state }) => state === 'hello');
    expect(board.received).toEqual([]);

    board.hello();
    const ready = await device(({ state }) => state === 'ready');

    expect(board.received[0]).toMatchObject({ type: 'hello', transport: 'websocket', version: 1 });
    expect(board.received[0]?.['session_id']).toEqual(expect.any(String));
    expect(board.requests.map(({ method }) => method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
    expect(board.requests.map(({ id }) => id)).toEqual([1, undefined, 2]);
    expect(ready).toMatchObject({
      id: '02:00:00:aa:bb:cc',
      name: 'host-sim',
      firmware: '2.4.2',
      toolCount: 2,
      protocolVersion: 1,
      registryId: 'host-sim-aabbcc',
      virtual: false,
    });
  });

  test('takes identity from the query if a client cannot set headers', async () => {
    const { wsUrl, device } = await openHub();
    const page = await connectScripted(`${wsUrl}?device-id=02:00:00:00:00:07&client-id=c7`, { headers: {} });
    page.hello({ device_name: '数字人' });
    expect(await device(({ state }) => state === 'ready')).toMatchObject({
      id: '02:00:00:00:00:07',
      clientId: 'c7',
      name: '数字人',
    });
  });

  test('without a Device-Id still gets a place in the list', async () => {
    const { wsUrl, device } = await openHub();
    const board = await connectScripted(wsUrl, { headers: {} });
    board.hello();
    expect(await device(({ state }) => state === 'ready')).toMatchObject({
      id: 'Unnamed-1',
      registryId: 'host-sim-unnamed1',
    });
  });

  test('that offers no MCP makes a ready device without tools, and says so', async () => {
    const { wsUrl, device, toolRegistryManager } = await openHub();
    const board = await connectScripted(wsUrl);
    board.send({ type: 'hello', version: 3, transport: 'websocket' });
    const info = await device(({ state }) => state === 'ready');
    expect(info).toMatchObject({ toolCount: 0, protocolVersion: 3, error: { code: 'no-mcp' } });
    expect(toolRegistryManager.getAllTools()).toEqual([]);
  });

  test.each([
    ['text that is not valid JSON', 'GET / HTTP/1.1', 'not valid JSON'],
    ['another message', '{"type":"listen","state":"start"}', '"listen"'],
    ['JSON without a type', '{"hello":true}', 'without a "type"'],
    ['no object', '[1,2,3]', 'not an object'],
  ])('%s instead ends the connection with the reason on record', async (_what, text, reason) => {
    const { wsUrl, device, hub, toolRegistryManager } = await openHub();
    const board = await connectScripted(wsUrl);
    board.send(text);
    expect(await board.closed).toEqual({ code: 1002, reason: 'not-hello' });
    const info = await device(({ state }) => state === 'failed');
    expect(info.error).toMatchObject({ code: 'not-hello', message: expect.stringContaining(reason) as string });
    expect(toolRegistryManager.getAllTools()).toEqual([]);
    expect(hub.frames({ limit: 10 }).map(({ kind, text: kept }) => [kind, kept === text])).toContainEqual([
      'text',
      true,
    ]);
  });

  test('that does not come within ten seconds ends the connection', async () => {
    const clock = createManualClock();
    const { wsUrl, device } = await openHub({ clock });
    const board = await connectScripted(wsUrl);
    await device(({ state }) => state === 'hello');
    clock.advance(9_999);
    expect(board.socket.readyState).toBe(board.socket.OPEN);
    clock.advance(1);
    expect(await board.closed).toEqual({ code: 1002, reason: 'no-hello' });
    expect((await device(({ state }) => state === 'failed')).error?.message).toContain('no hello within 10 s');
  });

  test('that is refused ends also if the client does not close', async () => {
    const clock = createManualClock();
    const { wsUrl, device, hub } = await openHub({ clock });
    const board = await connectScripted(wsUrl);
    await device(({ state }) => state === 'hello');
    tcpOf(board.socket).pause();
    clock.advance(10_000);
    const ended = device(() =>
      hub.frames({ limit: 10 }).some(({ kind, direction }) => kind === 'close' && direction === 'in'),
    );
    clock.advance(1_000);
    await ended;
    expect(() => hub.forget('02:00:00:aa:bb:cc')).not.toThrow();
  });

  test('a second time lists the tools anew', async () => {
    let tools = [{ name: 'one', inputSchema: { type: 'object' } }];
    const { wsUrl, device, registry } = await openHub();
    const board = await connectScripted(wsUrl, {
      answer: (request) =>
        request.method === 'tools/list'
          ? { jsonrpc: '2.0', id: request.id, result: { tools } }
          : standardAnswer(request),
    });
    board.hello();
    const source = await registry();
    expect(source.getMetadata().methods.map(({ name }) => name)).toEqual(['one']);
    tools = [...tools, { name: 'two', inputSchema: { type: 'object' } }];
    board.hello();
    await device(({ toolCount }) => toolCount === 2);
    expect(source.getMetadata().methods.map(({ name }) => name)).toEqual(['one', 'two']);
  });
});

describe('after hello', () => {
  test('garbage is logged and the connection stays', async () => {
    const { wsUrl, device, hub, registry } = await openHub();
    const board = await connectScripted(wsUrl);
    board.hello();
    await registry();
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    for (const text of [
      '{{{',
      'null',
      '{"type":7}',
      '{"type":"mcp"}',
      '{"type":"mcp","payload":[]}',
      deep,
      '{"type":"__proto__"}',
    ]) {
      board.send(text);
    }
    board.send({ type: 'mcp', payload: { jsonrpc: '2.0', id: 999, result: {} } });
    board.send({ type: 'mcp', payload: { jsonrpc: '2.0', id: 1, result: {} } });
    board.send({ type: 'mcp', payload: { jsonrpc: '2.0', method: 'notifications/state_changed', params: {} } });
    board.send({ type: 'ping' });
    await board.frame(({ type }) => type === 'pong');
    const frames = hub.frames({ limit: 100 });
    const summaries = frames.map(({ summary }) => summary);
    expect(summaries).toContain('answer with an unknown id');
    expect(summaries).toContain('second answer to #1');
    expect(frames.filter(({ failed }) => failed === true).map(({ rpcId }) => rpcId)).toEqual([999, 1]);
    expect(summaries).toContain('notifications/state_changed');
    expect(summaries).toContain('mcp without a payload object');
    expect((await device(() => true)).state).toBe('ready');
  });

  test('binary frames are counted and never parsed', async () => {
    const { wsUrl, device, hub, registry } = await openHub();
    const board = await connectScripted(wsUrl);
    board.hello();
    await registry();
    for (let index = 0; index < 103; index += 1) board.socket.send(Buffer.from(' {"type":"hello"'));
    board.send({ type: 'ping' });
    await board.frame(({ type }) => type === 'pong');
    expect((await device(() => true)).counters.binaryIn).toBe(103);
    const binary = hub.frames({ limit: 100 }).filter(({ kind }) => kind === 'binary');
    expect(binary.map(({ summary, bytes }) => [summary, bytes])).toEqual([
      ['100 audio frames', 1_600],
      ['3 audio frames', 48],
    ]);
  });

  test('sends keep-alive data before a board gives up, and not during other traffic', async () => {
    const clock = createManualClock();
    const { wsUrl, registry } = await openHub({ clock });
    const board = await connectScripted(wsUrl);
    board.hello();
    const source = await registry();
    clock.advance(20_000);
    await source.invoke(
      'self.get_device_status',
      {},
      { signal: new AbortController().signal, timeoutMs: 1_000, callId: 'c' },
    );
    clock.advance(20_000);
    board.send({ type: 'ping' });
    await board.frame(({ type }) => type === 'pong');
    expect(board.requests.filter(({ method }) => method === 'notifications/ping')).toEqual([]);
    clock.advance(60_000);
    expect((await board.request('notifications/ping')).id).toBeUndefined();
  });

  test('a frame over the limit ends the connection and the reason names it', async () => {
    const { wsUrl, device, registry } = await openHub({ limits: { maxPayload: 1_000_000 } });
    const board = await connectScripted(wsUrl);
    board.hello();
    await registry();
    board.socket.send('x'.repeat(1_000_001));
    expect((await board.closed).code).toBe(1009);
    const info = await device(({ state }) => state === 'closed');
    expect(info.error).toEqual({
      code: 'broken-frames',
      message: expect.stringMatching(/host-sim broke: it sent a message larger than 1000000 bytes/) as string,
    });
  });

  test('initialize without an answer fails with what to do, the connection stays, and asking again makes it good', async () => {
    const clock = createManualClock();
    const { wsUrl, device, hub } = await openHub({ clock });
    const board = await connectScripted(wsUrl, {
      answer: (request) => (request.method === 'initialize' ? undefined : standardAnswer(request)),
    });
    board.hello();
    await board.request('initialize');
    clock.advance(10_000);
    const info = await device(({ state }) => state === 'failed');
    expect(info.error).toMatchObject({
      code: 'initialize-silent',
      message: expect.stringContaining('within 10 s.') as string,
    });
    expect(await hub.refreshTools(info.id)).toEqual({ toolCount: 2, changes: 2 });
    expect((await device(({ state }) => state === 'ready')).registryId).toBeDefined();
  });

  test("fails at once with the device's message if initialize is an error", async () => {
    const { wsUrl, device } = await openHub();
    const board = await connectScripted(wsUrl, {
      answer: ({ id }) => ({ jsonrpc: '2.0', id, error: { message: 'not in this mood' } }),
    });
    board.hello();
    expect((await device(({ state }) => state === 'failed')).error?.message).toContain('not in this mood');
  });
});
