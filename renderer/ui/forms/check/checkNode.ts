import { shorten } from '../../format/shorten.ts';
import { isSameJson } from '../json/sameJson.ts';
import { followRef } from '../schema/followRef.ts';
import { asObject, listOf, numberOf, objectOf, own, textOf } from '../schema/readKeyword.ts';
import { leaveOpen, type CheckRun, type Place, emptySeen, tryPart, addSeen } from './checkRun.ts';
import { checkNumber, checkString } from './checkScalar.ts';
import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import { showTypes } from '../../../../src-core/schema/showValue.ts';
import { nodeAt, pathKey, propertyOf, type JsonContent, type JsonPath, type ObjectContent } from '../json/jsonNode.ts';
import { jsonOf, typeOfNode } from '../json/nodeFacts.ts';
import { matchesSafely } from '../schema/matchesSafely.ts';
import { viewSchema } from '../schema/viewSchema.ts';
import type { LocalIssue } from './localIssue.ts';

/** Alternatives that are looked at to the end for what is wrong by them. */
const maxLooked = 10;

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

/** How many items there are, what each must be, and that none stands there twice. */
function checkArray(items: readonly JsonContent[], schema: JsonSchema, place: Place, run: CheckRun): void {
  const { path, depth, seen } = place;
  const least = numberOf(schema, 'minItems');
  const most = numberOf(schema, 'maxItems');
  const count = items.length;
  if (least !== undefined && count < least)
    run.issues.push({ path, code: 'minItems', params: { count, limit: least } });
  if (most !== undefined && count > most) run.issues.push({ path, code: 'maxItems', params: { count, limit: most } });
  if (own(schema, 'uniqueItems') === true) checkUnique(items, place, run);
  checkContains(items, schema, place, run);

  const tuple = listOf(schema, 'prefixItems') ?? listOf(schema, 'items') ?? [];
  const rest = Array.isArray(own(schema, 'items')) ? own(schema, 'additionalItems') : own(schema, 'items');
  for (const [at, node] of items.entries()) {
    const schemaOfItem = tuple[at] ?? rest;
    if (schemaOfItem === undefined) continue;
    run.check({ node, schema: schemaOfItem, path: [...path, at], depth: depth + 1, seen: emptySeen() }, run);
  }
  seen.items = Math.max(seen.items, rest === undefined ? Math.min(tuple.length, count) : count);
  const others = own(schema, 'unevaluatedItems');
  if (others === undefined) return;
  for (let at = seen.items; at < count; at += 1) {
    const node = items[at];
    if (node === undefined || seen.places.has(at)) continue;
    if (seen.unsure) leaveOpen(place, run);
    else run.check({ node, schema: others, path: [...path, at], depth: depth + 1, seen: emptySeen() }, run);
  }
  seen.items = count;
}

function checkUnique(items: readonly JsonContent[], { path }: Place, run: CheckRun): void {
  const first = new Map<string, number>();
  for (const [at, item] of items.entries()) {
    const text = canonical(item);
    const before = first.get(text);
    if (before === undefined) first.set(text, at);
    else run.issues.push({ path: [...path, at], code: 'uniqueItems', params: { place: before + 1 } });
  }
}

/** The same text for the same value: keys in order, numbers by their value. */
function canonical(node: JsonContent): string {
  if (node.kind === 'array') return `[${node.items.map(canonical).join()}]`;
  if (node.kind === 'number') return Number.isSafeInteger(Number(node.raw)) ? String(Number(node.raw)) : node.raw;
  if (node.kind !== 'object') return jsonOf(node);
  const entries = [...new Map(node.properties.map(({ key, value }) => [key, canonical(value)]))];
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${JSON.stringify(key)}:${value}`)
    .join()}}`;
}

function checkContains(items: readonly JsonContent[], schema: JsonSchema, place: Place, run: CheckRun): void {
  const contains = own(schema, 'contains');
  if (contains === undefined) return;
  const { path, depth, seen } = place;
  let [fitting, open] = [0, 0];
  for (const [at, node] of items.entries()) {
    const { fit } = tryPart({ ...place, node, schema: contains, path: [...path, at], depth: depth + 1 }, run);
    if (fit === 'unknown') open += 1;
    if (fit !== 'fits') continue;
    fitting += 1;
    seen.places.add(at);
  }
  if (open > 0) leaveOpen(place, run);
  const least = numberOf(schema, 'minContains') ?? 1;
  const most = numberOf(schema, 'maxContains') ?? Infinity;
  if (fitting + open < least || fitting > most)
    run.issues.push({ path, code: 'contains', params: { count: fitting, limit: fitting > most ? most : least } });
}

