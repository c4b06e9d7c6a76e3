import { describe, expect, test } from 'vitest';

import type { ChatMessage } from '../../../../src-core/contract/chatMessages.ts';
import type { ChatPart, ChatRequest } from '../../../../src-core/features/models/chatModel.ts';
import { ChatModelError } from '../../../../src-core/features/models/chatModel.ts';
import type { ModelScript } from '../../../../src-core/contract/modelInfo.ts';
import { createScriptedModel } from '../../../../src-core/features/models/scriptedModel.ts';
import { createManualClock } from '../devices/support/manualClock.ts';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });
const tool = (name: string) => ({ name, description: '', parameters: {} });

/** The texts a script gives in one conversation, to these messages of the user's. */
async function talk(script: ModelScript, ...texts: string[]): Promise<string[]> {
  const model = createScriptedModel({ script });
  const messages: ChatMessage[] = [];
  const said: string[] = [];
  for (const text of texts) {
    messages.push(user(text));
    const reply = await model.generate({ messages });
    messages.push(assistant(reply.text));
    said.push(reply.text);
  }
  return said;
}

async function failure(script: ModelScript, request: ChatRequest): Promise<ChatModelError> {
  const error = await createScriptedModel({ script })
    .generate(request)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ChatModelError);
  return error as ChatModelError;
}

describe('which turn answers', () => {
  test('turns without conditions come in order, and the end of the script says which turn is missing', async () => {
    const script: ModelScript = { turns: [{ text: 'one' }, { text: 'two' }] };
    expect(await talk(script, 'a', 'b')).toEqual(['one', 'two']);
    const error = await failure(script, { messages: [user('a'), assistant('one'), assistant('two'), user('c')] });
    expect(error).toMatchObject({ code: 'script', details: { missing: 'turns[2]' } });
    expect(error.message).toContain('reply 3 of this conversation');
  });

  test('atEnd repeat starts again', async () => {
    expect(await talk({ turns: [{ text: 'one' }, { text: 'two' }], atEnd: 'repeat' }, 'a', 'b', 'c')).toEqual([
      'one',
      'two',
      'one',
    ]);
  });

  test('the same request has the same answer, however many ask', async () => {
    const model = createScriptedModel({ script: { turns: [{ text: 'one' }, { text: 'two' }] } });
    const request = { messages: [user('a')] };
    const replies = await Promise.all([model.generate(request), model.generate(request), model.generate(request)]);
    expect(replies.map(({ text }) => text)).toEqual(['one', 'one', 'one']);
  });

  test('a turn whose condition holds answers out of turn, and does not use one up', async () => {
    const script: ModelScript = {
      turns: [{ text: 'one' }, { when: { contains: 'HELP' }, text: 'help' }, { text: 'two' }],
    };
    expect(await talk(script, 'a', 'please help', 'b', 'help')).toEqual(['one', 'help', 'two', 'help']);
  });

  test.each<[string, ModelScript['turns'][number]['when'], Partial<ChatRequest>, boolean]>([
    ['the role of the last message', { role: 'tool' }, {}, false],
    ['the role of the last message', { role: 'user' }, {}, true],
    ['a pattern', { matches: 'vol\\w+ (\\d+)' }, {}, true],
    ['a pattern that does not match', { matches: '^volume' }, {}, false],
    ['a system message', { system: 'BE BRIEF' }, {}, true],
    ['a tool by its name', { tool: 'self_get_time' }, { tools: [tool('self_get_time')] }, true],
    ['a tool by the end of its name', { tool: 'get_time' }, { tools: [tool('clock_get_time')] }, true],
    ['a tool by an ambiguous end', { tool: 'time' }, { tools: [tool('a_time'), tool('b_time')] }, false],
    ['a tool by part of a word', { tool: 'time' }, { tools: [tool('runtime')] }, false],
    ['a tool where none is offered', { tool: 'get_time' }, {}, false],
    ['two conditions of which one holds', { contains: 'volume', role: 'tool' }, {}, false],
    ['no condition at all', {}, {}, true],
  ])('looks at %s', async (_, when, more, fits) => {
    const script = { turns: [{ when: when!, text: 'fits' }, { text: 'else' }] };
    const messages: ChatMessage[] = [{ role: 'system', content: 'Be brief.' }, user('Set volume 40')];
    const { text } = await createScriptedModel({ script }).generate({ messages, ...more });
    expect(text).toBe(fits ? 'fits' : 'else');
  });

  test('nothing fits: the error shows the last message', async () => {
    const script: ModelScript = { turns: [{ when: { contains: 'x' }, text: 'x' }] };
    const error = await failure(script, { messages: [user('Hello')] });
    expect(error.code).toBe('script');
    expect(error.message).toContain('user: "Hello"');
    expect((await failure(script, { messages: [] })).message).toContain('none: ""');
  });

  test('a pattern that takes for ever ends as an error of the script', async () => {
    const script: ModelScript = { turns: [{ when: { matches: '^(a+)+$' }, text: 'x' }] };
    const error = await failure(script, { messages: [user(`${'a'.repeat(40)}!`)] });
    expect(error).toMatchObject({ code: 'script', message: expect.stringContaining('too long') });
  });
});

