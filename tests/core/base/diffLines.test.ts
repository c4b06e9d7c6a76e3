import { expect, it } from 'vitest';

import { diffLines } from '../../../src-core/base/diffLines.ts';

const numbers = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at));

it('shows the changed lines with two lines beside them, and marks what is left out', () => {
  const before = numbers(12);
  const after = before.with(6, 'six');
  expect(diffLines(before.join('\n'), after.join('\n')).map(({ sign, text }) => `${sign}${text}`)).toEqual([
    'gap…',
    ' 4',
    ' 5',
    '-6',
    '+six',
    ' 7',
    ' 8',
    'gap…',
  ]);
});

it('shows a text that is new or gone whole', () => {
  expect(diffLines('', 'a\nb')).toEqual([
    { sign: '+', text: 'a' },
    { sign: '+', text: 'b' },
  ]);
  expect(diffLines('a', '')).toEqual([{ sign: '-', text: 'a' }]);
});

it('shows nothing of equal texts', () => {
  expect(diffLines('a\nb\nc\nd', 'a\nb\nc\nd')).toEqual([]);
});
