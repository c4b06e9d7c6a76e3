import fc from 'fast-check';
import { expect, it } from 'vitest';

import { hasWords, markMatches, queryWords } from '../../../../renderer/ui/search/matchWords.ts';

it('a query is its words, in lower case', () => {
  expect(queryWords('  Set   VOL ')).toEqual(['set', 'vol']);
  expect(queryWords('   ')).toEqual([]);
});

it('every word must be there, in any case and with any separator', () => {
  expect(hasWords('self.audio_speaker.set_volume', ['set', 'vol'])).toBe(true);
  expect(hasWords('self.audio_speaker.set_volume', ['set', 'bright'])).toBe(false);
  expect(hasWords('anything', [])).toBe(true);
  expect(hasWords('Self.reboot', ['self_reboot'])).toBe(true);
});

it('marks what was found and keeps the text', () => {
  expect(markMatches('set_volume', ['vol', 'set'])).toEqual([
    { text: 'set', hit: true },
    { text: '_', hit: false },
    { text: 'vol', hit: true },
    { text: 'ume', hit: false },
  ]);
  expect(markMatches('self.reboot', ['self_re']).map(({ hit }) => hit)).toEqual([true, false]);
  // The lower case of İ is two code units: marks would stand in the wrong place.
  expect(markMatches('İstanbul', ['stan'])).toEqual([{ text: 'İstanbul', hit: false }]);
});

it('the pieces of any text are the text', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string({ minLength: 1, maxLength: 3 })), (text, words) => {
      expect(
        markMatches(
          text,
          words.map((word) => word.toLowerCase()),
        )
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
