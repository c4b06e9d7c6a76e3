/** Arguments of the model that fit nearly or not at all, and the names in errors (docs/protocols/gateway.md). */
import { expect, test } from 'vitest';

import { createManualClock } from '../devices/support/manualClock.ts';
import { callbacks, askedClient, resultOf as result } from './support/askedClient.ts';
import { inShort } from './support/testClient.ts';
import { ask, clientTool } from './support/wording.ts';

const integer = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };

test.each<[string, object, object, object]>([
  ['a number as text', { n: { type: 'integer' } }, { n: '50' }, { n: 50 }],
  ['a number with blanks around it', { n: { type: 'number' } }, { n: ' 0.5 ' }, { n: 0.5 }],
  ['a boolean as text', { on: { type: 'boolean' } }, { on: 'true' }, { on: true }],
  ['an object as text', { o: { type: 'object' } }, { o: '{"a":1}' }, { o: { a: 1 } }],
  ['text that is a number, where text is wanted', { s: { type: 'string' } }, { s: '50' }, { s: '50' }],
])('arguments that nearly fit are converted: %s', async (_, properties, given, sent) => {
  const { client } = await askedClient(
    {
      turns: [{ toolCalls: [{ name: 'f', arguments: given }] }, { text: 'ok' }],
    },
    clientTool('f', { type: 'object', properties }),
  );
  const [callback] = await callbacks(client, 1);
  expect(callback!['arguments']).toEqual(sent);
  client.send(result(callback!));
  expect(inShort(await client.upTo('idle'))).toEqual(['llm_response', 'status:idle']);
});

test('wrong arguments go back to the model once, by the client’s own name; the other calls of the round run', async () => {
  const { client, bench } = await askedClient(
    {
      turns: [
        {
          toolCalls: [{ name: 'f', arguments: { n: 'many' } }, { name: 'get_location' }],
        },
        { toolCalls: [{ name: 'f', arguments: { n: 2 } }] },
        { text: 'ok' },
      ],
    },
    clientTool('f', integer),
  );
  const [callback] = await callbacks(client, 1);
  expect(callback!['arguments']).toEqual({ n: 2 });
  client.send(result(callback!));
  expect(inShort(await client.upTo('idle'))).toEqual(['llm_response', 'status:idle']);
  const [told, location] = bench.server.chats[1]!.body.messages.slice(-2).map(({ content }) => String(content));
  expect(told).toMatch(/^Error: INVALID_TOOL_PARAMETERS .*The arguments do not fit f\. n: /);
  expect(told).not.toContain('gateway-client');
  expect(location).toContain('simulated');
});

test.each(['{"n": 4', ''])('a call that the limit of tokens cut (%j) goes back to the model as cut', async (args) => {
  const { client, bench } = await askedClient(
    {
      turns: [
        { toolCalls: [{ name: 'f', arguments: args }], finishReason: 'length' },
        { toolCalls: [{ name: 'f', arguments: { n: 2 } }] },
        { text: 'ok' },
      ],
    },
    clientTool('f', { type: 'object', properties: { n: { type: 'integer' } } }),
  );
  const [callback] = await callbacks(client, 1);
  expect(callback!['arguments']).toEqual({ n: 2 });
  client.send(result(callback!));
  expect(inShort(await client.upTo('idle'))).toEqual(['llm_response', 'status:idle']);
  const told = String(bench.server.chats[1]!.body.messages.at(-1)!.content);
  expect(told).toMatch(/The model's answer was cut at its limit of tokens, so this call is incomplete and was not run/);
});

test('details name the client’s own tool, whatever fails', async () => {
  const clock = createManualClock();
  const { client } = await askedClient(
    {
      clock,
      settings: { pingInterval: 100_000, pingTimeout: 100_000 },
      turns: [
        { toolCalls: [{ name: 't' }] },
        ...Array<object>(2).fill({
          toolCalls: [{ name: 't', arguments: { n: 'x' } }],
        }),
      ],
    },
    clientTool('t', { type: 'object', properties: { n: { type: 'integer' } } }),
  );
  await callbacks(client, 1);
  clock.advance(30_000);
  const [timeout] = await client.upTo('idle');
  expect(timeout).toMatchObject({
    code: 'TOOL_RESULT_TIMEOUT',
    details: '"t" did not answer within 30 s.',
  });
  client.send(ask('again'));
  const [, wrong] = await client.upTo('idle');
  expect(wrong).toMatchObject({
    code: 'INVALID_TOOL_PARAMETERS',
    message: 'The model gave wrong arguments to "t"',
  });
  expect(wrong!['details']).toMatch(/^The arguments do not fit t\. n: /);
});