describe('what a turn says', () => {
  test('text, reasoning, calls, usage; streamed word by word and whole in the reply', async () => {
    const script: ModelScript = {
      turns: [
        {
          reasoning: 'Let me see.',
          text: 'It is  late.',
          toolCalls: [
            { name: 'get_time' },
            { name: 'set', arguments: { a: [1] } },
            { name: 'set', arguments: '{broken' },
          ],
          usage: { inputTokens: 3, outputTokens: 4 },
        },
      ],
    };
    const parts: ChatPart[] = [];
    const reply = await createScriptedModel({ script }).generate({
      messages: [user('a')],
      tools: [tool('clock_get_time')],
      onPart: (part) => parts.push(part),
    });
    expect(reply).toEqual({
      text: 'It is  late.',
      reasoning: 'Let me see.',
      toolCalls: [
        { id: 'scripted_1_0', name: 'clock_get_time', argumentsText: '{}' },
        { id: 'scripted_1_1', name: 'set', argumentsText: '{"a":[1]}' },
        { id: 'scripted_1_2', name: 'set', argumentsText: '{broken' },
      ],
      finishReason: 'tool-calls',
      usage: { inputTokens: 3, outputTokens: 4 },
    });
    const textOf = (type: string) =>
      parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');
    expect([textOf('reasoning'), textOf('text')]).toEqual(['Let me see.', 'It is  late.']);
    expect(parts.filter(({ type }) => type === 'tool-call')).toHaveLength(3);
    expect(parts.length).toBeGreaterThan(7);
  });

  test('placeholders in texts and arguments; what is not known stays as it is', async () => {
    const script: ModelScript = {
      turns: [
        {
          when: { matches: 'set (\\w+) to (\\d+)(!)?' },
          text: '{{0}}: {{1}}={{2}}{{3}} {{4}} {{other}} «{{last_message}}»',
          toolCalls: [{ name: 'set', arguments: { to: '{{2}}', deep: [{ name: '{{1}}' }], n: 1 } }],
        },
      ],
    };
    const reply = await createScriptedModel({ script }).generate({ messages: [user('Set $& to 7? Set volume to 40')] });
    expect(reply.text).toBe('Set volume to 40: volume=40 {{4}} {{other}} «Set $& to 7? Set volume to 40»');
    expect(JSON.parse(reply.toolCalls[0]!.argumentsText)).toEqual({ to: '40', deep: [{ name: 'volume' }], n: 1 });
  });

  test('an error instead of a reply', async () => {
    const script: ModelScript = { turns: [{ error: { code: 'http', message: 'The server answered 429.' } }] };
    expect(await failure(script, { messages: [user('a')] })).toMatchObject({
      code: 'http',
      message: 'The server answered 429.',
      details: { turn: 'turns[0]' },
    });
  });
});

describe('limits', () => {
  const script: ModelScript = { turns: [{ text: 'late', delayMs: 60_000 }] };

  test('delayMs is waited for', async () => {
    const clock = createManualClock();
    const pending = createScriptedModel({ script, clock }).generate({ messages: [user('a')] });
    clock.advance(60_000);
    expect((await pending).text).toBe('late');
  });

  test('a total limit that ends first', async () => {
    const clock = createManualClock();
    const pending = createScriptedModel({ script, clock }).generate({ messages: [user('a')], totalMs: 30_000 });
    clock.advance(30_000);
    await expect(pending).rejects.toMatchObject({ code: 'timeout', details: { limitMs: 30_000 } });
  });

  test('cancelled while it waits, and before it begins', async () => {
    const controller = new AbortController();
    const request = { messages: [user('a')], signal: controller.signal };
    const model = createScriptedModel({ script, clock: createManualClock() });
    const pending = model.generate(request);
    controller.abort();
    await expect(pending).rejects.toMatchObject({ code: 'cancelled' });
    await expect(model.generate(request)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
