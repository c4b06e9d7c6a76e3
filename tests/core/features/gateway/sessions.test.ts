/** Sessions: their life, what they remember, who is in them (docs/protocols/gateway.md#sessions). */
import { expect, test } from 'vitest';

import { createManualClock } from '../devices/support/manualClock.ts';
import type { ChatServerBody } from '../../../fakes/scriptedChatServer.ts';
import { openGateway } from './support/openGateway.ts';
import { inShort } from './support/testClient.ts';
import { ask, clientTool, register } from './support/wording.ts';

const said = ({ messages }: ChatServerBody): string[] => messages.slice(1).map(({ content }) => String(content));
const echo = ({ messages }: ChatServerBody): { text: string } => ({ text: `re ${String(messages.at(-1)!.content)}` });

test('without context the model gets the question alone; what was said is remembered all the same', async () => {
  const { connect, server, gateway } = await openGateway({ turns: echo });
  const client = await connect();
  for (const text of ['one', 'two']) {
    client.send(ask(text));
    await client.upTo('idle');
  }
  expect(said(server.chats[1]!.body)).toEqual(['two']);
  expect(gateway.sessionMessages(client.sessionId).map(({ content }) => content)).toEqual([
    'one',
    're one',
    'two',
    're two',
  ]);
  client.send({ type: 'configure', enable_context: true });
  client.send(ask('three'));
  await client.upTo('idle');
  expect(said(server.chats[2]!.body)).toEqual(['one', 're one', 'two', 're two', 'three']);
});

test('the last ten messages, the question included, and no tool messages among them', async () => {
  const { connect, server, gateway } = await openGateway({
    settings: { enableContext: true },
    turns: (body) =>
      body.messages.at(-1)!.role === 'user' ? { toolCalls: [{ name: 'get_location' }] } : { text: 'there' },
  });
  const client = await connect();
  for (let index = 0; index < 7; index += 1) {
    client.send(ask(`where ${index}?`));
    await client.upTo('idle');
  }
  const last = server.chats.at(-2)!.body.messages.slice(1);
  expect(last.map(({ role }) => role)).toEqual(
    Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? 'assistant' : 'user')),
  );
  expect(last.at(-1)!.content).toBe('where 6?');
  expect(gateway.sessionMessages(client.sessionId)).toHaveLength(10);
});

test('naming a session in a question switches to it, also for the questions after that', async () => {
  const { connect, server } = await openGateway({ turns: echo, settings: { enableContext: true } });
  const [one, two] = [await connect(), await connect()];
  one.send(ask('of one'));
  await one.upTo('idle');
  two.send(ask('of two', one.sessionId));
  const messages = await two.upTo('idle');
  expect(messages.at(-1)!['data']).toEqual({ session_id: one.sessionId });
  two.send(ask('more'));
  await two.upTo('idle');
  expect(said(server.chats.at(-1)!.body)).toEqual(['of one', 're of one', 'of two', 're of two', 'more']);
});

test('a session_id of null or an empty text names no session', async () => {
  const { connect } = await openGateway({ turns: echo });
  const client = await connect();
  for (const sessionId of [null, '']) {
    client.send({ type: 'text_input', text: 'hi', session_id: sessionId });
    expect((await client.upTo('idle')).at(-1)!['data']).toEqual({ session_id: client.sessionId });
  }
  client.send({ type: 'start_session', session_id: null });
  const { data } = await client.next();
  expect(data).not.toEqual({ session_id: client.sessionId });
});

test('an unknown session is SESSION_ERROR, for a question too, and the present one stays', async () => {
  const { connect } = await openGateway({ turns: echo });
  const client = await connect();
  client.send({ type: 'start_session', session_id: 'nobody' });
  client.send(ask('hi', 'x'.repeat(100)));
  expect(inShort([await client.next(), await client.next()])).toEqual(['error:SESSION_ERROR', 'error:SESSION_ERROR']);
  client.send(ask('hi'));
  expect((await client.upTo('idle')).at(-1)!['data']).toEqual({ session_id: client.sessionId });
});

test('end_session: idle, the session is gone for everybody, the connection goes on in a new one', async () => {
  const { connect, gateway } = await openGateway({ turns: echo });
  const [client, other] = [await connect(), await connect()];
  client.send({ type: 'end_session' });
  expect(await client.next()).toMatchObject({ status: 'idle', data: { session_id: client.sessionId } });
  client.send({ type: 'end_session' });
  expect(inShort([await client.next()])).toEqual(['error:SESSION_ERROR']);
  expect(gateway.connections()[0]).not.toHaveProperty('sessionId');
  other.send({ type: 'start_session', session_id: client.sessionId });
  expect(inShort([await other.next()])).toEqual(['error:SESSION_ERROR']);
  client.send(ask('hi'));
  const { session_id: next } = (await client.upTo('idle')).at(-1)!['data'] as { session_id: string };
  expect(next).not.toBe(client.sessionId);
  expect(gateway.connections()[0]).toMatchObject({ sessionId: next });
});