/** Which properties there are, and what each must be. */
function checkObject(node: ObjectContent, schema: JsonSchema, place: Place, run: CheckRun): void {
  const { path, depth, seen } = place;
  const names = new Set(node.properties.map(({ key }) => key));
  checkPresence(names, schema, place, run);
  checkNames(names, schema, place, run);

  const properties = objectOf(schema, 'properties') ?? {};
  const patterns = Object.entries(objectOf(schema, 'patternProperties') ?? {});
  const additional = own(schema, 'additionalProperties');
  const unevaluated = own(schema, 'unevaluatedProperties');
  const met = new Set<string>();
  for (const { key } of node.properties) {
    if (met.has(key)) continue;
    met.add(key);
    const value = propertyOf(node, key)?.value ?? node;
    const at = [...path, key];
    const check = (part: JsonValue): void => {
      if (part === false) run.issues.push(unknownName(at, schema, names));
      else run.check({ node: value, schema: part, path: at, depth: depth + 1, seen: emptySeen() }, run);
      seen.names.add(key);
    };
    const named = own(properties, key);
    if (named !== undefined) check(named);
    const matches = patterns.map(([pattern, part]) => ({ part, fits: matchesSafely(pattern, key, run.budget) }));
    for (const { part, fits } of matches) {
      if (fits === true) check(part);
      else if (fits === undefined) leaveOpen(place, run);
    }
    if (named !== undefined || additional === undefined || matches.some(({ fits }) => fits !== false)) continue;
    check(additional);
  }
  if (unevaluated === undefined) return;
  for (const key of met) {
    if (seen.names.has(key)) continue;
    if (seen.unsure) {
      leaveOpen(place, run);
      continue;
    }
    seen.names.add(key);
    const at = [...path, key];
    const value = propertyOf(node, key)?.value ?? node;
    if (unevaluated === false) run.issues.push(unknownName(at, schema, names));
    else run.check({ node: value, schema: unevaluated, path: at, depth: depth + 1, seen: emptySeen() }, run);
  }
}

function unknownName(path: JsonPath, schema: JsonSchema, names: ReadonlySet<string>): LocalIssue {
  const known = Object.keys(objectOf(schema, 'properties') ?? {}).filter((name) => !names.has(name));
  return { path, code: 'unknown', params: { name: String(path.at(-1)) }, known };
}

/** What must be there: by name, by number, and because something else is there. */
function checkPresence(names: ReadonlySet<string>, schema: JsonSchema, place: Place, run: CheckRun): void {
  const { path, depth } = place;
  for (const name of listOf(schema, 'required') ?? []) {
    if (typeof name !== 'string' || names.has(name)) continue;
    const part = own(objectOf(schema, 'properties') ?? {}, name);
    const wanted = part === undefined ? {} : { schema: part };
    run.issues.push({ path: [...path, name], code: 'required', params: { name }, ...wanted });
  }
  const [least, most] = [numberOf(schema, 'minProperties'), numberOf(schema, 'maxProperties')];
  const count = names.size;
  if (least !== undefined && count < least)
    run.issues.push({ path, code: 'minProperties', params: { count, limit: least } });
  if (most !== undefined && count > most)
    run.issues.push({ path, code: 'maxProperties', params: { count, limit: most } });

  const old = Object.entries(objectOf(schema, 'dependencies') ?? {});
  const lists = [...Object.entries(objectOf(schema, 'dependentRequired') ?? {}), ...old];
  for (const [name, needed] of lists) {
    if (!names.has(name) || !Array.isArray(needed)) continue;
    for (const other of needed) {
      if (typeof other !== 'string' || names.has(other)) continue;
      run.issues.push({ path: [...path, other], code: 'dependent', params: { name: other, because: name } });
    }
  }
  for (const [name, part] of [...Object.entries(objectOf(schema, 'dependentSchemas') ?? {}), ...old])
    if (names.has(name) && !Array.isArray(part)) run.check({ ...place, schema: part, depth: depth + 1 }, run);
}

/** Names that are not allowed. */
function checkNames(names: ReadonlySet<string>, schema: JsonSchema, place: Place, run: CheckRun): void {
  const { path, depth } = place;
  const rule = own(schema, 'propertyNames');
  if (rule === undefined) return;
  for (const name of names) {
    const text = { kind: 'string', value: name } as const;
    const { fit } = tryPart({ node: text, schema: rule, path, depth: depth + 1, seen: emptySeen() }, run);
    if (fit === 'unknown') run.open = true;
    if (fit === 'not') run.issues.push({ path: [...path, name], code: 'propertyName', params: { name } });
  }
}

