import { expect, it } from 'vitest';

import { splitHidden } from '../../../src-core/base/hiddenCharacters.ts';

it('names hidden characters, and counts consecutive ones of one name', () => {
  expect(splitHidden('a\u200b\u200bb\u{e0061}\u{e0062}\u202e')).toEqual([
    { text: 'a' },
    { hidden: { name: 'ZWSP', count: 2, code: 'U+200B' } },
    { text: 'b' },
    { hidden: { name: 'TAG', count: 2, code: 'U+E0061', reads: 'ab' } },
    { hidden: { name: 'RLO', count: 1, code: 'U+202E' } },
  ]);
});

it('writes the code of a character without a name', () => {
  expect(splitHidden('\u0007')).toEqual([{ hidden: { name: 'U+0007', count: 1, code: 'U+0007' } }]);
});

it('returns a text without hidden characters as one part, and none for an empty text', () => {
  expect(splitHidden('灯 on\n')).toEqual([{ text: '灯 on\n' }]);
  expect(splitHidden('')).toEqual([]);
});

it('reads tag characters as the letters that a model reads', () => {
  expect(splitHidden('\u{e0068}\u{e0069}\u{e0001}')).toEqual([
    { hidden: { name: 'TAG', count: 3, code: 'U+E0068', reads: 'hi' } },
  ]);
});

it.each([
  ['an emoji of several', '👩\u200d🔧 ❤\ufe0f\u200d🔥 👍🏽'],
  ['a flag', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['joined and separated letters', 'نمی\u200cدانم क्\u200dष'],
  ['a variant of an ideograph', '葛\u{e0100}'],
  ['a mark of direction beside Hebrew', 'שלום!\u200e 123 \u200fשלום'],
])('finds nothing hidden in %s', (_, text) => {
  expect(splitHidden(text)).toEqual([{ text }]);
});

it.each([
  ['joiners in Latin words', 'a\u200db', 'ZWJ'],
  ['several joiners', 'न\u200c\u200d\u200c', 'ZWNJ'],
  ['a selector of variants after another one', '😀\ufe0f\ufe01', 'VS'],
  ['a selector of variants after a Latin letter', 'a\ufe01', 'VS'],
  ['tags that are no flag', '🏴\u{e0067}\u{e0062}', 'TAG'],
  ['an isolate', 'שלום\u2067', 'RLI'],
])('finds %s', (_, text, name) => {
  expect(splitHidden(text).map((part) => ('hidden' in part ? part.hidden.name : ''))).toContain(name);
});
