import { expect, test } from 'vitest';

import { en } from '../../../src-core/base/messages/en/index.ts';
import { localize } from '../../../src-core/base/messages/localize.ts';
import { renderMessage, renderSentence, type Catalogue } from '../../../src-core/base/messages/message.ts';
import { zh } from '../../../src-core/base/messages/zh/index.ts';

/** Stands for a parameter of any type: whatever is called on it, its text is `‹name›`. */
function probe(name: string): never {
  const target = (): unknown => probe(name);
  const get = (_: unknown, key: string | symbol): unknown =>
    key === Symbol.toPrimitive ? () => `‹${name}›` : probe(name);
  return new Proxy(target, { get }) as never;
}

/** The names of the parameters in a sentence, and the sentence without them. */
function rendered(code: string, catalogue: Catalogue): { names: Set<string>; text: string } {
  const sentence = catalogue[code];
  const params = new Proxy({}, { get: (_, name) => probe(String(name)) }) as never;
  const text = typeof sentence === 'function' ? sentence(params) : String(sentence);
  return { names: new Set(text.match(/‹\w+›/g)), text: text.replaceAll(/‹\w+›/g, '') };
}

test.each(Object.keys(en))('%s has the same parameters in Chinese', (code) => {
  const english = rendered(code, en);
  const chinese = rendered(code, zh);
  expect(chinese.names).toEqual(english.names);
  expect(english.text).not.toMatch(/\p{Script=Han}|undefined|\[object/u);
  expect(chinese.text).not.toMatch(/undefined|\[object/);
  if (/[a-z]{2}/.test(english.text)) expect(chinese.text).toMatch(/\p{Script=Han}/u);
});

test('a message has its English text, its code and its parameters', () => {
  expect(localize('workbench.closing')).toEqual({ text: 'Toolwire is closing.', code: 'workbench.closing' });
  expect(localize('chat.full', { entries: 20_000 })).toEqual({
    text: 'This chat is full: it has 20,000 entries. Start another.',
    code: 'chat.full',
    params: { entries: 20_000 },
  });
});

test('a message among the parameters is rendered in the language of the sentence', () => {
  const message = localize('chat.alwaysAsks', { danger: localize('workbench.closing') });
  expect(message.text).toBe('This call asks every time: Toolwire is closing. Approve it alone.');
  expect(renderMessage(message, zh)).toBe('此调用每次都会询问：Toolwire 正在关闭。请单独批准。');
});

test.each([
  ['of another version', { code: 'chat.noLongerKnown', params: {} }],
  ['that is a name of every object', { code: 'constructor' }],
  ['without its parameters', { code: 'chat.full' }],
  ['with another parameter', { code: 'chat.full', params: { count: 3 } }],
  ['with a parameter of another type', { code: 'chat.full', params: { entries: null as never } }],
  ['said by somebody else', {}],
])('a message %s has its English text', (_, message) => {
  expect(renderMessage({ text: 'It said this.', ...message }, zh)).toBe('It said this.');
});

test('a sentence that lacks a parameter is an error of the program', () => {
  expect(() => renderSentence(en['chat.full'], {}, en)).toThrow('The parameter "entries" is missing.');
});
