import type { ValueKind } from './state.ts';
import type { Machine } from './machine.ts';

/** An opening fence, good or look-alike. */
export interface Opener {
  start: number;
  end: number;
  kind: ValueKind;
}

const openBrackets = '「『{【〖"\'“｢[';
const closeBrackets = '」』}】〗"\'”｣]';
/** The longest word that a fence may hold after 始. */
const longestWord = 12;

/** Reads the opening fence around the 始 at `position`. `more` where its end is not there yet. */
export function readOpener(machine: Machine, position: number): Opener | 'more' | undefined {
  const { window } = machine;
  const before = window.text[position - 1 - window.base] ?? '';
  if (before === '' || !openBrackets.includes(before)) return undefined;
  let wordEnd = position + 1;
  while (wordEnd < window.end && wordEnd - position <= longestWord && isLetter(window.codeAt(wordEnd))) wordEnd++;
  machine.counter.steps += wordEnd - position + 1;
  if (wordEnd >= window.end) return machine.atEnd ? undefined : 'more';
  const close = window.text[wordEnd - window.base] ?? '';
  const word = window.slice(position + 1, wordEnd).toUpperCase();
  const exact = before === '「' && close === '」';
  const start = position - 1;
  const end = wordEnd + 1;
  if (exact && word === '') return { start, end, kind: 'plain' };
  if (exact && word === 'ESCAPE') return { start, end, kind: 'escaped' };
  if (exact && word === 'EXP') return { start, end, kind: 'legacy' };
  // 「始「 is the commonest slip of a model: the closing bracket written as an opening one.
  if (!closeBrackets.includes(close) && !openBrackets.includes(close)) return undefined;
  return { start, end, kind: 'loose' };
}

/** Reads the closing fence around the 末 at `position`: its range and what it closes. */
export function readCloser(machine: Machine, position: number): Opener | 'more' | undefined {
  const { window } = machine;
  const before = window.text[position - 1 - window.base] ?? '';
  if (before === '' || !openBrackets.includes(before)) return undefined;
  let wordEnd = position + 1;
  while (wordEnd < window.end && wordEnd - position <= longestWord && isLetter(window.codeAt(wordEnd))) wordEnd++;
  machine.counter.steps += wordEnd - position + 1;
  if (wordEnd >= window.end) return machine.atEnd ? undefined : 'more';
  const close = window.text[wordEnd - window.base] ?? '';
  if (!closeBrackets.includes(close)) return undefined;
  const word = window.slice(position + 1, wordEnd).toUpperCase();
  const range = { start: position - 1, end: wordEnd + 1 };
  if (before === '「' && close === '」') {
    if (word === '') return { ...range, kind: 'plain' };
    if (word === 'ESCAPE') return { ...range, kind: 'escaped' };
    if (word === 'EXP') return { ...range, kind: 'legacy' };
  }
  return { ...range, kind: 'loose' };
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}
