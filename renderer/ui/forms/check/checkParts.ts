import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import type { JsonContent } from '../json/jsonNode.ts';
import { typeOfNode } from '../json/nodeFacts.ts';
import { listOf, own } from '../schema/readKeyword.ts';
import { viewSchema } from '../schema/viewSchema.ts';
import { addSeen, leaveOpen, tryPart, type CheckRun, type Place } from './checkRun.ts';
import { wrongType } from './checkType.ts';
import { wrongMark } from './wrongMark.ts';
import type { LocalIssue } from './localIssue.ts';

/** `allOf`, `anyOf`, `oneOf`, `not` and `if`: schemas for the same value. */
export function checkParts(schema: JsonSchema, place: Place, run: CheckRun): void {
  const inner = { ...place, depth: place.depth + 1 };
  for (const part of listOf(schema, 'allOf') ?? []) run.check({ ...inner, schema: part }, run);
  checkAlternatives(listOf(schema, 'anyOf'), false, inner, run);
  checkAlternatives(listOf(schema, 'oneOf'), true, inner, run);
  checkNot(own(schema, 'not'), inner, run);
  checkCondition(schema, inner, run);
}

function checkNot(not: JsonValue | undefined, place: Place, run: CheckRun): void {
  if (not === undefined) return;
  const { fit } = tryPart({ ...place, schema: not }, run);
  if (fit === 'fits') run.issues.push({ path: place.path, code: 'not', params: {} });
  if (fit === 'unknown') run.open = true;
}

function checkCondition(schema: JsonSchema, place: Place, run: CheckRun): void {
  const condition = own(schema, 'if');
  if (condition === undefined) return;
  const tried = tryPart({ ...place, schema: condition }, run);
  addSeen(place.seen, tried);
  if (tried.fit === 'unknown') {
    leaveOpen(place, run);
    return;
  }
  const branch = own(schema, tried.fit === 'fits' ? 'then' : 'else');
  if (branch !== undefined) run.check({ ...place, schema: branch }, run);
}

function checkAlternatives(parts: JsonValue[] | undefined, one: boolean, place: Place, run: CheckRun): void {
  if (parts === undefined || parts.length === 0) return;
  const tried = parts.map((schema) => tryPart({ ...place, schema }, run));
  for (const part of tried) addSeen(place.seen, part);
  const fitting = tried.filter(({ fit }) => fit === 'fits').length;
  const open = tried.some(({ fit }) => fit === 'unknown');
  if (fitting === 0 && !open) {
    for (const issue of run.first ? [noneFits(parts, place)] : nearest(parts, place, run)) run.issues.push(issue);
  } else if (one && fitting > 1) {
    run.issues.push({ path: place.path, code: 'tooManyAlternatives', params: { count: fitting } });
  } else if (open && (one || fitting === 0)) run.open = true;
}

function noneFits(parts: readonly JsonValue[], { path }: Place): LocalIssue {
  return { path, code: 'alternatives', params: { count: parts.length } };
}

/** Alternatives that are looked at to the end for what is wrong by them. */
const maxLooked = 10;

/** What is wrong by the alternative that was most likely meant. */
function nearest(parts: readonly JsonValue[], place: Place, run: CheckRun): LocalIssue[] {
  const { node, path } = place;
  const ofType = parts.filter((schema) => acceptsType(node, typesOf(schema, run.root)));
  if (ofType.length === 0) return [wrongType(node, [...new Set(parts.flatMap((one) => typesOf(one, run.root)))], path)];
  const marked = ofType.filter((schema) => hasItsMark(schema, place, run));
  const looked = (marked.length === 0 ? ofType : marked).slice(0, maxLooked);
  const tried = looked.map((schema) => tryPart({ ...place, schema }, run, false).issues);
  const [best = []] = tried.toSorted((a, b) => distance(a, path.length) - distance(b, path.length));
  const unclear =
    ofType.length > 1 && best.every((issue) => issue.path.length === path.length && issue.code !== 'required');
  return best.length === 0 || unclear ? [noneFits(parts, place)] : [...best];
}

/** Nothing speaks against the alternative that tells it apart. */
function hasItsMark(schema: JsonValue, place: Place, run: CheckRun): boolean {
  const { node } = place;
  return node.kind !== 'object' || wrongMark(node, viewSchema(schema, run.root).schema, place, run) === undefined;
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
