/** What a model's server can do wrong (docs/protocols/gateway.md): one terminal frame, and the next turn works. */
import { describe, expect, test } from 'vitest';

import type { ChatServerTurn } from '../../../fakes/chatServerTurn.ts';
import { createManualClock } from '../devices/support/manualClock.ts';
import { openGateway } from './support/openGateway.ts';
import { inShort } from './support/testClient.ts';
import { ask, clientTool, register } from './support/wording.ts';

const faults: [string, ChatServerTurn][] = [
  ['HTTP 500', { status: 500, body: { error: { message: 'out of memory' } } }],
  ['HTTP 401', { status: 401, body: { error: { message: 'Incorrect API key provided.' } } }],
  ['HTTP 429', { status: 429, body: 'slow down' }],
  ['HTML with status 200', { fault: 'html' }],
  ['an empty list of choices', { fault: 'empty-choices' }],
  ['a connection that is cut before the answer', { fault: 'cut-before-answer' }],
  ['a connection that is cut in the answer', { text: 'half of it', fault: 'cut-mid-stream' }],
];

test.each(faults.flatMap(([name, turn]) => [true, false].map((stream) => [name, stream, turn] as const)))(
  '%s (stream %s) is LLM_ERROR',
  async (_, stream, turn) => {
    const { connect, gateway, server } = await openGateway({ stream, turns: [turn, { text: 'fine' }] });
    const client = await connect();
    client.send(ask('hello'));
    const messages = await client.upTo('idle');
    expect(inShort(messages)).toEqual(['status:processing', 'error:LLM_ERROR', 'status:idle']);
    expect(messages[1]).toMatchObject({
      message: 'Failed to process request',
      details: expect.stringMatching(/\S/) as string,
    });
    // Nothing is tried again behind the back, nothing that failed is remembered.
    expect(server.chats).toHaveLength(1);
    expect(gateway.sessionMessages(client.sessionId)).toEqual([]);
    client.send(ask('again'));
    expect(inShort(await client.upTo('idle'))).toEqual(['status:processing', 'llm_response', 'status:idle']);
  },
);

test.each(['', '🎉❤️', '**', '<think>only thoughts</think>'])(
  'does not send an answer of %j: asks the model once for words',
  async (text) => {
    const { connect, gateway, server } = await openGateway({
      turns: [{ text }, { text: '好的' }],
    });
    const client = await connect();
    client.send(ask('谢谢'));
    expect((await client.upTo('idle'))[1]).toMatchObject({
      type: 'llm_response',
      content: '好的',
    });
    expect(server.chats[1]!.body.messages.slice(-2).map(({ role }) => role)).toEqual(['assistant', 'user']);
    expect(gateway.sessionMessages(client.sessionId).map(({ content }) => content)).toEqual(['谢谢', '好的']);
  },
);

test.each<[string, ChatServerTurn[], RegExp]>([
  ['twice no words', [{ text: '🎉' }, { text: '🎉' }], /no words that can be spoken/],
  ['a limit that reasoning used up', [{ text: '', finishReason: 'length' }], /used its limit of 2048 tokens/],
])('%s: LLM_ERROR, never an empty llm_response', async (_, turns, details) => {
  const { connect } = await openGateway({ turns });
  const client = await connect();
  client.send(ask('谢谢'));
  const messages = await client.upTo('idle');
  expect(inShort(messages)).toEqual(['status:processing', 'error:LLM_ERROR', 'status:idle']);
  expect(messages[1]!['details']).toMatch(details);
});

test('an error inside a stream is LLM_ERROR', async () => {
  const { connect } = await openGateway({
    turns: [{ text: 'a long answer', fault: 'error-mid-stream', error: { message: 'GPU fell off the bus' } }],
  });
  const client = await connect();
  client.send(ask('hello'));
  const messages = await client.upTo('idle');
  expect(inShort(messages)).toEqual(['status:processing', 'error:LLM_ERROR', 'status:idle']);
  expect(messages[1]!['details']).toMatch(/GPU fell off the bus/);
});

test('a server that is not there is LLM_ERROR', async () => {
  const { connect, settings } = await openGateway();
  const client = await connect();
  settings.baseUrl = 'http://127.0.0.1:1/v1';
  client.send(ask('hello'));
  expect(inShort(await client.upTo('idle'))).toEqual(['status:processing', 'error:LLM_ERROR', 'status:idle']);
});

