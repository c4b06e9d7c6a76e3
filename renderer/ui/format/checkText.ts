import { parse } from 'lossless-json';

/** How a text to send reads; anything can be sent. */
export type TextVerdict =
  | { kind: 'empty' }
  | { kind: 'json' }
  | { kind: 'untyped' }
  /** Members that occur twice, with different values: receivers differ in which one they take. At most ten. */
  | { kind: 'repeated'; names: string[] }
  | { kind: 'none' };

/** A longer text is not parsed at every letter. */
const longest = 500_000;
/** Names of repeated members that are listed. */
const maxNames = 10;

/** Whether a text is a message as devices know it: a JSON object with a `type`. */
export function checkText(text: string): TextVerdict {
  if (text.trim() === '') return { kind: 'empty' };
  if (text.length > longest) return { kind: 'json' };
  try {
    const names = new Set<string>();
    const value = parse(text, null, {
      onDuplicateKey({ key }) {
        if (names.size < maxNames) names.add(key);
      },
    });
    if (names.size > 0) return { kind: 'repeated', names: [...names] };
    const typed = typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
    return { kind: typed ? 'json' : 'untyped' };
  } catch {
    return { kind: 'none' };
  }
}
