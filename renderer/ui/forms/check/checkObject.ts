import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import { propertyOf, type ObjectContent } from '../json/jsonNode.ts';
import { matchesSafely } from '../schema/matchesSafely.ts';
import { listOf, numberOf, objectOf, own } from '../schema/readKeyword.ts';
import { emptySeen, leaveOpen, tryPart, type CheckRun, type Place } from './checkRun.ts';

/** Which properties there are, and what each must be. */
export function checkObject(node: ObjectContent, schema: JsonSchema, place: Place, run: CheckRun): void {
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
      if (part === false) run.issues.push({ path: at, code: 'unknown', params: { name: key } });
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
    if (unevaluated === false) run.issues.push({ path: at, code: 'unknown', params: { name: key } });
    else run.check({ node: value, schema: unevaluated, path: at, depth: depth + 1, seen: emptySeen() }, run);
  }
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
  for (const [name, part] of [...Object.entries(objectOf(schema, 'dependentSchemas') ?? {}), ...old]) {
    if (names.has(name) && !Array.isArray(part)) run.check({ ...place, schema: part, depth: depth + 1 }, run);
  }
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
