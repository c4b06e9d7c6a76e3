import { writeExact, type ExactJson } from './exactJson.ts';

/** Characters of a value in a message. */
const maxShown = 200;

/** Takes out of a JSON value what nobody is to see. */
export type Hide = <T>(value: T) => T;

/** A value as a message shows it: JSON, or the bare text, shortened. What `hide` takes out is gone before it is cut. */
export function shown(value: ExactJson, hide: Hide): string {
  const hidden = hide(value);
  // Again in the text: it may be a number, or the name of a member.
  const text = hide(typeof hidden === 'string' ? hidden : writeExact(hidden));
  return text.length <= maxShown ? text : `${text.slice(0, maxShown - 1).toWellFormed()}…`;
}
