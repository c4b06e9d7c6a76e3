import { isSpace } from '../characters.ts';
import { Finder, nowhere } from '../finder.ts';
import type { TextRange } from '../types.ts';

/** Reasoning that VCPToolBox takes out before it looks for calls, anywhere in the text. */
export interface StrippedReasoning {
  removed: TextRange[];
  /** The last one has no closing tag and reaches to the end of the text. */
  unclosed: boolean;
}

/** Finds `<think>` and `<thinking>` with what they enclose, tags counted as nested; one never closed takes all the rest. */
export function findReasoning(text: string): StrippedReasoning {
  const window = { text, base: 0, end: text.length };
  const open = new Finder('<');
  const close = new Finder('>');
  const removed: TextRange[] = [];
  let depth = 0;
  let start = 0;
  for (let at = open.find(window, 0); at !== nowhere; at = open.find(window, at + 1)) {
    const closing = reasoningTag(text, at);
    if (closing === undefined) continue;
    const end = close.find(window, at);
    if (end === nowhere) break;
    if (!closing) {
      if (depth === 0) start = at;
      depth++;
    } else if (depth > 0 && --depth === 0) removed.push({ start, end: end + 1 });
  }
  if (depth > 0) removed.push({ start, end: text.length });
  return { removed, unclosed: depth > 0 };
}

/** Whether a reasoning tag begins at a `<`, and if it closes. */
function reasoningTag(text: string, at: number): boolean | undefined {
  let i = skip(text, at + 1);
  const closing = text[i] === '/';
  if (closing) i = skip(text, i + 1);
  const word = text.slice(i, i + 8).toLowerCase();
  const length = word === 'thinking' ? 8 : word.startsWith('think') ? 5 : 0;
  if (length === 0 || isWord(text.charCodeAt(i + length))) return undefined;
  return closing;
}

/** Blanks after `<` are few in any real tag; a bound keeps the scan linear. */
function skip(text: string, from: number): number {
  let i = from;
  while (i - from < 64 && isSpace(text.charCodeAt(i))) i++;
  return i;
}

function isWord(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f
  );
}
