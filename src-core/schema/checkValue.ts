import { validate, type OutputUnit } from '@cfworker/json-schema';
import { describeThrown } from '../base/describeThrown.ts';
import { roundExact } from '../base/exactNumber.ts';
import type { JsonSchema, JsonValue } from '../base/json.ts';
import { fitsPlainly } from './plainSchema.ts';
import type { PreparedSchema } from './prepareSchema.ts';
import { withStandIns } from './standIns.ts';
import type { WorkBudget } from '../base/workBudget.ts';

/** What a check found. If `unchecked` is set, the check did not end; it says why, as a clause, and `errors` is empty. */
export interface CheckedValue {
  errors: OutputUnit[];
  unchecked?: string;
}

/** Milliseconds for finding all that is wrong, once it is known that something is. */
const detailsMs = 8;

/** A value, and the schema it should fit: the whole prepared one unless a part of it is named. */
export interface CheckOptions {
  prepared: PreparedSchema;
  value: JsonValue;
  /** A schema inside `prepared`. */
  part?: JsonSchema | boolean;
  /** What the check may cost: `prepared.budgetFor(value)`, or what is left of it. */
  budget: WorkBudget;
}

/**
 * Checks a value against an untrusted schema (JSON Schema 2020-12). Exact numbers are compared exactly; then the
 * validator's own messages name other numbers (`standIns.ts`). Never throws. A check that fails (references in a circle)
 * or takes too long returns `unchecked`.
 */
export function checkValue(options: CheckOptions): CheckedValue {
  const { budget, prepared } = options;
  if (prepared.problem !== undefined) return { errors: [], unchecked: prepared.problem };
  let first: OutputUnit[] | undefined;
  try {
    // Up to the first error of each part: finding all of them takes branches to the power of levels.
    first = budget.run(() => validateWith(options, 'first'));
    return { errors: first.length === 0 ? first : budget.run(() => validateWith(options, 'all'), detailsMs) };
  } catch (error) {
    // Something is wrong; only the rest of it was not found out.
    if (first !== undefined) return { errors: first };
    return { errors: [], unchecked: describeThrown(error) };
  }
}

function validateWith(
  { prepared, value, part = prepared.root }: Omit<CheckOptions, 'budget'>,
  errors: 'first' | 'all',
): OutputUnit[] {
  const { lookup } = prepared;
  // Prepared with a warning that says so.
  if (lookup === undefined) return [];
  const hasExact = prepared.hasExact || roundExact(value) !== value;
  if (!hasExact && typeof part === 'object' && fitsPlainly(value, part)) return [];
  const pair = { value, part, lookup };
  const given = hasExact ? withStandIns(pair) : pair;
  return validate(given.value, given.part, '2020-12', given.lookup, errors === 'first').errors;
}

/** Whether a value fits a part of a schema; undefined if that is not known. */
export type FitCheck = (value: JsonValue, part: JsonSchema | boolean) => boolean | undefined;

/** Makes a check for the many small questions of one call, which share the call's budget. */
export function createFitCheck(prepared: PreparedSchema, budget: WorkBudget): FitCheck {
  return (value, part) => {
    try {
      return budget.run(() => validateWith({ prepared, value, part }, 'first').length === 0);
    } catch {
      return undefined;
    }
  };
}
