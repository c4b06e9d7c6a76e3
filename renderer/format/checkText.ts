import { parse } from 'lossless-json';

/** How a text to send reads; anything can be sent. */
export type TextVerdict =
  | { kind: 'empty' }
  | { kind: 'json' }
  | { kind: 'untyped' }
  /** A member occurs twice, with different values: receivers differ in which one they take. */
  | { kind: 'repeated'; name: string }
  | { kind: 'none'; reason: string };

/** A longer text is not parsed at every letter. */
const longest = 500_000;

/** Whether a text is a message as devices know it: a JSON object with a `type`. */
export function checkText(text: string): TextVerdict {
  if (text.trim() === '') return { kind: 'empty' };
  if (text.length > longest) return { kind: 'json' };
  try {
    const value = parse(text);
    const typed = typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
    return { kind: typed ? 'json' : 'untyped' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const name = /^Duplicate key '(.*)' encountered at position \d+$/s.exec(reason)?.[1];
    return name === undefined ? { kind: 'none', reason } : { kind: 'repeated', name };
  }
}
