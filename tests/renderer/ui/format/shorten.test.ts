import { expect, it } from 'vitest';

import { shorten } from '../../../../renderer/ui/format/shorten.ts';

it('marks a text that it cuts, and leaves one that fits', () => {
  expect(shorten('12345', 5)).toBe('12345');
  expect(shorten('123456', 5)).toBe('1234…');
  expect(shorten('', 5)).toBe('');
  // Half of an emoji is no character.
  expect(shorten('123😀5', 5).isWellFormed()).toBe(true);
});
