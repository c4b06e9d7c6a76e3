import { validate, type OutputUnit } from '@cfworker/json-schema';
import { describeThrown } from './describeThrown.ts';
import { roundExact } from './exactNumber.ts';
import type { JsonSchema, JsonValue } from './json.ts';
import { fitsPlainly } from './plainSchema.ts';
import type { PreparedSchema } from './prepareSchema.ts';
import { runWithDeadline } from './runWithDeadline.ts';
import { withStandIns } from './standIns.ts';

/** What a check found. `unchecked` says why nothing was found out; then nothing counts as wrong. */
export interface CheckedValue {
  errors: OutputUnit[];
  unchecked?: string;
}

const defaultDeadlineMs = 100;
/** Values with more parts than this are checked under the deadline, whatever the schema. */
const largeValue = 5_000;

/** A value, and the schema it should fit: the whole prepared one unless a part of it is named. */
export interface CheckOptions {
  prepared: PreparedSchema;
  value: JsonValue;
  /** A schema inside `prepared`. */
  part?: JsonSchema | boolean;
  /** How many values there are in `value`, itself included. */
  nodes?: number;
  /** Milliseconds that the check may take where it could take long; 100 unless told. */
  deadlineMs?: number;
}

/**
 * Checks a value against an untrusted schema (JSON Schema 2020-12), exact numbers exactly; then the validator's own words
 * name other numbers (`standIns.ts`). Never throws and always ends: a check that fails as such (references in a circle, a
 * regular expression that takes too long) gives `unchecked`.
 */
export function checkValue({
  prepared,
  value,
  part = prepared.root,
  nodes = 1,
  deadlineMs = defaultDeadlineMs,
}: CheckOptions): CheckedValue {
  const { lookup } = prepared;
  // Prepared with a warning that says so.
  if (lookup === undefined) return { errors: [] };
  const hasExact = prepared.hasExact || roundExact(value) !== value;
  if (!hasExact && typeof part === 'object' && fitsPlainly(value, part)) return { errors: [] };
  let first: OutputUnit[] | undefined;
  const check = (): OutputUnit[] => {
    const pair = { value, part, lookup };
    const given = hasExact ? withStandIns(pair) : pair;
    // As far as the first fault of each part: to look at all of each kind takes as long as kinds to the power of levels.
    const quick = validate(given.value, given.part, '2020-12', given.lookup, true);
    if (quick.valid) return [];
    first = quick.errors;
    return validate(given.value, given.part, '2020-12', given.lookup, false).errors;
  };
  try {
    return { errors: prepared.needsDeadline || nodes > largeValue ? runWithDeadline(check, deadlineMs) : check() };
  } catch (error) {
    // It surely does not fit; only the rest of what is wrong was not found out.
    if (first !== undefined) return { errors: first };
    return { errors: [], unchecked: describeThrown(error) };
  }
}

/** Whether a value fits a part of a schema; undefined where that is not known. */
export type FitCheck = (value: JsonValue, part: JsonSchema | boolean) => boolean | undefined;

/**
 * Makes a check for the many small questions of one call, which together take no longer than `budgetMs` from the first
 * one: once that is used up, or one of them did not end, nothing is known any more.
 */
export function createFitCheck(prepared: PreparedSchema, budgetMs = defaultDeadlineMs): FitCheck {
  let end: number | undefined;
  let spent = false;
  return (value, part) => {
    end ??= performance.now() + budgetMs;
    const left = Math.floor(end - performance.now());
    if (spent || left < 1) return undefined;
    const { errors, unchecked } = checkValue({ prepared, value, part, deadlineMs: left });
    spent = unchecked !== undefined;
    return spent ? undefined : errors.length === 0;
  };
}
