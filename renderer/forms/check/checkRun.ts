import type { JsonSchema, JsonValue } from '../../../src-core/api/types.ts';
import type { JsonContent, JsonPath } from '../json/jsonNode.ts';
import type { LocalIssue } from './localIssue.ts';

/** What a schema has looked at in one object or array, for `unevaluatedProperties` and `unevaluatedItems`. */
export interface Seen {
  names: Set<string>;
  /** Items from the first one on. */
  items: number;
}

/** One value under one schema. */
export interface Place {
  node: JsonContent;
  schema: JsonValue | undefined;
  path: JsonPath;
  depth: number;
  seen: Seen;
}

/** A check under way. */
export interface CheckRun {
  root: JsonSchema;
  issues: LocalIssue[];
  /** Shared by all parts of one check: schemas in schemas could be looked at for ever. */
  budget: { steps: number };
  check: (place: Place, run: CheckRun) => void;
}

export function emptySeen(): Seen {
  return { names: new Set(), items: 0 };
}

/** Checks a part on its own: its issues, and what it looked at. */
export function tryPart(place: Place, run: CheckRun): { issues: LocalIssue[]; seen: Seen } {
  const issues: LocalIssue[] = [];
  const seen = emptySeen();
  run.check({ ...place, seen }, { ...run, issues });
  return { issues, seen };
}

/** Takes over what a part that holds has looked at. */
export function addSeen(to: Seen, from: Seen): void {
  for (const name of from.names) to.names.add(name);
  to.items = Math.max(to.items, from.items);
}

/** A value in a message. */
export function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
