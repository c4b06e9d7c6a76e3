import { expect, test } from 'vitest';

import { createLetterBag } from '../../../src-core/tools/letterBag.ts';

test.each([
  ['volume', 'volume', 6],
  ['volume', 'mulove', 6],
  ['aab', 'abb', 2],
  ['aab', '', 0],
  ['', 'aab', 0],
  ['音量', '量の音', 2],
])('"%s" and "%s" share %i letters', (text, other, shared) => {
  const bag = createLetterBag(text);
  expect(bag.shared(other)).toBe(shared);
  // A comparison leaves the bag as it was.
  expect(bag.shared(other)).toBe(shared);
});

test('letters that share a place count as one: the number may be too high', () => {
  expect(createLetterBag('a').shared(String.fromCharCode('a'.charCodeAt(0) + 128))).toBe(1);
});
