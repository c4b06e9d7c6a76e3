import { isInvisible, isKeyCharacter, isLineSpace, isSpace } from '../characters.ts';
import type { Machine } from './machine.ts';
import type { FieldHead } from './state.ts';
import type { TextWindow } from './textWindow.ts';

const colon = 0x3a;
const wideColon = 0xff1a;
const backslash = 0x5c;
const letterN = 0x6e;
const dot = 0x2e;
/** How far back a malformed key is looked for. */
const longestMalformedKey = 64;

/**
 * Looks back from an opening fence at `fence` for `key ws* ":" ws*`, not past `floor`. Undefined if there is no colon:
 * the fence is only mentioned. Each character is read back once, as no head reaches past an earlier fence.
 */
export function readFieldHead(machine: Machine, fence: number, floor: number): FieldHead | undefined {
  const { window } = machine;
  let at = fence - 1;
  while (at >= floor && isSpace(window.codeAt(at))) at--;
  const sign = at >= floor ? window.codeAt(at) : NaN;
  if (sign !== colon && sign !== wideColon) return undefined;
  const colonAt = at;
  at--;
  while (at >= floor && isSpace(window.codeAt(at))) at--;
  const keyEnd = at + 1;
  while (at >= floor && isKeyCharacter(window.codeAt(at))) at--;
  let keyStart = at + 1;
  const before = at >= floor ? window.codeAt(at) : NaN;
  // The two characters `\n` mean a line break: the n is not part of the key.
  if (before === backslash && window.codeAt(keyStart) === letterN && keyStart < keyEnd) keyStart++;
  const head: FieldHead = {
    start: keyStart,
    key: readKey(window, keyStart, keyEnd),
    keyRange: { start: keyStart, end: keyEnd },
    problem: undefined,
    doubt: false,
    edits: undefined,
  };
  if (sign === wideColon) {
    head.problem = 'its colon is the full-width “：”';
    head.edits = [{ start: colonAt, end: colonAt + 1, newText: ':' }];
  }
  if (keyStart === keyEnd || isInvisible(before)) readMalformedKey(machine, head, floor);
  else if (before === dot) {
    readMalformedKey(machine, head, floor);
    head.doubt = sign === colon;
  }
  return head;
}

/** The two keys of every block are not cut out again each time. */
function readKey(window: TextWindow, start: number, end: number): string {
  const { text, base } = window;
  if (end - start === 9 && text.startsWith('tool_name', start - base)) return 'tool_name';
  if (end - start === 7 && text.startsWith('command', start - base)) return 'command';
  return window.slice(start, end);
}

/** The offset of the line break before `position`, if only blanks, quote signs and bullets are between; not before `floor`. */
export function lineHead(machine: Machine, position: number, floor: number): number | undefined {
  const at = skipBackToLineHead(machine, position, floor);
  return at >= floor && machine.window.codeAt(at) === 0x0a ? at : undefined;
}

/** The offset before the blanks, quote signs and bullets that end at `position`; `floor - 1` if they reach back to it. */
export function skipBackToLineHead(machine: Machine, position: number, floor: number): number {
  const { window } = machine;
  let at = position - 1;
  while (at >= floor && (isLineSpace(window.codeAt(at)) || isBullet(window.codeAt(at)))) at--;
  return at;
}

/** `>`, `-`, `*`, `+`, `•`, `·` */
function isBullet(code: number): boolean {
  return code === 0x3e || code === 0x2d || code === 0x2a || code === 0x2b || code === 0x2022 || code === 0xb7;
}

/** The key is decorated, not ASCII, or cut by an invisible character: finds all of it, and what it should be. */
function readMalformedKey(machine: Machine, head: FieldHead, floor: number): void {
  const { window } = machine;
  const keyEnd = head.keyRange.end;
  const limit = Math.max(floor, keyEnd - longestMalformedKey);
  let start = keyEnd;
  while (start > limit && !endsMalformedKey(window.codeAt(start - 1))) start--;
  const written = window.slice(start, keyEnd);
  const clean = cleanKey(written);
  head.start = head.keyRange.start = start;
  if (written === '') {
    head.problem ??= 'it has no key before the colon';
    return;
  }
  if (head.key !== '' && window.codeAt(keyEnd - head.key.length - 1) === dot) {
    head.problem ??= `a key cannot contain dots, so it reads as “${head.key}”`;
    head.keyRange.start = keyEnd - head.key.length;
  } else head.problem = notAKey(written);
  // What the key should be cannot be told: nothing is written in its place.
  if (clean === '') head.isUnmendable = true;
  else (head.edits ??= []).push({ start, end: keyEnd, newText: clean });
}

/** An invisible character is named by its code, as the text looks right. */
function notAKey(written: string): string {
  for (let at = 0; at < written.length; at++) {
    const code = written.charCodeAt(at);
    if (!isInvisible(code)) continue;
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    return `“${written}” is not a key: it contains the invisible character ${name}`;
  }
  return `“${written}” is not a key: keys contain only the letters A–Z, digits, “_” and “-”`;
}

/** What a malformed key was meant to be, as far as its characters tell; empty if it holds a dot, which no key can. */
function cleanKey(written: string): string {
  let clean = '';
  for (const character of written.normalize('NFKC')) {
    const code = character.charCodeAt(0);
    if (character.length === 1 && isKeyCharacter(code)) clean += character;
    else if (code === dot) return '';
  }
  return clean;
}

function endsMalformedKey(code: number): boolean {
  if (isInvisible(code)) return false;
  // blanks, commas, semicolons, closing corner, angle bracket of a marker
  return (
    isSpace(code) ||
    code === 0x2c ||
    code === 0xff0c ||
    code === 0x3b ||
    code === 0xff1b ||
    code === 0x300d ||
    code === 0x3e
  );
}
