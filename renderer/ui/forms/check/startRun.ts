import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import { checkNode } from './checkNode.ts';
import type { CheckRun } from './checkRun.ts';

/** Limits all regular expressions of one check to some tenths of a second. */
const maxWays = 5e6;

/** Starts a check; references are looked up in the document `root`. */
export function startRun(root: JsonSchema, { steps, first }: { steps: number; first: boolean }): CheckRun {
  const known = { first: new Map(), all: new Map() };
  return { root, issues: [], budget: { steps, ways: maxWays }, open: false, first, known, check: checkNode };
}
