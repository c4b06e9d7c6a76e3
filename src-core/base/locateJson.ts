import type { JsonNode } from './jsonNode.ts';
import { scanJson } from './scanJson.ts';

/** A place at which a text is not JSON. */
export interface JsonFault {
  /** A clause: "there is a comma before }". */
  what: string;
  offset: number;
  /** Counts from 1, as does the column. */
  line: number;
  column: number;
}

/** A text that is to be one JSON value, with the places of its parts, or its first fault. A key may occur twice. Never throws. */
export function locateJson(text: string): { root: JsonNode; fault?: undefined } | { fault: JsonFault } {
  const written = text.trimEnd().length;
  if (written === 0) return { fault: faultAt(text, 0, 'the text is empty') };
  const { root, problems, end } = scanJson(text, { start: 0, limit: text.length, strict: true });
  const [first] = problems;
  if (first !== undefined || root === undefined) {
    const { what, start } = first ?? { what: 'it is broken', start: 0 };
    return { fault: faultAt(text, what.startsWith('the text ends') ? written : start, what) };
  }
  const rest = text.slice(end).search(/[^ \n\r\t]/);
  return rest < 0 ? { root } : { fault: faultAt(text, end + rest, 'text follows the JSON') };
}

/** A fault at an offset. */
export function faultAt(text: string, offset: number, what: string): JsonFault {
  const before = text.slice(0, offset);
  return { what, offset, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
