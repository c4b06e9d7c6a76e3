import { en } from './en/index.ts';
import { zh } from './zh/index.ts';

/** A tree of texts, as each language has it. */
interface Texts {
  readonly [name: string]: string | Texts;
}

let others: Map<string, string> | undefined;

/**
 * A text of the window and the same one in the other language: who searches may have another's words in mind. Of a text
 * with something filled in, and of what is none of the window's, itself alone.
 */
export function inBothLanguages(text: string): string {
  others ??= pairs(en, zh, new Map());
  const other = others.get(text);
  return other === undefined ? text : `${text} ${other}`;
}

function pairs(one: Texts, other: Texts, found: Map<string, string>): Map<string, string> {
  for (const [name, text] of Object.entries(one)) {
    const same = other[name];
    if (typeof text === 'string' && typeof same === 'string') {
      found.set(text, add(found.get(text), same));
      found.set(same, add(found.get(same), text));
    } else if (typeof text === 'object' && typeof same === 'object') pairs(text, same, found);
  }
  return found;
}

/** A word may have several in the other language. */
function add(before: string | undefined, text: string): string {
  return before === undefined || before.split(' ').includes(text) ? (before ?? text) : `${before} ${text}`;
}
