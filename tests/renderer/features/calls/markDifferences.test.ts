import { describe, expect, it } from 'vitest';

import { markDifferences } from '../../../../renderer/features/calls/compare/markDifferences.ts';

const marked = (pieces: readonly { text: string; differs: boolean }[]): string =>
  pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('');

describe('markDifferences', () => {
  it('marks the words that only one of both has', () => {
    const { left, right } = markDifferences('It is 10:15 now.', 'It is 10:16 already.');
    expect(marked(left)).toBe('It is 10:[15] [now].');
    expect(marked(right)).toBe('It is 10:[16] [already].');
  });

  it('compares Chinese sign by sign', () => {
    const { left, right } = markDifferences('现在是三点', '现在是四点');
    expect([marked(left), marked(right)]).toEqual(['现在是[三]点', '现在是[四]点']);
  });

  it('marks all of one beside nothing, and nothing of what is too long to compare', () => {
    expect(marked(markDifferences('', 'a b').right)).toBe('[a b]');
    const long = 'a '.repeat(2_000);
    expect(markDifferences(long, 'b').left).toEqual([{ text: long, differs: false }]);
  });
});
