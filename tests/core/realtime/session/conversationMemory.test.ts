/** What a session that begins after a loss is told of the conversation. */
import { expect, test } from 'vitest';

import { realtimeLimits } from '../../../../src-core/realtime/limits.ts';
import { ConversationMemory } from '../../../../src-core/realtime/session/conversationMemory.ts';

const { rememberedTexts, rememberedCharacters } = realtimeLimits;

test('exactly the newest texts up to the limit are kept, in order', () => {
  const memory = new ConversationMemory();
  for (let at = 1; at <= rememberedTexts; at += 1) memory.said(`text ${at}`);
  expect(memory.texts).toHaveLength(rememberedTexts);
  expect(memory.texts[0]).toEqual({ role: 'user', text: 'text 1' });
  memory.said('one more');
  expect(memory.texts).toHaveLength(rememberedTexts);
  expect(memory.texts[0]?.text).toBe('text 2');
  expect(memory.texts.at(-1)?.text).toBe('one more');
});

test('what the model says is one text per response, up to the limit of characters; blank texts are none', () => {
  const memory = new ConversationMemory();
  memory.heard('One ');
  memory.heard('moment.');
  expect(memory.texts).toEqual([]);
  memory.ended();
  memory.ended();
  memory.said('  ');
  memory.heard('x'.repeat(rememberedCharacters));
  memory.heard('y');
  memory.ended();
  memory.said('z'.repeat(rememberedCharacters + 1));
  expect(memory.texts).toEqual([
    { role: 'assistant', text: 'One moment.' },
    { role: 'assistant', text: 'x'.repeat(rememberedCharacters) },
    { role: 'user', text: 'z'.repeat(rememberedCharacters) },
  ]);
});
