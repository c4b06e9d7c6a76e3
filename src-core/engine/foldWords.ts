import { plainText } from '../base/plainText.ts';

/** A text in the form in which it is searched. */
export interface FoldedText {
  /** Plain letters and digits in lower case, with one space before and after each word. A Chinese character is a word. */
  words: string;
  /** The same without spaces: a name matches however its words are separated. */
  letters: string;
}

/** Kinds of characters; a character of an `unknown` kind has not occurred yet. */
const kind = { unknown: 0, invisible: 1, separator: 2, letter: 3, chinese: 4 };
/** Code points that the table holds: the first two planes. */
const tableSize = 0x2_0000;
/** Code points that are read at once. */
const blockSize = 256;
/** Characters that one may stand for. U+FDFA, a sentence, separates words. */
const maxExpansion = 6;
const space = 0x20;

/** The kind of each code point. Characters that have no other form are known from the start, so that few are read. */
const kinds = new Uint8Array(tableSize)
  .fill(kind.chinese, 0x3400, 0xa000)
  .fill(kind.letter, 0xac00, 0xd7a4)
  .fill(kind.separator, 0xd800, 0xf900)
  .fill(kind.letter, 0x1_0000, 0x1_d400)
  .fill(kind.letter, 0x1_d800, 0x1_f000);
/** The code unit that a code point is folded to; 0 if there are several, or if it is folded to itself. */
const units = new Uint16Array(tableSize);
const expansions = new Map<number, string>();

/**
 * Folds a text by a table of characters. The cost is linear and bounded for each character, at most about 50 ns. Of a folded text
 * of more than `maxLength` characters, the middle is cut out.
 */
export function foldWords(text: string, maxLength: number): FoldedText {
  const words = new Uint16Array((maxExpansion + 2) * text.length + 2);
  const letters = new Uint16Array(maxExpansion * text.length);
  let [wordsEnd, lettersEnd] = [0, 0];
  words[wordsEnd++] = space;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) at += 1;
    const is = kindOf(code);
    if (is === kind.invisible) continue;
    if (is !== kind.letter && words[wordsEnd - 1] !== space) words[wordsEnd++] = space;
    if (is === kind.separator) continue;
    const unit = units[code];
    if (unit) words[wordsEnd++] = letters[lettersEnd++] = unit;
    else {
      const several = expansions.get(code) ?? String.fromCodePoint(code);
      for (let next = 0; next < several.length; next += 1)
        words[wordsEnd++] = letters[lettersEnd++] = several.charCodeAt(next);
    }
    if (is === kind.chinese) words[wordsEnd++] = space;
  }
  if (words[wordsEnd - 1] !== space) words[wordsEnd++] = space;
  return { words: decodeEnds(words, wordsEnd, maxLength), letters: decodeEnds(letters, lettersEnd, maxLength) };
}

function decodeEnds(codeUnits: Uint16Array, length: number, maxLength: number): string {
  const decode = (from: number, to: number): string =>
    Buffer.from(codeUnits.buffer, 2 * from, 2 * (to - from)).toString('utf16le');
  if (length <= maxLength) return decode(0, length);
  return `${decode(0, maxLength / 2)} ${decode(length - maxLength / 2, length)}`;
}

function kindOf(code: number): number {
  // Beyond the table are Chinese characters, then tags and private use.
  if (code >= tableSize) return code < 0x4_0000 ? kind.chinese : kind.invisible;
  if (kinds[code] === kind.unknown) readBlock(code - (code % blockSize));
  return kinds[code] ?? kind.separator;
}

/** Reads characters at once: one by one takes ten times as long. */
function readBlock(start: number): void {
  const codes = Array.from({ length: blockSize }, (_, at) => start + at);
  const lines = codes.map((code) => (code === 0x0a ? '' : String.fromCodePoint(code))).join('\n');
  const plain = plainText(lines).toLowerCase();
  const words = plain.replace(/[^\p{L}\p{N}\n]+/gu, '').split('\n');
  const characters = plain.split('\n');
  for (const [at, code] of codes.entries()) {
    if (kinds[code] !== kind.unknown) continue;
    const folded = words[at] ?? '';
    if (folded.length === 1) units[code] = folded.charCodeAt(0);
    else if (folded !== '') expansions.set(code, folded);
    if (folded === '' || folded.length > maxExpansion)
      kinds[code] = characters[at] === '' && code !== 0x0a ? kind.invisible : kind.separator;
    else kinds[code] = /^\p{Script=Han}/u.test(folded) ? kind.chinese : kind.letter;
  }
}