/** `allOf`, `anyOf`, `oneOf`, `not` and `if`: schemas for the same value. */
function checkParts(schema: JsonSchema, place: Place, run: CheckRun): void {
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

/** What is wrong by the alternative that was most likely meant. */
function nearest(parts: readonly JsonValue[], place: Place, run: CheckRun): LocalIssue[] {
  const { node, path } = place;
  const ofType = parts.filter((schema) => acceptsType(node, typesOf(schema, run.root)));
  if (ofType.length === 0) return [wrongType(node, [...new Set(parts.flatMap((one) => typesOf(one, run.root)))], path)];
  const marks = ofType.map((schema) => wrongMarkOf(schema, place, run));
  const [mark] = marks;
  if (mark && marks.length > 1 && marks.every((one) => one && pathKey(one.path) === pathKey(mark.path))) {
    const options = marks.flatMap((one) => one?.choice?.options ?? (JSON.parse(one?.remedy ?? '[]') as JsonValue));
    const value = jsonOf(nodeAt(node, mark.path.slice(path.length)) ?? node);
    return [{ path: mark.path, code: 'enum', params: {}, choice: { value, options } }];
  }
  const marked = ofType.filter((_, at) => marks[at] === undefined);
  const looked = (marked.length === 0 ? ofType : marked).slice(0, maxLooked);
  const tried = looked.map((schema) => tryPart({ ...place, schema }, run, false).issues);
  const [best = []] = tried.toSorted((a, b) => distance(a, path.length) - distance(b, path.length));
  const unclear =
    ofType.length > 1 && best.every((issue) => issue.path.length === path.length && issue.code !== 'required');
  return best.length === 0 || unclear ? [noneFits(parts, place)] : [...best];
}

/** What speaks against the alternative: the value or a property of it, if that is what tells it apart. */
function wrongMarkOf(part: JsonValue, place: Place, run: CheckRun): LocalIssue | undefined {
  const { schema } = viewSchema(part, run.root);
  if (place.node.kind === 'object') return wrongMark(place.node, schema, place, run);
  const wrong = checkType(place.node, schema, place.path);
  return wrong?.code === 'const' || wrong?.code === 'enum' ? wrong : undefined;
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

/** Of alternatives, nearly all are told apart by a property of one value (`kind: "circle"`): it is looked at first. */
function wrongMark(
  node: ObjectContent,
  schema: JsonSchema,
  { path }: Place,
  { root }: CheckRun,
): LocalIssue | undefined {
  for (const [name, property] of Object.entries(objectOf(schema, 'properties') ?? {})) {
    const part = asObject(property);
    if (part === undefined) continue;
    const ref = textOf(part, '$ref');
    const mark = (ref === undefined ? undefined : asObject(followRef(ref, root))) ?? part;
    if (own(mark, 'const') === undefined && own(mark, 'enum') === undefined) continue;
    const value = propertyOf(node, name)?.value;
    const wrong = value && checkType(value, mark, [...path, name]);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Checks `type`, `enum` and `const`. If one of these fails, no further checks are needed. */
function checkType(node: JsonContent, schema: JsonSchema, path: JsonPath): LocalIssue | undefined {
  const type = typeOfNode(node);
  const types = declaredTypes(schema);
  // OpenAPI 3.0's way to accept null beside the type, which generated servers still use.
  const nullable = types.length > 0 && own(schema, 'nullable') === true && type === 'null';
  const options = listOf(schema, 'enum');
  if (options !== undefined && !nullable && !options.some((option) => isSameJson(node, option)))
    return { path, code: 'enum', params: {}, choice: { value: jsonOf(node), options } };
  const only = own(schema, 'const');
  if (only !== undefined && !isSameJson(node, only)) {
    const remedy = JSON.stringify(only);
    return { path, code: 'const', params: { value: shorten(jsonOf(node)), wanted: shorten(remedy) }, remedy };
  }
  const fits =
    nullable || types.length === 0 || types.some((one) => one === type || (one === 'number' && type === 'integer'));
  return fits ? undefined : wrongType(node, types, path);
}

/** The issue of a value of a wrong type, with the converted value as remedy if the conversion is unambiguous. */
function wrongType(node: JsonContent, types: readonly string[], path: JsonPath): LocalIssue {
  const wanted = showTypes(types);
  const remedy = types.length === 1 && typeOfNode(node) !== 'null' ? converted(node, types[0] ?? '') : undefined;
  const params = { value: shorten(jsonOf(node)), wanted };
  return { path, code: 'type', params, ...(remedy === undefined ? {} : { remedy }) };
}

function declaredTypes(schema: JsonSchema): string[] {
  const type: JsonValue | undefined = own(schema, 'type');
  return (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
}

function converted(node: JsonContent, wanted: string): string | undefined {
  if (wanted === 'string' && (node.kind === 'number' || node.kind === 'word')) return JSON.stringify(jsonOf(node));
  if (node.kind !== 'string') return undefined;
  if (wanted === 'boolean' && /^(true|false)$/.test(node.value)) return node.value;
  // Full-width digits are those of a Chinese keyboard.
  const number = node.value.trim().normalize('NFKC');
  if (wanted === 'integer' && /^-?(0|[1-9]\d*)$/.test(number)) return number;
  if (wanted === 'number' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(number)) return number;
  return undefined;
}
