import { describe, expect, test } from 'vitest';

import { ChatModelError } from '../../../../src-core/features/models/chatModel.ts';
import type { ChatMessage } from '../../../../src-core/contract/chatMessages.ts';
import type { ChatModel, ChatReply } from '../../../../src-core/features/models/chatModel.ts';
import { recordModel } from '../../../../src-core/features/models/recordModel.ts';
import { readModelScript } from '../../../../src-core/features/models/readModelScript.ts';
import { createScriptedModel } from '../../../../src-core/features/models/scriptedModel.ts';
import type { JsonValue } from '../../../../src-core/base/json.ts';

const reply = (more: Partial<ChatReply>): ChatReply => ({ text: '', toolCalls: [], finishReason: 'stop', ...more });

/** Says these one after the other; each waits to be let go where the test asks for it. */
function saying(...steps: (ChatReply | ChatModelError | Promise<ChatReply>)[]): ChatModel {
  const left = [...steps];
  return {
    name: 'real',
    generate: async () => {
      const next = left.shift()!;
      if (next instanceof ChatModelError) throw next;
      return next;
    },
  };
}

describe('recording', () => {
  test('a recorded conversation replays as it was', async () => {
    const calls = [
      { id: 'a', name: 'get_time', argumentsText: '{}' },
      { id: 'b', name: 'set', argumentsText: '{ "volume" : 40, "text": "a b" }' },
      { id: 'c', name: 'set', argumentsText: '{"id":12345678901234567890}' },
      { id: 'd', name: 'set', argumentsText: '{broken' },
    ];
    const recording = recordModel(
      saying(
        reply({ text: 'Wait.', reasoning: 'Hm', toolCalls: calls, finishReason: 'tool-calls' }),
        new ChatModelError('http', 'The server answered 429.'),
        reply({ text: 'Cut', finishReason: 'length', usage: { inputTokens: 5, outputTokens: 6 } }),
      ),
    );
    const messages: ChatMessage[] = [{ role: 'user', content: 'a' }];
    await recording.generate({ messages });
    await expect(recording.generate({ messages })).rejects.toMatchObject({ code: 'http' });
    await recording.generate({ messages });

    const script = recording.script();
    expect(readModelScript(JSON.parse(JSON.stringify(script)) as JsonValue)).toEqual(script);
    expect(script.turns[0]!.toolCalls).toEqual([
      { name: 'get_time', arguments: {} },
      { name: 'set', arguments: { volume: 40, text: 'a b' } },
      { name: 'set', arguments: '{"id":12345678901234567890}' },
      { name: 'set', arguments: '{broken' },
    ]);
    const model = createScriptedModel({ script });
    const first = await model.generate({ messages });
    expect(first).toMatchObject({ text: 'Wait.', reasoning: 'Hm', finishReason: 'tool-calls' });
    messages.push({ role: 'assistant', content: 'Wait.' });
    await expect(model.generate({ messages })).rejects.toMatchObject({
      code: 'http',
      message: 'The server answered 429.',
    });
    messages.push({ role: 'assistant', content: '' });
    expect(await model.generate({ messages })).toEqual(
      reply({ text: 'Cut', finishReason: 'length', usage: { inputTokens: 5, outputTokens: 6 } }),
    );
  });

  test('steps at the same time keep the order in which they were asked for; a cancelled one is left out', async () => {
    const slow = Promise.withResolvers<ChatReply>();
    const recording = recordModel(
      saying(slow.promise, new ChatModelError('cancelled', 'The step was cancelled.'), reply({ text: 'second' })),
    );
    const request = { messages: [] };
    const first = recording.generate(request);
    await expect(recording.generate(request)).rejects.toMatchObject({ code: 'cancelled' });
    await recording.generate(request);
    slow.resolve(reply({ text: 'first' }));
    await first;
    expect(recording.script().turns.map(({ text }) => text)).toEqual(['first', 'second']);
  });
});
