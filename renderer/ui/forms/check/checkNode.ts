import { followRef } from '../schema/followRef.ts';
import { asObject, textOf } from '../schema/readKeyword.ts';
import { checkArray } from './checkArray.ts';
import { checkObject } from './checkObject.ts';
import { checkParts } from './checkParts.ts';
import { leaveOpen, type CheckRun, type Place } from './checkRun.ts';
import { checkNumber, checkString } from './checkScalar.ts';
import { checkType } from './checkType.ts';
import { wrongMark } from './wrongMark.ts';

const maxDepth = 100;
const maxIssues = 100;

/** What is wrong with one value under one schema, and all that is inside it. */
export function checkNode(place: Place, run: CheckRun): void {
  const { node, path, depth } = place;
  if (run.issues.length >= (run.first ? 1 : maxIssues)) return;
  run.budget.steps -= 1;
  if (depth > maxDepth || run.budget.steps < 0) {
    leaveOpen(place, run);
    return;
  }
  if (place.schema === false) run.issues.push({ path, code: 'never', params: {} });
  const schema = asObject(place.schema);
  if (schema === undefined) return;
  const wrong =
    checkType(node, schema, path) ??
    (run.first && node.kind === 'object' ? wrongMark(node, schema, place, run) : undefined);
  if (wrong !== undefined) {
    run.issues.push(wrong);
    return;
  }
  const ref = textOf(schema, '$ref');
  if (ref !== undefined) {
    const target = followRef(ref, run.root);
    if (target === undefined) leaveOpen(place, run);
    else checkNode({ ...place, schema: target, depth: depth + 1 }, run);
  }
  if (node.kind === 'number') run.issues.push(...checkNumber(node.raw, schema, path));
  if (node.kind === 'string') run.issues.push(...checkString(node.value, schema, path, run));
  checkParts(schema, place, run);
  if (node.kind === 'array') checkArray(node.items, schema, place, run);
  if (node.kind === 'object') checkObject(node, schema, place, run);
}
