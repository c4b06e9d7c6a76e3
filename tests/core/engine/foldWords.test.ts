import { expect, test } from 'vitest';
import { foldWords } from '../../../src-core/engine/foldWords.ts';

test.each([
  ['The Lamp, is: ON', ' the lamp is on ', 'thelampison'],
  ['sеlf.lі\u200bght', ' self light ', 'selflight'],
  ['K\u0301itchen １２ ½', ' kitchen 12 12 ', 'kitchen1212'],
  ['客厅lamp々', ' 客 厅 lamp 々 ', '客厅lamp々'],
  ['\u3300 ㎞ \ufdfa', ' アハート km ', 'アハートkm'],
  ['𝐀𝟙 𐐀 𠀀😀', ' a1 𐐀 𠀀 ', 'a1𐐀𠀀'],
  ['각 \ud7ff 각', ' 각 각 ', '각각'],
  ['a\nb\u2028c\ud800d', ' a b c d ', 'abcd'],
  ['', ' ', ''],
])('%j is folded to %j', (text, words, letters) => {
  expect(foldWords(text, 100)).toEqual({ words, letters });
});

test('characters are the same however often and in whatever order they occur', () => {
  const text = String.fromCodePoint(...Array.from({ length: 30_000 }, (_, at) => 0xa0 + ((at * 7) % 0x1_ff00)));
  const first = foldWords(text, text.length * 8);
  expect(foldWords(text, text.length * 8)).toEqual(first);
  expect([...text].map((character) => foldWords(character, 10).letters).join('')).toBe(first.letters);
});

test('the middle of a long text is cut out', () => {
  const { words, letters } = foldWords(`start ${'a'.repeat(1_000)} end`, 100);
  expect(words).toMatch(/^ start a+ a+ end $/);
  expect([words.length, letters.length]).toEqual([101, 101]);
});
