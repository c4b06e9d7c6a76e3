import { scanJson } from './scanJson.ts';

/** Where a text is not JSON. */
export interface JsonFault {
  /** A clause: "there is a comma before }". */
  what: string;
  offset: number;
  /** Counts from 1, as does the column. */
  line: number;
  column: number;
}

/** The first fault of a text that is to be one JSON value; `undefined` if it is one. A key may occur twice. Never throws. */
export function findJsonFault(text: string): JsonFault | undefined {
  const written = text.trimEnd().length;
  if (written === 0) return faultAt(text, 0, 'the text is empty');
  const { problems, end } = scanJson(text, { start: 0, limit: text.length, strict: true });
  const [first] = problems;
  if (first !== undefined)
    return faultAt(text, first.what.startsWith('the text ends') ? written : first.start, first.what);
  const rest = text.slice(end).search(/[^ \n\r\t]/);
  return rest < 0 ? undefined : faultAt(text, end + rest, 'text follows the JSON');
}

/** A fault at an offset. */
export function faultAt(text: string, offset: number, what: string): JsonFault {
  const before = text.slice(0, offset);
  return { what, offset, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
