import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import type { JsonContent } from '../json/jsonNode.ts';
import { jsonOf } from '../json/nodeFacts.ts';
import { listOf, numberOf, own } from '../schema/readKeyword.ts';
import { emptySeen, leaveOpen, tryPart, type CheckRun, type Place } from './checkRun.ts';

/** How many items there are, what each must be, and that none stands there twice. */
export function checkArray(items: readonly JsonContent[], schema: JsonSchema, place: Place, run: CheckRun): void {
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
  if (fitting + open < least || fitting > most) {
    run.issues.push({ path, code: 'contains', params: { count: fitting, limit: fitting > most ? most : least } });
  }
}
