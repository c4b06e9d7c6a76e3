import { isSpace } from '../characters.ts';
import { markers } from '../markers.ts';
import { isLetter, isWordCharacter, kindOfWords, type MisspeltMarker } from '../misspeltMarker.ts';
import type { TextRange } from '../../../base/replyTypes.ts';
import type { Machine } from './machine.ts';

/** UTF-16 code units beside a field that are looked at. */
const longestGap = 96;
/** Brackets on one side of the words at most. */
const mostSigns = 8;
const brackets = '[]［］【】〔〕<>＜＞《》〈〉{}';
const otherPairs = '()（）「」『』“”**__--==~~##""\'\'';
const closerOf = new Map<string, string>();
const openers = new Set<string>();
const closers = new Set<string>();
for (const pairs of [brackets, otherPairs]) {
  for (let at = 0; at < pairs.length; at += 2) {
    closerOf.set(pairs.charAt(at), pairs.charAt(at + 1));
    if (pairs === otherPairs) continue;
    openers.add(pairs.charAt(at));
    closers.add(pairs.charAt(at + 1));
  }
}
/** Signs that may be between a field and the marker, and beside the marker on its line. */
const separators = new Set(',，;；:：>-*+•·#=~_');

/**
 * The misspelt marker right before the field at `field`, not past `floor`: in brackets of any kind (`【TOOL_REQUEST】`), or
 * without any if nothing else is on its line. Looks at 96 characters at most.
 */
export function loneMarkerBefore(machine: Machine, field: number, floor: number): MisspeltMarker | undefined {
  const from = Math.max(floor, field - longestGap);
  const text = machine.window.slice(from, field);
  let wordEnd = text.length;
  while (wordEnd > 0 && !isLetter(text.charCodeAt(wordEnd - 1))) wordEnd--;
  let wordStart = wordEnd;
  while (wordStart > 0 && isWordCharacter(text.charCodeAt(wordStart - 1))) wordStart--;
  const marker = readLoneMarker(text, { start: wordStart, end: wordEnd });
  if (marker === undefined || !isBlank(text.slice(marker.end))) return undefined;
  const lineStart = text.lastIndexOf('\n', marker.start) + 1;
  const isLineThere = lineStart > 0 || from === floor;
  if (!marker.isBracketed && !(isLineThere && isBlank(text.slice(lineStart, marker.start)))) return undefined;
  return placed(marker, text, from);
}

/** The same right after the field that ends at `field`. The text is there up to `end`. */
export function loneMarkerAfter(machine: Machine, field: number, end: number): MisspeltMarker | undefined {
  const text = machine.window.slice(field, Math.min(end, field + longestGap));
  let wordStart = 0;
  while (wordStart < text.length && !isLetter(text.charCodeAt(wordStart))) wordStart++;
  let wordEnd = wordStart;
  while (wordEnd < text.length && isWordCharacter(text.charCodeAt(wordEnd))) wordEnd++;
  if (text[wordStart - 1] === '/') wordStart--;
  const marker = readLoneMarker(text, { start: wordStart, end: wordEnd });
  if (marker === undefined || !isBlank(text.slice(0, marker.start))) return undefined;
  const lineBreak = text.indexOf('\n', marker.end);
  const isLineThere = lineBreak >= 0 || field + text.length === end;
  const rest = text.slice(marker.end, lineBreak < 0 ? text.length : lineBreak);
  if (!marker.isBracketed && !(isLineThere && isBlank(rest))) return undefined;
  // The end of the text may cut a good marker off.
  const isCut = marker.end === text.length && markers[marker.kind].startsWith(text.slice(marker.start));
  return isCut ? undefined : placed(marker, text, field);
}

interface LoneMarker extends TextRange {
  kind: MisspeltMarker['kind'];
  /** In brackets that are not those of prose: other text may be on its line. */
  isBracketed: boolean;
}

/** The marker whose words are in `around`, with the brackets and other signs around it. */
function readLoneMarker(text: string, around: TextRange): LoneMarker | undefined {
  let { start, end } = around;
  while (start < end && !isLetter(text.charCodeAt(start)) && text[start] !== '/') start++;
  while (end > start && !isLetter(text.charCodeAt(end - 1))) end--;
  const word = text.slice(start, end);
  const kind = kindOfWords(word);
  if (kind === undefined) return undefined;
  let isBracketed = false;
  for (let signs = 0; signs < mostSigns; signs++) {
    const before = skipBlanks(text, start, -1);
    const after = skipBlanks(text, end, 1);
    const opener = text.charAt(before - 1);
    if (opener === '' || closerOf.get(opener) !== text.charAt(after)) break;
    isBracketed ||= openers.has(opener);
    start = before - 1;
    end = after + 1;
  }
  for (let signs = 0; signs < mostSigns && openers.has(text.charAt(start - 1)); signs++) start--;
  for (let signs = 0; signs < mostSigns && closers.has(text.charAt(end)); signs++) end++;
  if (text[end] === ':' || text[end] === '：') end++;
  // “Tool request” is a heading of prose.
  return isBracketed || !word.includes(' ') ? { kind, start, end, isBracketed } : undefined;
}

function placed({ kind, start, end }: LoneMarker, text: string, base: number): MisspeltMarker {
  return { kind, start: start + base, end: end + base, written: text.slice(start, end), isAngled: false };
}

function skipBlanks(text: string, from: number, step: 1 | -1): number {
  let at = from;
  while (' \t'.includes(text.charAt(step > 0 ? at : at - 1)) && at > 0 && at < text.length) at += step;
  return at;
}

/** Only white space and `separators`. */
function isBlank(text: string): boolean {
  for (const sign of text) if (!separators.has(sign) && !isSpace(sign.charCodeAt(0))) return false;
  return true;
}
