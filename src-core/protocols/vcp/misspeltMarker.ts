import { isInvisible } from './characters.ts';
import { markers } from './markers.ts';
import type { TextRange } from '../../base/replyTypes.ts';

/** What looks like a START or END, but is no marker by docs/protocols/vcp.md#grammar: `<<[TOOL_REQUEST]>>`, `[tool_request]`. */
export interface MisspeltMarker extends TextRange {
  kind: 'start' | 'end';
  /** As it is in the text. */
  written: string;
  /** It has at least two angle brackets, as nothing in prose has. */
  isAngled: boolean;
}

const kinds = new Map<string, MisspeltMarker['kind']>([
  ['TOOLREQUEST', 'start'],
  ['ENDTOOLREQUEST', 'end'],
  ['/TOOLREQUEST', 'end'],
  ['TOOLREQUESTEND', 'end'],
]);

/** Which marker the words name, in any case and with or without separators; undefined if they name none. */
export function kindOfWords(words: string): MisspeltMarker['kind'] | undefined {
  return kinds.get(joined(words));
}

function joined(words: string): string {
  return words.toUpperCase().replaceAll(/[ _\u00AD\u200B-\u200F\u2060\uFEFF-]/g, '');
}

/** UTF-16 code units that the words may have, blanks and separators included. */
const longestWord = 24;
const mostAngles = 4;
const openingAngles = { signs: '<＜《〈{', entity: '&lt;' };
const closingAngles = { signs: '>＞》〉}', entity: '&gt;' };

/**
 * Reads a misspelt marker in `text` whose first `<` or whose `[` is at `at`; angle brackets before a `[` belong to it.
 * `more` if the string ends before it can be told; `atEnd` says that nothing follows the string. Offsets are in `text`.
 * Looks at 60 characters at most.
 */
export function readMisspeltMarker(
  text: string,
  at: number,
  { atEnd }: { atEnd: boolean },
): MisspeltMarker | 'more' | undefined {
  const next = text.charCodeAt(at + 1);
  const follows = next === 0x20 || next === 0x2f ? text.charCodeAt(at + 2) : next;
  if (!mayFollow(follows)) return undefined;
  const atBracket = text[at] === '[';
  const opening = atBracket ? anglesBefore(text, at) : anglesFrom(text, at, openingAngles);
  if (opening.isCut && !atEnd) return 'more';
  const openingEnd = opening.end + (opening.count > 0 && text[opening.end] === ' ' ? 1 : 0);
  const hasBracket = isBracket('[［【', text, openingEnd);
  const wordStart = hasBracket ? openingEnd + 1 : opening.end;
  if (wordStart < text.length && !startsWord(text.charCodeAt(wordStart))) return undefined;
  let wordEnd = wordStart;
  while (wordEnd - wordStart < longestWord && isWordCharacter(text.charCodeAt(wordEnd))) wordEnd++;
  const word = joined(text.slice(wordStart, wordEnd));
  if (wordEnd === text.length && !atEnd) return beginsWord(word) ? 'more' : undefined;
  const kind = kinds.get(word);
  if (kind === undefined) return undefined;
  const hasClosingBracket = isBracket(']］】', text, wordEnd);
  const closing = anglesAfter(text, wordEnd + (hasClosingBracket ? 1 : 0), opening.count > 0);
  if (closing.isCut && !atEnd) return 'more';
  if (hasBracket ? !hasClosingBracket && closing.count === 0 : closing.count === 0) return undefined;
  const written = text.slice(opening.start, closing.end);
  const good = markers[kind];
  // `<<<<[TOOL_REQUEST]>>>` holds a marker, and the end of the text may cut one off.
  if (written.includes(good) || (closing.end === text.length && good.startsWith(written))) return undefined;
  return { kind, start: opening.start, end: closing.end, written, isAngled: opening.count > 1 };
}

function isBracket(brackets: string, text: string, at: number): boolean {
  return at < text.length && brackets.includes(text.charAt(at));
}

interface Angles extends TextRange {
  count: number;
  /** The string ends where another may follow. */
  isCut: boolean;
}

function anglesFrom(text: string, start: number, { signs, entity }: typeof openingAngles): Angles {
  let end = start;
  let count = 0;
  for (; count < mostAngles && end < text.length; count++) {
    if (text.startsWith(entity, end)) end += entity.length;
    else if (signs.includes(text.charAt(end))) end++;
    else break;
  }
  return { start, end, count, isCut: count < mostAngles && entity.startsWith(text.slice(end, end + entity.length)) };
}

/** Closing angle brackets, after a blank if there are opening ones (`mayBeApart`); the blank alone is none of them. */
function anglesAfter(text: string, start: number, mayBeApart: boolean): Angles {
  const apart = mayBeApart && text[start] === ' ' ? anglesFrom(text, start + 1, closingAngles) : undefined;
  if (apart !== undefined && apart.count > 0) return apart;
  const angles = anglesFrom(text, start, closingAngles);
  return apart === undefined ? angles : { ...angles, isCut: apart.isCut };
}

function anglesBefore(text: string, end: number): Angles {
  const { signs, entity } = openingAngles;
  let start = end;
  let count = 0;
  for (; count < mostAngles && start > 0; count++) {
    if (text.startsWith(entity, start - entity.length)) start -= entity.length;
    else if (signs.includes(text.charAt(start - 1))) start--;
    else break;
  }
  return { start, end, count, isCut: false };
}

/** Most angle brackets and brackets are something else: what follows, a blank or `/` left out, tells. True at the end (NaN). */
function mayFollow(code: number): boolean {
  return startsWord(code) || code === 0x3c || code === 0x5b || code === 0x26 || code === 0x7b || !(code < 0x80);
}

function startsWord(code: number): boolean {
  const lower = code | 0x20;
  return lower === 0x74 || lower === 0x65 || code === 0x2f || code === 0x20;
}

/** A letter, `_`, `-`, `/`, a blank, or a character that is not seen. */
export function isWordCharacter(code: number): boolean {
  return isLetter(code) || code === 0x5f || code === 0x2d || code === 0x2f || code === 0x20 || isInvisible(code);
}

export function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function beginsWord(word: string): boolean {
  for (const known of kinds.keys()) if (known.startsWith(word)) return true;
  return false;
}
