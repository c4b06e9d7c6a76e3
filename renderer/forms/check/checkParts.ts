import type { JsonSchema, JsonValue } from '../../../src-core/api/types.ts';
import type { JsonContent } from '../json/jsonNode.ts';
import { typeOfNode } from '../json/nodeFacts.ts';
import { listOf, own } from '../schema/readKeyword.ts';
import { viewSchema } from '../schema/viewSchema.ts';
import { addSeen, tryPart, type CheckRun, type Place } from './checkRun.ts';
import { wrongType } from './checkType.ts';
import type { LocalIssue } from './localIssue.ts';

/** `allOf`, `anyOf`, `oneOf`, `not` and `if`: schemas for the same value. */
export function checkParts(schema: JsonSchema, place: Place, run: CheckRun): void {
  const inner = { ...place, depth: place.depth + 1 };
  for (const part of listOf(schema, 'allOf') ?? []) run.check({ ...inner, schema: part }, run);
  checkAlternatives(listOf(schema, 'anyOf'), false, inner, run);
  checkAlternatives(listOf(schema, 'oneOf'), true, inner, run);
  const not = own(schema, 'not');
  if (not !== undefined && tryPart({ ...inner, schema: not }, run).issues.length === 0) {
    run.issues.push({ path: place.path, code: 'not', params: {} });
  }
  const condition = own(schema, 'if');
  if (condition === undefined) return;
  const { issues, seen } = tryPart({ ...inner, schema: condition }, run);
  if (issues.length === 0) addSeen(place.seen, seen);
  const branch = own(schema, issues.length === 0 ? 'then' : 'else');
  if (branch !== undefined) run.check({ ...inner, schema: branch }, run);
}

function checkAlternatives(parts: JsonValue[] | undefined, one: boolean, place: Place, run: CheckRun): void {
  if (parts === undefined || parts.length === 0) return;
  const tried = parts.map((schema) => ({ schema, ...tryPart({ ...place, schema }, run) }));
  const fitting = tried.filter(({ issues }) => issues.length === 0);
  for (const { seen } of fitting) addSeen(place.seen, seen);
  if (fitting.length === 0) run.issues.push(...nearest(tried, place, run));
  else if (one && fitting.length > 1) {
    run.issues.push({ path: place.path, code: 'tooManyAlternatives', params: { count: fitting.length } });
  }
}

/** What is wrong by the alternative that was most likely meant. */
function nearest(
  tried: readonly { schema: JsonValue; issues: LocalIssue[] }[],
  { node, path }: Place,
  { root }: CheckRun,
): LocalIssue[] {
  const types = new Set(tried.flatMap(({ schema }) => typesOf(schema, root)));
  const ofType = tried.filter(({ schema }) => acceptsType(node, typesOf(schema, root)));
  if (ofType.length === 0) return [wrongType(node, [...types], path)];
  const [best] = ofType.toSorted((a, b) => distance(a.issues, path.length) - distance(b.issues, path.length));
  const own = best?.issues ?? [];
  const unclear =
    ofType.length > 1 && own.every((issue) => issue.path.length === path.length && issue.code !== 'required');
  return own.length === 0 || unclear ? [{ path, code: 'alternatives', params: { count: tried.length } }] : own;
}

/** A value that tells alternatives apart (`kind: "circle"`) says most about which was meant, a missing one least. */
function distance(issues: readonly LocalIssue[], depth: number): number {
  const weights = issues.map(({ path, code }) => {
    if (path.length <= depth + 1 && (code === 'const' || code === 'enum')) return 100;
    return code === 'required' ? 2 : code === 'unknown' ? 10 : 5;
  });
  return weights.reduce((sum, weight) => sum + weight, 0);
}

function typesOf(schema: JsonValue, root: JsonSchema): string[] {
  const view = viewSchema(schema, root);
  return view.nullable ? [...view.types, 'null'] : view.types;
}

function acceptsType(node: JsonContent, types: readonly string[]): boolean {
  const type = typeOfNode(node);
  return types.length === 0 || types.some((one) => one === type || (one === 'number' && type === 'integer'));
}
