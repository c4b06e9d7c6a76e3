import type { JsonSchema, JsonValue } from '../../../../src-core/contract/types.ts';
import type { JsonContent, JsonPath } from '../json/jsonNode.ts';
import type { PatternBudget } from '../schema/matchesSafely.ts';
import { asObject } from '../schema/readKeyword.ts';
import type { LocalIssue } from './localIssue.ts';

/**
 * Whether a value fits a schema. `unknown` if the check stops early: at a regular expression that could take long, at
 * an external reference, or after too many steps. Unknown parts never make a value invalid, not even under `not`.
 */
export type Fit = 'fits' | 'not' | 'unknown';

/** What a schema has evaluated in one object or array, for `unevaluatedProperties` and `unevaluatedItems`. */
export interface Seen {
  names: Set<string>;
  /** Number of items from the first one on. */
  items: number;
  /** Further items, by index: those matched by `contains`. */
  places: Set<number>;
  /** More may have been evaluated. */
  unsure: boolean;
}

/** A value with the schema it is checked against. */
export interface Place {
  node: JsonContent;
  schema: JsonValue | undefined;
  path: JsonPath;
  depth: number;
  seen: Seen;
}

/** The result of checking a value against a schema. */
export interface Tried {
  fit: Fit;
  /** All issues, or only the first one, as requested. */
  issues: readonly LocalIssue[];
  seen: Seen;
}

/** The remaining budget of a check, and whether it left anything undecided. Nested schemas could be checked endlessly. */
export interface Doubt {
  budget: PatternBudget & { steps: number };
  open: boolean;
}

type Known = Map<JsonContent, Map<JsonSchema, Tried>>;

/** A running check. */
export interface CheckRun extends Doubt {
  root: JsonSchema;
  issues: LocalIssue[];
  /** If true, the check stops at the first issue. */
  first: boolean;
  /** Cached results by value and schema: nested alternatives would otherwise be checked repeatedly. */
  known: { first: Known; all: Known };
  check: (place: Place, run: CheckRun) => void;
}

export function emptySeen(): Seen {
  return { names: new Set(), items: 0, places: new Set(), unsure: false };
}

/** Checks a part separately, up to its first issue or to the end. Results are cached by value and schema. */
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
  // Preliminary result: a schema that refers to itself for the same value decides nothing.
  ofNode.set(schema, { fit: 'unknown', issues: [], seen: emptySeen() });
  const inner: CheckRun = { ...run, issues: [], open: false, first };
  const seen = emptySeen();
  run.check({ ...place, seen }, inner);
  const fit = inner.issues.length > 0 ? 'not' : inner.open ? 'unknown' : 'fits';
  const tried: Tried = { fit, issues: inner.issues, seen };
  ofNode.set(schema, tried);
  return tried;
}

/** Merges what a part has evaluated, if the part fits or may fit. */
export function addSeen(to: Seen, { fit, seen }: Tried): void {
  if (fit === 'unknown') to.unsure = true;
  if (fit !== 'fits') return;
  for (const name of seen.names) to.names.add(name);
  for (const at of seen.places) to.places.add(at);
  to.items = Math.max(to.items, seen.items);
  to.unsure ||= seen.unsure;
}

/** Marks the result of a schema for this value as unknown. */
export function leaveOpen({ seen }: Place, run: CheckRun): void {
  run.open = true;
  seen.unsure = true;
}
