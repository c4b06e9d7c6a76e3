import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import type { JsonContent, JsonPath } from '../json/jsonNode.ts';
import type { PatternBudget } from '../schema/matchesSafely.ts';
import { asObject } from '../schema/readKeyword.ts';
import type { LocalIssue } from './localIssue.ts';

/**
 * Whether a value fits a schema. `unknown` where the check ends before it is found out: a regular expression that could
 * take long, a reference to elsewhere, too many steps. Nothing counts as wrong by what is unknown, also under `not`.
 */
export type Fit = 'fits' | 'not' | 'unknown';

/** What a schema has looked at in one object or array, for `unevaluatedProperties` and `unevaluatedItems`. */
export interface Seen {
  names: Set<string>;
  /** Items from the first one on. */
  items: number;
  /** Further items, by index: those that `contains` speaks of. */
  places: Set<number>;
  /** It may have looked at more than that. */
  unsure: boolean;
}

/** One value under one schema. */
export interface Place {
  node: JsonContent;
  schema: JsonValue | undefined;
  path: JsonPath;
  depth: number;
  seen: Seen;
}

/** What was found out of a value under one schema. */
export interface Tried {
  fit: Fit;
  /** All of them, or the first, as was asked for. */
  issues: readonly LocalIssue[];
  seen: Seen;
}

/** What a check may still spend, and whether it has left anything open. Schemas in schemas could be looked at for ever. */
export interface Doubt {
  budget: PatternBudget & { steps: number };
  open: boolean;
}

type Known = Map<JsonContent, Map<JsonSchema, Tried>>;

/** A check under way. */
export interface CheckRun extends Doubt {
  root: JsonSchema;
  issues: LocalIssue[];
  /** Only whether it fits is asked: the first issue ends it. */
  first: boolean;
  /** Values under schemas that were tried before: alternatives within alternatives would be tried times and times. */
  known: { first: Known; all: Known };
  check: (place: Place, run: CheckRun) => void;
}

export function emptySeen(): Seen {
  return { names: new Set(), items: 0, places: new Set(), unsure: false };
}

/** Tries a part on its own, once a value and schema: as far as its first issue, or to the end. */
export function tryPart(place: Place, run: CheckRun, first = true): Tried {
  const { node, path } = place;
  if (place.schema === false) return { fit: 'not', issues: [{ path, code: 'never', params: {} }], seen: emptySeen() };
  const schema = asObject(place.schema);
  if (schema === undefined) return { fit: 'fits', issues: [], seen: emptySeen() };
  const known = first ? run.known.first : run.known.all;
  let ofNode = known.get(node);
  if (ofNode === undefined) known.set(node, (ofNode = new Map()));
  const before = ofNode.get(schema);
  if (before !== undefined) return before;
  // Until it is found out: a schema that asks for itself, of the same value, says nothing.
  ofNode.set(schema, { fit: 'unknown', issues: [], seen: emptySeen() });
  const inner: CheckRun = { ...run, issues: [], open: false, first };
  const seen = emptySeen();
  run.check({ ...place, seen }, inner);
  const fit = inner.issues.length > 0 ? 'not' : inner.open ? 'unknown' : 'fits';
  const tried: Tried = { fit, issues: inner.issues, seen };
  ofNode.set(schema, tried);
  return tried;
}

/** Takes over what a part that holds, or may hold, has looked at. */
export function addSeen(to: Seen, { fit, seen }: Tried): void {
  if (fit === 'unknown') to.unsure = true;
  if (fit !== 'fits') return;
  for (const name of seen.names) to.names.add(name);
  for (const at of seen.places) to.places.add(at);
  to.items = Math.max(to.items, seen.items);
  to.unsure ||= seen.unsure;
}

/** What a schema says of this value is not found out. */
export function leaveOpen({ seen }: Place, run: CheckRun): void {
  run.open = true;
  seen.unsure = true;
}
