/**
 * Each diagram of docs/protocols/gateway.md#tool-rounds, over a real socket and a real HTTP server as the model,
 * streaming and not.
 */
import { describe, expect, test } from 'vitest';

import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { createManualClock } from '../devices/support/manualClock.ts';
import { openGateway } from './support/openGateway.ts';
import { inShort } from './support/testClient.ts';
import { ask, clientTool, register } from './support/wording.ts';

describe.each([true, false])('with stream %s', (stream) => {
  test('a conversation: connected, then status, one answer, status', async () => {
    const { connect, server } = await openGateway({ stream, turns: [{ text: '你好！有什么我可以帮助你的吗？' }] });
    const client = await connect();
    client.send(ask('你好'));
    const messages = await client.upTo('idle');
    expect(inShort(messages)).toEqual(['status:processing', 'llm_response', 'status:idle']);
    expect(messages[0]).toMatchObject({ data: { message: '正在处理您的请求...' } });
    expect(messages[1]).toEqual({
      type: 'llm_response',
      content: '你好！有什么我可以帮助你的吗？',
      tool_calls: [],
      is_final: true,
      timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as string,
    });
    expect(server.chats[0]!.body.stream === true).toBe(stream);
  });

  test('a server tool: tool_call when it has run, then the answer', async () => {
    const { connect, server } = await openGateway({
      stream,
      turns: [{ toolCalls: [{ name: 'get_weather', arguments: { city: '北京' } }] }, { text: '今天北京天气晴朗' }],
    });
    const client = await connect();
    client.send(ask('今天北京天气怎么样？'));
    const messages = await client.upTo('idle');
    expect(inShort(messages)).toEqual(['status:processing', 'tool_call', 'llm_response', 'status:idle']);
    expect(messages[1]).toMatchObject({
      tool_name: 'get_weather',
      arguments: { city: '北京' },
      success: true,
      result: { city: '北京', simulated: true },
      duration_ms: expect.any(Number) as number,
    });
    const { messages: told } = server.chats[1]!.body;
    expect(told.at(-2)).toMatchObject({ role: 'assistant', tool_calls: [{ function: { name: 'get_weather' } }] });
    expect(told.at(-1)).toMatchObject({ role: 'tool', tool_call_id: told.at(-2)!.tool_calls![0]!.id });
    expect(JSON.parse(String(told.at(-1)!.content))).toEqual(messages[1]!['result']);
  });

  test('a client tool: registered, offered, called back, answered, told to the model', async () => {
    const { connect, server } = await openGateway({
      stream,
      turns: [{ toolCalls: [{ name: 'get_battery' }] }, { text: '您的设备电量还剩85%' }],
    });
    const client = await connect();
    client.send(register(clientTool('get_battery')));
    expect(await client.next()).toMatchObject({
      type: 'tools_registered',
      count: 1,
      tools: [{ name: 'get_battery', status: 'registered' }],
    });
    client.send(ask('我的电量还剩多少？'));
    const [processing, waiting, callback] = await client.upTo('tool_callback');
    expect(inShort([processing!, waiting!])).toEqual(['status:processing', 'status:waiting_for_tools']);
    expect(waiting!['data']).toEqual({ pending_tools: 1 });
    expect(callback).toMatchObject({ tool_name: 'get_battery', arguments: {} });
    client.send({
      type: 'tool_result',
      call_id: callback!['call_id'],
      result: { level: 85, charging: false },
      success: true,
      error: null,
    });
    expect(inShort(await client.upTo('idle'))).toEqual(['llm_response', 'status:idle']);
    expect(server.chats[0]!.body.tools!.map((tool) => tool.function.name)).toContain('get_battery');
    expect(server.chats[1]!.body.messages.at(-1)!.content).toBe('{"level":85,"charging":false}');
  });

  test('a mixed round: the server tool runs and is announced first, in whatever order the model named them', async () => {
    const { connect, server } = await openGateway({
      stream,
      turns: [
        { toolCalls: [{ name: 'set_volume', arguments: { value: 50 } }, { name: 'get_location' }] },
        { text: '已为您播放音乐并将音量设置为50' },
      ],
    });
    const client = await connect();
    client.send(register(clientTool('set_volume')));
    await client.upTo('tools_registered');
    client.send(ask('播放音乐并设置音量50'));
    const before = await client.upTo('tool_callback');
    expect(inShort(before)).toEqual(['status:processing', 'tool_call', 'status:waiting_for_tools', 'tool_callback']);
    expect(before[2]!['data']).toEqual({ pending_tools: 1 });
    expect(before[3]!['arguments']).toEqual({ value: 50 });
    client.send({ type: 'tool_result', call_id: before[3]!['call_id'], result: { volume: 50 }, success: true });
    expect(inShort(await client.upTo('idle'))).toEqual(['llm_response', 'status:idle']);
    // To the model in its own order.
    const told = server.chats[1]!.body.messages.slice(-2);
    expect(told.map(({ content }) => String(content).slice(0, 12))).toEqual(['{"volume":50', '{"country":"']);
  });

  test('a session is resumed on another connection, with what was said in it', async () => {
    const { connect, server } = await openGateway({ stream, turns: [{ text: '你好，小明' }, { text: '你叫小明' }] });
    const first = await connect();
    first.send(ask('我叫小明'));
    await first.upTo('idle');
    first.socket.close();
    const second = await connect();
    second.send({ type: 'configure', enable_context: true });
    second.send({ type: 'start_session', session_id: first.sessionId });
    const connected = await second.next();
    expect(connected).toMatchObject({ status: 'connected', data: { session_id: first.sessionId } });
    second.send(ask('我刚才叫什么名字？'));
    expect((await second.upTo('idle'))[1]).toMatchObject({ content: '你叫小明' });
    expect(server.chats[1]!.body.messages.slice(1)).toEqual([
      { role: 'user', content: '我叫小明' },
      { role: 'assistant', content: '你好，小明' },
      { role: 'user', content: '我刚才叫什么名字？' },
    ]);
  });

  test('a client that does not answer within 30 s: one error, and the next turn works', async () => {
    const clock = createManualClock();
    const { connect, gateway } = await openGateway({
      stream,
      clock,
      turns: [{ toolCalls: [{ name: 'open_door' }] }, { text: '好的' }],
    });
    const client = await connect();
    client.send(register(clientTool('open_door')));
    await client.upTo('tools_registered');
    client.send(ask('打开车门'));
    const callback = (await client.upTo('tool_callback')).at(-1)!;
    clock.advance(29_999);
    expect(gateway.connections()[0]!.turns).toBe(1);
    clock.advance(1);
    const messages = await client.upTo('idle');
    expect(inShort(messages)).toEqual(['error:TOOL_RESULT_TIMEOUT', 'status:idle']);
    expect(messages[0]).toMatchObject({ message: 'Tool execution timeout' });
    client.send({ type: 'tool_result', call_id: callback['call_id'], success: true, result: 'late' });
    expect(inShort([await client.next()])).toEqual(['error:INVALID_MESSAGE']);
    client.send(ask('再试一次'));
    expect(inShort(await client.upTo('idle'))).toEqual(['status:processing', 'llm_response', 'status:idle']);
  });
});

