/** What a client may say, and what it is told where it says something else (docs/protocols/gateway.md). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { openGateway } from './support/openGateway.ts';
import { inShort } from './support/testClient.ts';
import { ask, clientTool, register } from './support/wording.ts';

const wrong: [string, object | string, RegExp][] = [
  ['no JSON', '{"type":', /not valid JSON/],
  ['an empty frame', '', /not valid JSON/],
  ['a list', '[{"type":"ping"}]', /JSON object/],
  ['a text', '"ping"', /JSON object/],
  ['null', 'null', /JSON object/],
  ['no type', {}, /"type"/],
  ['a type that is no text', { type: 7 }, /"type"/],
  ['a type in the prototype', '{"__proto__":{"type":"ping"}}', /"type"/],
  ['a text_input without text', { type: 'text_input' }, /"text" is missing/],
  ['a text_input of blanks', { type: 'text_input', text: ' \n' }, /Text cannot be empty/],
  ['a text that is a number', { type: 'text_input', text: 5 }, /"text" must be a string/],
  ['a session_id that is no text', { type: 'text_input', text: 'a', session_id: 5 }, /"session_id"/],
  ['a session_id that is a list', { type: 'start_session', session_id: [] }, /"session_id"/],
  ['a temperature over 1', { type: 'configure', temperature: 1.01 }, /"temperature" must be a number from 0.0 to 1.0/],
  ['a temperature under 0', { type: 'configure', temperature: -0.1 }, /"temperature"/],
  ['a temperature as text', { type: 'configure', temperature: '0.5' }, /"temperature"/],
  ['no tokens', { type: 'configure', max_tokens: 0 }, /"max_tokens"/],
  ['half a token', { type: 'configure', max_tokens: 1.5 }, /"max_tokens"/],
  ['a context that is not a boolean', { type: 'configure', enable_context: 1 }, /"enable_context"/],
  ['tools that are missing', { type: 'register_tools' }, /"tools" is missing/],
  ['tools that are an object', { type: 'register_tools', tools: {} }, /"tools" must be an array/],
  ['too many tools to answer for', { type: 'register_tools', tools: Array(1_001).fill({}) }, /at most 1000/],
  ['a result without call_id', { type: 'tool_result', success: true }, /"call_id" is missing/],
  ['a result without success', { type: 'tool_result', call_id: 'x' }, /"success" is missing/],
  ['a result of no call', { type: 'tool_result', call_id: 'x', success: true }, /No call waits/],
];

test.each(wrong)('%s is INVALID_MESSAGE, and the connection stays usable', async (_, message, words) => {
  const { connect, server } = await openGateway();
  const client = await connect();
  client.send(message);
  client.send({ type: 'ping' });
  const messages = await client.upTo('pong');
  expect(inShort(messages)).toEqual(['error:INVALID_MESSAGE', 'pong']);
  expect(messages[0]!['message']).toMatch(words);
  expect(messages[0]!['details']).toEqual(expect.any(String));
  expect(server.chats).toEqual([]);
});

test('a binary frame is INVALID_MESSAGE, an unknown type UNKNOWN_MESSAGE_TYPE; neither closes', async () => {
  const { connect } = await openGateway();
  const client = await connect();
  client.socket.send(Buffer.from('{"type":"ping"}'), { binary: true });
  client.send({ type: 'pong' });
  client.send({ type: 'constructor' });
  client.send({ type: 'ping' });
  expect(inShort(await client.upTo('pong'))).toEqual([
    'error:INVALID_MESSAGE',
    'error:UNKNOWN_MESSAGE_TYPE',
    'error:UNKNOWN_MESSAGE_TYPE',
    'pong',
  ]);
});

test('nothing comes unasked between connected and the first request, and nothing after configure', async () => {
  const { connect } = await openGateway();
  const client = await connect();
  client.send({ type: 'configure', temperature: 0, max_tokens: 1, enable_context: false });
  client.send({ type: 'configure' });
  client.send({ type: 'ping' });
  expect(inShort(await client.upTo('pong'))).toEqual(['pong']);
});

describe('configure', () => {
  test('holds for this connection only, and only what it names', async () => {
    const { connect, server } = await openGateway({ turns: () => ({ text: '好' }) });
    const [one, other] = [await connect(), await connect()];
    one.send({ type: 'configure', temperature: 0.25 });
    one.send({ type: 'configure', max_tokens: 64 });
    for (const client of [one, other]) {
      client.send(ask('你好'));
      await client.upTo('idle');
    }
    expect(server.chats.map(({ body }) => [body['temperature'], body['max_tokens']])).toEqual([
      [0.25, 64],
      [undefined, 2048],
    ]);
  });

  test('no temperature goes to the model unless somebody has set one', async () => {
    const { connect, server, settings } = await openGateway({
      turns: () => ({ text: '好' }),
    });
    for (const temperature of [null, 0.5]) {
      settings.temperature = temperature;
      const client = await connect();
      client.send(ask('你好'));
      await client.upTo('idle');
    }
    expect(server.chats.map(({ body }) => 'temperature' in body)).toEqual([false, true]);
    expect(server.chats[1]!.body['temperature']).toBe(0.5);
  });

  test('with one bad value changes nothing', async () => {
    const { connect, gateway } = await openGateway();
    const client = await connect();
    client.send({ type: 'configure', temperature: 0.1, max_tokens: 'many' });
    await client.next();
    expect(gateway.connections()[0]!.configuration).toEqual({
      temperature: null,
      maxTokens: 2048,
      enableContext: false,
    });
  });
});

test('pong comes while a model and while a tool is working', async () => {
  const gate = Promise.withResolvers<undefined>();
  const { connect, server } = await openGateway({
    turns: [{ gate: gate.promise, toolCalls: [{ name: 'f' }] }, { text: 'done' }],
  });
  const client = await connect();
  client.send(register(clientTool('f')));
  client.send(ask('go'));
  await client.upTo('processing');
  await server.chat(0);
  client.send({ type: 'ping' });
  expect(inShort([await client.next()])).toEqual(['pong']);
  gate.resolve(undefined);
  const callback = (await client.upTo('tool_callback')).at(-1)!;
  client.send({ type: 'ping' });
  expect(inShort([await client.next()])).toEqual(['pong']);
  client.send({ type: 'tool_result', call_id: callback['call_id'], success: true });
  await client.upTo('idle');
});

test('answers questions in their order, invalid ones included, and loses none', async () => {
  const { connect } = await openGateway({
    turns: ({ messages }) => ({ text: `answer to ${String(messages.at(-1)!.content)}` }),
  });
  const client = await connect();
  for (const text of ['one', '', 'two', 'three']) client.send(ask(text));
  const ends: unknown[] = [];
  while (ends.length < 4) {
    const message = await client.next();
    if (message.type === 'llm_response') ends.push(message['content']);
    if (message.type === 'error') ends.push(message['code']);
  }
  expect(ends).toEqual(['answer to one', 'INVALID_MESSAGE', 'answer to two', 'answer to three']);
});

test('lets 100 questions wait on a connection and refuses the next at once', async () => {
  const gate = Promise.withResolvers<undefined>();
  const { connect } = await openGateway({ turns: () => ({ gate: gate.promise, text: 'ok' }) });
  const client = await connect();
  for (let index = 0; index < 102; index += 1) client.send(ask(`question ${index}`));
  expect(inShort(await client.upTo('error'))).toEqual(['status:processing', 'error:INTERNAL_ERROR']);
  gate.resolve(undefined);
  for (let answers = 0; answers < 101; answers += 1) await client.upTo('llm_response');
});

test('what is nested without end is refused or told as a failure, and nothing falls over', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const { connect } = await openGateway({ turns: [{ toolCalls: [{ name: 'f' }] }, { text: 'fine' }] });
  const client = await connect();
  client.send(
    `{"type":"register_tools","tools":[{"name":"d","description":"d","parameters":{"properties":{"a":{"enum":${deep}}}}}]}`,
  );
  expect(await client.next()).toMatchObject({ count: 0, tools: [{ name: 'd', status: 'failed' }] });
  client.send(register(clientTool('f')));
  client.send(ask('go'));
  const callback = (await client.upTo('tool_callback')).at(-1)!;
  client.send(`{"type":"tool_result","call_id":"${String(callback['call_id'])}","success":true,"result":${deep}}`);
  expect(inShort(await client.upTo('idle'))).toEqual(['error:TOOL_EXECUTION_FAILED', 'status:idle']);
  client.send(`{"type":${deep}}`);
  client.send(`{"type":"configure","temperature":${deep}}`);
  client.send(ask('again'));
  expect(inShort(await client.upTo('idle'))).toEqual([
    ...['error:INVALID_MESSAGE', 'error:INVALID_MESSAGE', 'status:processing', 'llm_response', 'status:idle'],
  ]);
});

test('whatever a client says, the gateway goes on and answers in kind', async () => {
  const { connect } = await openGateway({ turns: () => ({ text: 'ok' }) });
  const client = await connect();
  const types = ['text_input', 'configure', 'start_session', 'end_session', 'register_tools', 'tool_result', 'ping'];
  const message = fc.record(
    {
      type: fc.oneof(fc.constantFrom(...types), fc.jsonValue()),
      text: fc.jsonValue(),
      session_id: fc.jsonValue(),
      temperature: fc.jsonValue(),
      enable_context: fc.jsonValue(),
      tools: fc.oneof(fc.jsonValue(), fc.array(fc.record({ name: fc.jsonValue(), parameters: fc.jsonValue() }))),
      call_id: fc.jsonValue(),
      success: fc.jsonValue(),
      result: fc.jsonValue(),
      error: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const sent = fc.sample(fc.oneof(message, fc.jsonValue()), { numRuns: 400, seed: 4 });
  for (const each of sent) client.send(JSON.stringify(each));
  const known = ['status', 'llm_response', 'tools_registered', 'error', 'pong'];
  client.send({ type: 'register_tools', tools: [{ name: 'the_end' }] });
  for (;;) {
    const answer = await client.next();
    expect(known).toContain(answer.type);
    const tools = (answer['tools'] ?? []) as { name: string }[];
    if (tools[0]?.name === 'the_end') break;
  }
});
