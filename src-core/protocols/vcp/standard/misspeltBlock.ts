import { unclosedBlockDiagnostic } from '../blockDiagnostics.ts';
import { markers } from '../markers.ts';
import { misspeltBlockDiagnostic, misspeltEndDiagnostic, misspeltWithinDiagnostic } from '../outsideDiagnostics.ts';
import { isLetter, isWordCharacter, kindOfWords, readMisspeltMarker, type MisspeltMarker } from '../misspeltMarker.ts';
import { isLineSpace, isSpace } from '../characters.ts';
import type { TextRange } from '../../../base/replyTypes.ts';
import type { VcpField } from '../types.ts';
import { skipBackToLineHead } from './fieldHead.ts';
import type { Machine } from './machine.ts';
import { onlySeparators } from './separators.ts';
import type { BlockBuilder, FieldHead } from './state.ts';

/** Reads the misspelt marker whose first `<` or whose `[` is at `at`, in offsets of the whole text. */
export function readMisspelt(machine: Machine, at: number): MisspeltMarker | 'more' | undefined {
  const { window } = machine;
  const { text, base } = window;
  // A run of angle brackets is read from its first one.
  if (window.codeAt(at) === 0x3c && window.codeAt(at - 1) === 0x3c) return undefined;
  const marker = readMisspeltMarker(text, at - base, machine);
  if (marker === undefined || marker === 'more') return marker;
  return { ...marker, start: marker.start + base, end: marker.end + base };
}

/** A misspelt START in the prose: what follows is its block, if fields do or if it stands alone on its line. */
export function openMisspelt(machine: Machine, marker: MisspeltMarker): void {
  machine.misspelt = { marker, isBlock: undefined, isCall: false, fieldsEnd: undefined };
}

/**
 * A field in the prose at `field` follows no other: the START right before it, however it is written. `isOpen` says that it
 * is the one of `misspelt`, all of which is now known.
 */
export function startBefore(
  machine: Machine,
  field: number,
  floor: number,
): { marker: MisspeltMarker; isOpen: boolean } | undefined {
  const marker = loneMarkerBefore(machine, field, floor);
  if (marker?.kind !== 'start') return undefined;
  const { misspelt } = machine;
  const isOpen = misspelt !== undefined && marker.start < misspelt.marker.end;
  if (isOpen && marker.start <= misspelt.marker.start) misspelt.marker = marker;
  return { marker, isOpen };
}

/** A field in the prose after a misspelt START, right after it or somewhere below it. */
export function noteFieldOfMisspelt(machine: Machine, head: FieldHead): void {
  const { misspelt } = machine;
  if (misspelt === undefined) return;
  misspelt.isBlock ??=
    onlySeparators(machine, misspelt.marker.end, head.start) || standsAlone(machine, misspelt.marker, head.start);
  if (!misspelt.isBlock) return;
  if (head.key === 'tool_name') misspelt.isCall = true;
  misspelt.fieldsEnd = undefined;
}

/** A 「末」 in the prose, in any writing. */
export function closeFieldOfMisspelt({ misspelt }: Machine, end: number): void {
  if (misspelt?.isBlock === true) misspelt.fieldsEnd ??= end;
}

/**
 * The block of a misspelt START ends at `at`: by an END, a good one or another misspelt one, or without any. Reports it, and
 * returns whether it was a block, so that `end` is its END.
 */
export function closeMisspelt(machine: Machine, at: number, end?: MisspeltMarker | TextRange): boolean {
  const { misspelt } = machine;
  if (misspelt === undefined) return false;
  machine.misspelt = undefined;
  const { marker, isCall, fieldsEnd } = misspelt;
  if (!(misspelt.isBlock ?? standsAlone(machine, marker, at))) return false;
  machine.bare = undefined;
  const ownEnd = end ?? (fieldsEnd === undefined ? undefined : (endAfter(machine, fieldsEnd, at) ?? fieldsEnd));
  machine.out.diagnostics.push(misspeltBlockDiagnostic(marker, { end: ownEnd, isCall }));
  return true;
}

/** The END without angle brackets right after the field that ends at `field`; the text is there up to `upTo`. */
export function endAfter(machine: Machine, field: number, upTo: number): MisspeltMarker | undefined {
  const marker = loneMarkerAfter(machine, field, upTo);
  return marker?.kind === 'end' ? marker : undefined;
}

/** Whether nothing else is on the line of a marker with angle brackets; the text is there up to `upTo`. */
function standsAlone(machine: Machine, { start, end, isAngled }: MisspeltMarker, upTo: number): boolean {
  const { window } = machine;
  if (!isAngled) return false;
  const head = skipBackToLineHead(machine, start, 0);
  if (head >= 0 && window.codeAt(head) !== 0x0a) return false;
  let at = end;
  while (at < upTo && isLineSpace(window.codeAt(at))) at++;
  return at >= machine.end || window.codeAt(at) === 0x0a;
}

/** A misspelt marker between fields. One before the first field is ignored. */
export function noteMisspeltWithin({ fields, misspelt }: BlockBuilder, marker: MisspeltMarker): void {
  if (fields.length > 0 && marker.start >= (misspelt.at(-1)?.end ?? 0)) misspelt.push(marker);
}

/** Text after a field of the block, up to the next one or up to the end of a block without END: it may hold a marker. */
export function noteLoneWithin(machine: Machine, block: BlockBuilder, upTo: number): void {
  const field = block.fields.at(-1);
  const marker = field && loneMarkerAfter(machine, field.end, upTo);
  if (marker !== undefined) noteMisspeltWithin(block, marker);
}

/** The block is over. Returns whether its missing END has been reported: its misspelt END or START is why there is none. */
export function reportMisspeltWithin(machine: Machine, block: BlockBuilder, hasEnd: boolean): boolean {
  const { misspelt, fields } = block;
  const [first] = misspelt;
  if (first === undefined) return false;
  const { diagnostics } = machine.out;
  const isBetween = (fields.at(-1)?.start ?? 0) > first.end;
  if (hasEnd && isBetween) diagnostics.push(misspeltWithinDiagnostic(first));
  else if (!hasEnd && first.kind === 'end') diagnostics.push(misspeltEndDiagnostic(first));
  else if (!hasEnd && isBetween) reportMisspeltAfter(machine, block);
  else return false;
  return !hasEnd;
}

/** A block without END ends before the first misspelt START, which begins another one. */
function reportMisspeltAfter({ out }: Machine, block: BlockBuilder): void {
  const { misspelt, fields } = block;
  let at = 0;
  /** The fields up to an offset, from the one after those that were asked for before. */
  const fieldsBefore = (offset: number): VcpField[] => {
    const from = at;
    while (at < fields.length && (fields[at]?.start ?? 0) < offset) at++;
    return fields.slice(from, at);
  };
  out.diagnostics.push(unclosedBlockDiagnostic({ ...block, fields: fieldsBefore(misspelt[0]?.start ?? 0) }));
  for (const [index, marker] of misspelt.entries()) {
    const next = misspelt[index + 1];
    const own = fieldsBefore(next?.start ?? Infinity);
    const last = own.at(-1);
    if (marker.kind === 'end' || last === undefined) continue;
    const isCall = own.some(({ key }) => key === 'tool_name');
    const end = next?.kind === 'end' ? next : last.end;
    out.diagnostics.push(misspeltBlockDiagnostic(marker, { end, isCall }));
  }
}

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
function loneMarkerBefore(machine: Machine, field: number, floor: number): MisspeltMarker | undefined {
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
function loneMarkerAfter(machine: Machine, field: number, end: number): MisspeltMarker | undefined {
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