test('end_session during a turn: the turn ends with one error, and nothing follows the last idle', async () => {
  const gate = Promise.withResolvers<undefined>();
  const { connect, gateway, server } = await openGateway({
    turns: () => ({ gate: gate.promise, text: 'late' }),
  });
  const client = await connect();
  client.send(ask('one'));
  client.send(ask('two'));
  const request = await server.chat(0);
  client.send({ type: 'end_session' });
  client.send(ask('three'));
  expect(await request.closed).toBe('hung up');
  gate.resolve(undefined);
  const messages = [...(await client.upTo('llm_response')), ...(await client.upTo('idle'))];
  expect(inShort(messages)).toEqual([
    ...['status:processing', 'error:SESSION_ERROR', 'status:idle', 'error:SESSION_ERROR', 'status:idle'],
    ...['status:processing', 'llm_response', 'status:idle'],
  ]);
  expect(messages[4]!['data']).toEqual({ session_id: client.sessionId });
  expect(gateway.sessions().map(({ id }) => id)).not.toContain(client.sessionId);
  expect(gateway.sessions().map(({ messageCount }) => messageCount)).toEqual([2]);
});

test('end_session while a tool of the client is called: the call is cancelled, and its result comes too late', async () => {
  const { connect } = await openGateway({
    turns: [{ toolCalls: [{ name: 'f' }] }, { text: 'never' }],
  });
  const client = await connect();
  client.send(register(clientTool('f')));
  client.send(ask('go'));
  const { call_id: callId } = (await client.upTo('tool_callback')).at(-1)!;
  client.send({ type: 'end_session' });
  client.send({
    type: 'tool_result',
    call_id: callId,
    success: true,
    result: 1,
  });
  client.send({ type: 'ping' });
  expect(inShort(await client.upTo('pong')).sort()).toEqual([
    ...['error:INVALID_MESSAGE', 'error:SESSION_ERROR', 'pong', 'status:idle', 'status:idle'],
  ]);
});

test('a session that is ended by hand ends its turn', async () => {
  const { connect, gateway, server } = await openGateway({
    turns: [{ fault: 'no-answer' }],
  });
  const client = await connect();
  client.send(ask('one'));
  await server.chat(0);
  gateway.endSession(client.sessionId);
  expect(inShort(await client.upTo('idle'))).toEqual(['status:processing', 'error:SESSION_ERROR', 'status:idle']);
});

test('an hour without a message on any of its connections, and a session has expired', async () => {
  const clock = createManualClock();
  // Without heartbeat: an hour of pings at once would be a flood.
  const settings = { pingInterval: 100_000, pingTimeout: 100_000 };
  const { connect, gateway } = await openGateway({ turns: echo, clock, settings });
  const [one, two] = [await connect(), await connect()];
  two.send(ask('with one', one.sessionId));
  await two.upTo('idle');
  one.socket.close();
  await one.closed;
  clock.advance(3_599_999);
  two.send({ type: 'ping' });
  await two.next();
  clock.advance(3_599_999);
  expect(gateway.sessions().map(({ id }) => id)).toEqual([one.sessionId]);
  clock.advance(1);
  expect(gateway.sessions()).toEqual([]);
  two.send({ type: 'start_session', session_id: one.sessionId });
  expect(inShort([await two.next()])).toEqual(['error:SESSION_ERROR']);
  // A question that names none goes on in a new one.
  two.send(ask('hello?'));
  expect(inShort(await two.upTo('idle'))).toEqual(['status:processing', 'llm_response', 'status:idle']);
});

test('tools and configure do not outlive a connection, the session does', async () => {
  const { connect, server, gateway, until } = await openGateway({ turns: echo });
  const first = await connect();
  first.send(register(clientTool('f')));
  first.send({ type: 'configure', temperature: 0.1 });
  await first.upTo('tools_registered');
  first.socket.close();
  await until(() => gateway.connections().length === 0);
  const second = await connect();
  second.send({ type: 'start_session', session_id: first.sessionId });
  second.send(ask('hi'));
  await second.upTo('llm_response');
  expect(server.chats[0]!.body).not.toHaveProperty('temperature');
  expect(server.chats[0]!.body.tools!.map((tool) => tool.function.name)).not.toContain('f');
});

test('sessions without a connection are bounded: the longest silent goes', async () => {
  const { connect, gateway } = await openGateway();
  const client = await connect();
  for (let index = 0; index < 1_010; index += 1) client.send({ type: 'start_session' });
  client.send({ type: 'ping' });
  await client.upTo('pong');
  expect(gateway.sessions()).toHaveLength(1_001);
  client.send({ type: 'start_session', session_id: client.sessionId });
  expect(inShort([await client.next()])).toEqual(['error:SESSION_ERROR']);
});

test('by hand: what is there, what was said, and the end of it', async () => {
  const { connect, gateway } = await openGateway({ turns: echo });
  const client = await connect();
  client.send(ask('hi'));
  await client.upTo('idle');
  expect(gateway.sessions()).toEqual([
    {
      id: client.sessionId,
      messageCount: 2,
      connections: [gateway.connections()[0]!.id],
      startedAt: expect.any(Number) as number,
      lastActiveAt: expect.any(Number) as number,
    },
  ]);
  expect(gateway.sessionMessages(client.sessionId)).toEqual([
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 're hi' },
  ]);
  gateway.endSession(client.sessionId);
  expect(() => gateway.endSession(client.sessionId)).toThrow(/no session/);
  expect(() => gateway.sessionMessages(client.sessionId)).toThrow(/no session/);
  client.send(ask('hi', client.sessionId));
  expect(inShort([await client.next()])).toEqual(['error:SESSION_ERROR']);
});
