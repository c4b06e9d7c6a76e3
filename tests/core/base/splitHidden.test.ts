import { expect, it } from 'vitest';

import { splitHidden } from '../../../src-core/base/hiddenCharacters.ts';

it('names hidden characters, and counts consecutive ones of one name', () => {
  expect(splitHidden('a\u200b\u200bb\u{e0061}\u{e0062}\u202e')).toEqual([
    { text: 'a' },
    { hidden: { name: 'ZWSP', count: 2, code: 'U+200B' } },
    { text: 'b' },
    { hidden: { name: 'TAG', count: 2, code: 'U+E0061' } },
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
