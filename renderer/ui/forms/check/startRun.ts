import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import { checkNode } from './checkNode.ts';
import type { CheckRun } from './checkRun.ts';

/** All the regular expressions of one check take some tenths of a second at the very most. */
const maxWays = 5e6;

/** A check that begins; `root` is the document where references are looked up. */
export function startRun(root: JsonSchema, { steps, first }: { steps: number; first: boolean }): CheckRun {
  const known = { first: new Map(), all: new Map() };
  return { root, issues: [], budget: { steps, ways: maxWays }, open: false, first, known, check: checkNode };
}
