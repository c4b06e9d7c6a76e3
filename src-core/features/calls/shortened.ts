import type { CallRecord } from '../../contract/types.ts';

/** Characters of an answer that a row of a list may need. */
const shownChars = 400;

/** A call as lists have it: the beginning of its answer, without its blocks and data. A window that lists hundreds would else read megabytes. */
export function shortened({ result, ...call }: CallRecord): CallRecord {
  if (result === undefined) return call;
  const outcome = { ...result, result: result.result.slice(0, shownChars) };
  delete outcome.content;
  delete outcome.structuredContent;
  return { ...call, result: outcome };
}
