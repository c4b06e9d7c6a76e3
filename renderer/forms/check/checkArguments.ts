import type { JsonSchema } from '../../../src-core/api/types.ts';
import type { JsonContent } from '../json/jsonNode.ts';
import { checkArray } from './checkArray.ts';
import { checkObject } from './checkObject.ts';
import { emptySeen, type CheckRun, type Place } from './checkRun.ts';
import { checkNumber, checkString } from './checkScalar.ts';
import { checkType } from './checkType.ts';
import { checkParts } from './checkParts.ts';
import type { LocalIssue } from './localIssue.ts';
import { asObject } from '../schema/readKeyword.ts';
import { followRef } from '../schema/followRef.ts';
import { textOf } from '../schema/readKeyword.ts';

const maxDepth = 100;
const maxIssues = 100;
const maxSteps = 200_000;
const maxStepsOfVariant = 20_000;

/**
 * What is wrong with a value, while a person types: draft-07 and 2020-12, numbers as they are written. Untrusted schemas
 * are interpreted, never compiled, and looked at no longer than a bounded number of steps; what that leaves open (and a
 * regular expression that could take long) passes: the engine's validator has the last word at the call.
 */
export function checkArguments(schema: JsonSchema, root: JsonContent): LocalIssue[] {
  const run: CheckRun = { root: schema, issues: [], budget: { steps: maxSteps }, check };
  check({ node: root, schema, path: [], depth: 0, seen: emptySeen() }, run);
  return run.issues;
}

/** Whether a value fits a schema inside the document `root`: for choosing among variants. */
export function fitsSchema(node: JsonContent, schema: JsonSchema, root: JsonSchema): boolean {
  const run: CheckRun = { root, issues: [], budget: { steps: maxStepsOfVariant }, check };
  check({ node, schema, path: [], depth: 0, seen: emptySeen() }, run);
  return run.issues.length === 0;
}

function check(place: Place, run: CheckRun): void {
  const { node, path, depth } = place;
  run.budget.steps -= 1;
  if (depth > maxDepth || run.issues.length >= maxIssues || run.budget.steps < 0) return;
  if (place.schema === false) run.issues.push({ path, code: 'never', params: {} });
  const schema = asObject(place.schema);
  if (schema === undefined) return;
  const ref = textOf(schema, '$ref');
  if (ref !== undefined) {
    const target = followRef(ref, run.root);
    if (target !== undefined) check({ ...place, schema: target, depth: depth + 1 }, run);
  }
  const wrong = checkType(node, schema, path);
  if (wrong !== undefined) {
    run.issues.push(wrong);
    return;
  }
  if (node.kind === 'number') run.issues.push(...checkNumber(node.raw, schema, path));
  if (node.kind === 'string') run.issues.push(...checkString(node.value, schema, path));
  checkParts(schema, place, run);
  if (node.kind === 'array') checkArray(node.items, schema, place, run);
  if (node.kind === 'object') checkObject(node, schema, place, run);
}
