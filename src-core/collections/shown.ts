import { writeExact, type ExactJson } from './exactJson.ts';

/** Characters of a value in a message. */
const maxShown = 200;

/** A value as a message shows it: JSON, or the bare text, shortened. */
export function shown(value: ExactJson): string {
  const text = typeof value === 'string' ? value : writeExact(value);
  return text.length <= maxShown ? text : `${text.slice(0, maxShown - 1).toWellFormed()}…`;
}
