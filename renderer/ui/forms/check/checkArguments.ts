import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import type { JsonContent, JsonPath } from '../json/jsonNode.ts';
import { checkNode } from './checkNode.ts';
import { emptySeen } from './checkRun.ts';
import type { LocalIssue } from './localIssue.ts';
import { startRun } from './startRun.ts';

const maxFound = 50;

const maxSteps = 200_000;

/**
 * What is wrong with a value, while the user types: draft-07 and 2020-12, numbers as they are written. Untrusted schemas
 * are interpreted, never compiled, and looked at no longer than a bounded number of steps; what that leaves open (and a
 * regular expression that could take long) passes: the engine's validator has the last word at the call.
 */
export function checkArguments(schema: JsonSchema, root: JsonContent): LocalIssue[] {
  const run = startRun(schema, { steps: maxSteps, first: false });
  run.issues.push(...findDuplicates(root));
  checkNode({ node: root, schema, path: [], depth: 0, seen: emptySeen() }, run);
  return run.issues;
}

/** Keys that stand twice in an object, whatever its schema: readers of JSON take one of them and drop the other. */
function findDuplicates(root: JsonContent): LocalIssue[] {
  const found: LocalIssue[] = [];

  function look(node: JsonContent, path: JsonPath): void {
    if (found.length >= maxFound) return;
    if (node.kind === 'array') for (const [at, item] of node.items.entries()) look(item, [...path, at]);
    if (node.kind !== 'object') return;
    const once = new Set<string>();
    for (const { key, value } of node.properties) {
      const at = [...path, key];
      if (once.has(key)) found.push({ path: at, code: 'duplicate', params: { name: key } });
      once.add(key);
      look(value, at);
    }
  }

  look(root, []);
  return found;
}
