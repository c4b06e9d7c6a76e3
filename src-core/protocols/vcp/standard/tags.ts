import { isSpace } from '../characters.ts';
import type { Machine } from './machine.ts';

/** A reasoning tag: `<think>`, `</thinking>`, `< THOUGHT id="1">` … */
export interface ReasoningTag {
  name: string;
  closing: boolean;
  end: number;
}

const names = ['reasoning', 'thinking', 'thought', 'think'];
/** Blanks allowed after `<` and after `/`. */
const longestBlank = 8;
/** Maximum length of a tag's attributes, in characters. */
const longestAttributes = 256;

/** Reads the reasoning tag at `start`, which holds a `<`. `more` if it is incomplete. */
export function readReasoningTag(machine: Machine, start: number): ReasoningTag | 'more' | undefined {
  const { window } = machine;
  let at = skipBlanks(machine, start + 1);
  const closing = window.codeAt(at) === 0x2f;
  if (closing) at = skipBlanks(machine, at + 1);
  const nameStart = at;
  if (at < window.end && !startsName(window.codeAt(at))) return undefined;
  while (at < window.end && at - nameStart < 10 && isLetter(window.codeAt(at))) at++;
  const written = window.slice(nameStart, at).toLowerCase();
  if (at >= window.end && !machine.atEnd) return names.some((name) => name.startsWith(written)) ? 'more' : undefined;
  if (!names.includes(written)) return undefined;
  for (const limit = at + longestAttributes; at < limit; at++) {
    if (at >= window.end) return machine.atEnd ? undefined : 'more';
    const code = window.codeAt(at);
    if (code === 0x3c) return undefined;
    if (code === 0x3e) {
      const empty = window.codeAt(at - 1) === 0x2f && at > nameStart + written.length;
      return empty ? undefined : { name: written, closing, end: at + 1 };
    }
    if (at === nameStart + written.length && !isSpace(code) && code !== 0x2f) return undefined;
  }
  return undefined;
}

/** Most tags are others: their first letter tells. */
function startsName(code: number): boolean {
  const lower = code | 0x20;
  return lower === 0x74 || lower === 0x72;
}

function skipBlanks(machine: Machine, from: number): number {
  let at = from;
  while (at < machine.end && at - from < longestBlank && isSpace(machine.window.codeAt(at))) at++;
  return at;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