test('an invalid address is LLM_ERROR', async () => {
  const { connect, settings } = await openGateway();
  const client = await connect();
  settings.baseUrl = 'nowhere';
  client.send(ask('hello'));
  expect(inShort(await client.upTo('idle'))).toEqual(['status:processing', 'error:LLM_ERROR', 'status:idle']);
});

test.each(['no-answer', 'stall-after-headers', 'stall-mid-stream'] as const)(
  '%s is TIMEOUT after 120 s in all, without a second try',
  async (fault) => {
    const clock = createManualClock();
    const { connect, server } = await openGateway({ clock, turns: [{ text: 'an answer', fault }, { text: 'fine' }] });
    const client = await connect();
    client.send(ask('hello'));
    const request = await server.chat(0);
    clock.advance(119_999);
    client.send({ type: 'ping' });
    expect(inShort(await client.upTo('pong'))).toEqual(['status:processing', 'pong']);
    clock.advance(1);
    expect(inShort(await client.upTo('idle'))).toEqual(['error:TIMEOUT', 'status:idle']);
    expect(await request.closed).toBe('hung up');
    client.send(ask('again'));
    expect(inShort(await client.upTo('idle'))).toEqual(['status:processing', 'llm_response', 'status:idle']);
    expect(server.chats).toHaveLength(2);
  },
);

test('an answer that would not fit a frame is LLM_ERROR', async () => {
  const { connect } = await openGateway({ stream: false, turns: [{ text: '长'.repeat(200_000) }] });
  const client = await connect();
  client.send(ask('hello'));
  expect(inShort(await client.upTo('idle'))).toEqual(['status:processing', 'error:LLM_ERROR', 'status:idle']);
});

describe('LLM_TIMEOUT over several rounds of tools', () => {
  const rounds: ChatServerTurn[] = [{ toolCalls: [{ name: 'open_door' }] }, { toolCalls: [{ name: 'open_door' }] }];

  test('each request has the whole limit; what a tool takes is not counted', async () => {
    const clock = createManualClock();
    const gates = [0, 1, 2].map(() => Promise.withResolvers<undefined>());
    const turns = [...rounds, { text: 'open' }].map((turn, at) => ({ ...turn, gate: gates[at]!.promise }));
    const { connect, server } = await openGateway({ clock, turns });
    const client = await connect();
    client.send(register(clientTool('open_door')));
    await client.upTo('tools_registered');
    client.send(ask('open both'));
    for (const at of [0, 1]) {
      await server.chat(at);
      clock.advance(119_999);
      gates[at]!.resolve(undefined);
      const { call_id } = (await client.upTo('tool_callback')).at(-1)!;
      clock.advance(29_999);
      client.send({ type: 'tool_result', call_id, success: true, result: 'done' });
    }
    await server.chat(2);
    clock.advance(119_999);
    gates[2]!.resolve(undefined);
    expect(inShort(await client.upTo('idle'))).toEqual(['llm_response', 'status:idle']);
    expect(server.chats).toHaveLength(3);
  });

  test.each(['no-answer', 'stall-mid-stream'] as const)(
    '%s in a later round is TIMEOUT after 120 s, and nothing of the turn is remembered',
    async (fault) => {
      const clock = createManualClock();
      const { connect, server, gateway } = await openGateway({
        clock,
        turns: [rounds[0]!, { text: 'an answer', fault }, { text: 'fine' }],
      });
      const client = await connect();
      client.send(register(clientTool('open_door')));
      await client.upTo('tools_registered');
      client.send(ask('open'));
      const { call_id } = (await client.upTo('tool_callback')).at(-1)!;
      clock.advance(29_999);
      client.send({ type: 'tool_result', call_id, success: true, result: 'done' });
      const request = await server.chat(1);
      clock.advance(119_999);
      client.send({ type: 'ping' });
      expect(inShort(await client.upTo('pong'))).toEqual(['pong']);
      clock.advance(1);
      expect(inShort(await client.upTo('idle'))).toEqual(['error:TIMEOUT', 'status:idle']);
      expect(await request.closed).toBe('hung up');
      expect(gateway.sessionMessages(client.sessionId)).toEqual([]);
      client.send(ask('again'));
      expect(inShort(await client.upTo('idle'))).toEqual(['status:processing', 'llm_response', 'status:idle']);
      expect(server.chats).toHaveLength(3);
    },
  );
});
