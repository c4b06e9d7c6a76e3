import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import type { JsonContent } from '../json/jsonNode.ts';
import { checkNode } from './checkNode.ts';
import { emptySeen } from './checkRun.ts';
import { findDuplicates } from './findDuplicates.ts';
import type { LocalIssue } from './localIssue.ts';
import { startRun } from './startRun.ts';

const maxSteps = 200_000;

/**
 * What is wrong with a value, while a person types: draft-07 and 2020-12, numbers as they are written. Untrusted schemas
 * are interpreted, never compiled, and looked at no longer than a bounded number of steps; what that leaves open (and a
 * regular expression that could take long) passes: the engine's validator has the last word at the call.
 */
export function checkArguments(schema: JsonSchema, root: JsonContent): LocalIssue[] {
  const run = startRun(schema, { steps: maxSteps, first: false });
  run.issues.push(...findDuplicates(root));
  checkNode({ node: root, schema, path: [], depth: 0, seen: emptySeen() }, run);
  return run.issues;
}