test('the first message is connected, with a session id that fits the C client', async () => {
  const { connect } = await openGateway();
  const client = await connect({ greeted: false });
  const message = await client.next();
  expect(message).toEqual({
    type: 'status',
    status: 'connected',
    data: { session_id: expect.any(String) as string },
    timestamp: expect.any(String) as string,
  });
  expect(Buffer.byteLength((message['data'] as { session_id: string }).session_id)).toBeLessThanOrEqual(63);
});

test('an empty text is an error, without a turn', async () => {
  const { connect, server } = await openGateway();
  const client = await connect();
  client.send(ask(''));
  client.send({ type: 'ping' });
  const messages = await client.upTo('pong');
  expect(inShort(messages)).toEqual(['error:INVALID_MESSAGE', 'pong']);
  expect(messages[0]).toMatchObject({ message: 'Text cannot be empty', details: '' });
  expect(server.chats).toEqual([]);
});

test('a server tool that takes 10 s ends the turn with TOOL_EXECUTION_FAILED', async () => {
  const clock = createManualClock();
  const started = Promise.withResolvers<AbortSignal>();
  const { connect, toolRegistryManager } = await openGateway({
    clock,
    settings: { offerOtherTools: true },
    turns: [{ toolCalls: [{ name: 'slow_wait' }] }, { text: '好的' }],
  });
  toolRegistryManager.register(
    defineToolRegistry({
      id: 'slow',
      name: 'Slow',
      source: { kind: 'module', id: 'slow', label: 'slow.js' },
      methods: [
        {
          name: 'wait',
          description: 'Waits.',
          agentCallable: true,
          inputSchema: { type: 'object' },
          handler: (_, { signal }) => new Promise(() => started.resolve(signal)),
        },
      ],
    }),
  );
  const client = await connect();
  client.send(ask('wait'));
  const signal = await started.promise;
  clock.advance(10_000);
  expect(inShort(await client.upTo('idle'))).toEqual([
    'status:processing',
    'error:TOOL_EXECUTION_FAILED',
    'status:idle',
  ]);
  expect(signal.aborted).toBe(true);
  client.send(ask('again'));
  expect(inShort(await client.upTo('idle'))).toEqual(['status:processing', 'llm_response', 'status:idle']);
});
