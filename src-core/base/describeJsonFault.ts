import { parse } from 'lossless-json';

import { describeThrown } from './describeThrown.ts';
import { faultAt, locateJson } from './locateJson.ts';

/**
 * The position and cause of a JSON syntax error, as a clause: "line 3, column 5: a comma is missing"; lines and
 * columns count from 1. If the text is valid, so that `error` has another cause, the message of `error`. Never throws.
 */
export function describeJsonFault(text: string, error: unknown): string {
  const repeated = /^Duplicate key .* at position (\d+)$/s.exec(faultOf(text) ?? '')?.[1];
  const fault =
    locateJson(text).fault ??
    (repeated === undefined ? undefined : faultAt(text, Number(repeated), 'a key occurs twice, with different values'));
  return fault === undefined ? describeThrown(error) : `line ${fault.line}, column ${fault.column}: ${fault.what}`;
}

/** The number of the first character at which a text is not JSON, counted from 1; `undefined` if it is not known. Never throws. */
export function jsonFaultAt(text: string): number | undefined {
  const at = / at position (\d+)$/.exec(faultOf(text) ?? '')?.[1];
  return at === undefined ? undefined : Number(at) + 1;
}

/** Whether a text is the beginning of an incomplete JSON text. Never throws. */
export function isCutJson(text: string): boolean {
  return faultOf(text)?.includes('but reached end of input') === true;
}

function faultOf(text: string): string | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    return error instanceof SyntaxError ? error.message : undefined;
  }
}
