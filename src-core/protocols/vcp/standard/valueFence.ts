import type { Machine } from './machine.ts';
import type { ValueFence } from './state.ts';

const brackets = '「」『』{}【】〖〗《》"\'[]<>()';
const leftCorner = 0x300c;
const rightCorner = 0x300d;
/** The longest word that a fence may hold after its sign. */
const longestWord = 12;

/**
 * Reads the fence around the 始 or 末 at `position`: `plain` and `escaped` as they should be, `legacy` with `exp`,
 * `loose` in other brackets or with another word. `more` if its end has not arrived yet, undefined if it is not a
 * fence.
 */
export function readValueFence(machine: Machine, position: number): ValueFence | 'more' | undefined {
  const { window } = machine;
  const start = position - 1;
  const before = window.codeAt(start);
  if (before === leftCorner) {
    if (window.codeAt(position + 1) === rightCorner) return { start, end: position + 2, kind: 'plain' };
    if (window.text.startsWith('ESCAPE」', position + 1 - window.base))
      return { start, end: position + 8, kind: 'escaped' };
  }
  if (!isBracket(before)) return undefined;
  let close = position + 1;
  while (close < window.end && close - position <= longestWord && isLetter(window.codeAt(close))) close++;
  if (close >= window.end) return machine.atEnd ? undefined : 'more';
  if (!isBracket(window.codeAt(close))) return undefined;
  const end = close + 1;
  if (before === leftCorner && window.codeAt(close) === rightCorner) {
    const word = window.slice(position + 1, close).toUpperCase();
    if (word === 'ESCAPE') return { start, end, kind: 'escaped' };
    if (word === 'EXP') return { start, end, kind: 'legacy' };
  }
  return { start, end, kind: 'loose' };
}

function isBracket(code: number): boolean {
  return code === leftCorner || ((code > 0x2fff || code < 0x80) && brackets.includes(String.fromCharCode(code)));
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}
