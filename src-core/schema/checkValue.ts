import { validate, type OutputUnit } from '@cfworker/json-schema';

import { describeThrown } from '../base/describeThrown.ts';
import { roundExact, isExactNumber } from '../base/exactNumber.ts';
import type { JsonSchema, JsonValue } from '../base/json.ts';
import { fitsPlainly } from './plainSchema.ts';
import type { PreparedSchema, SchemaLookup } from './prepareSchema.ts';
import type { WorkBudget } from '../base/workBudget.ts';
import { compareDecimals, isMultiple, isWhole, readDecimal, type Decimal } from '../base/decimal.ts';
import { createJsonObject, isJsonObject } from '../base/json.ts';

const limits: ReadonlySet<string> = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']);

const choices: ReadonlySet<string> = new Set(['enum', 'const']);

/** Keywords whose members have arbitrary names: `minimum` may be one. */
const maps: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'],
]);

/** One for each different `multipleOf`. If a schema has more, its numbers are compared as the nearest doubles. */
const primes = [3, 5, 7, 11, 13, 17, 19, 23];

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

/** What the validator is given. */
interface CheckedPair {
  value: JsonValue;
  part: JsonSchema | boolean;
  lookup: SchemaLookup;
}

/** Replaces a number; `step` if it is a `multipleOf`. */
type Replace = (number: JsonValue, step?: 'step') => JsonValue;

/**
 * A value and a prepared schema with other numbers in place of theirs, for a validator that knows doubles alone. All that
 * it asks of numbers is which is larger, whether they are the same, whole, or a multiple of another: of these it is told
 * the truth, by doubles in the same order, whole for whole, divisible for divisible.
 */
function withStandIns({ value, part, lookup }: CheckedPair): CheckedPair {
  const numbers = new Map<string, Decimal>();
  const steps = new Map<string, Decimal>();
  replaceAll({ value, part, lookup }, (number, step) => {
    const text = JSON.stringify(number);
    (step === undefined ? numbers : steps).set(text, readDecimal(text));
    return number;
  });
  if (steps.size > primes.length)
    return replaceAll({ value, part, lookup }, (number) => Number(JSON.stringify(number)));
  const stands = standIns(numbers, steps);
  const stepNames = [...steps.keys()];
  return replaceAll({ value, part, lookup }, (number, step) => {
    const text = JSON.stringify(number);
    // Halves: whole numbers are the even ones.
    return step === undefined ? (stands.get(text) ?? number) : (primes[stepNames.indexOf(text)] ?? 1) / 2;
  });
}

/** For each number a double: the more, the larger; for the same numbers, however written, the same. */
function standIns(numbers: ReadonlyMap<string, Decimal>, steps: ReadonlyMap<string, Decimal>): Map<string, number> {
  const all = [...numbers].sort(([, a], [, b]) => compareDecimals(a, b));
  const wholePeriod = primes.slice(0, steps.size).reduce((product, prime) => product * prime, 2);
  const stands = new Map<string, number>();
  let rank = 0;
  let before: Decimal | undefined;
  for (const [text, number] of all) {
    if (before !== undefined && compareDecimals(before, number) !== 0) rank += 1;
    before = number;
    stands.set(text, (rank * wholePeriod + remainderOf(number, steps)) / 2);
  }
  return stands;
}

/** Even for a whole number, divisible by the prime of each step that the number is a multiple of, and by no other. */
function remainderOf(number: Decimal, steps: ReadonlyMap<string, Decimal>): number {
  let remainder = isWhole(number) ? 0 : 1;
  let period = 2;
  for (const [at, step] of [...steps.values()].entries()) {
    const prime = primes[at] ?? 1;
    const wanted = isMultiple(number, step) ? 0 : 1;
    while (remainder % prime !== wanted) remainder += period;
    period *= prime;
  }
  return remainder;
}

function replaceAll({ value, part, lookup }: CheckedPair, replace: Replace): CheckedPair {
  // A table of references names each schema again and again: each is copied once.
  const copies = new Map<JsonSchema, JsonSchema>();
  const ofSchema = (schema: JsonValue): JsonValue => replaceInSchema(schema, replace, copies);
  const table = Object.entries(lookup).map(([uri, schema]) => [uri, ofSchema(schema)]);
  return {
    value: replaceInValue(value, replace),
    part: ofSchema(part) as JsonSchema | boolean,
    lookup: Object.assign(Object.create(null), Object.fromEntries(table)) as SchemaLookup,
  };
}

function replaceInSchema(schema: JsonValue, replace: Replace, copies: Map<JsonSchema, JsonSchema>): JsonValue {
  if (Array.isArray(schema)) return schema.map((one) => replaceInSchema(one, replace, copies));
  if (!isJsonObject(schema)) return schema;
  const known = copies.get(schema);
  if (known !== undefined) return known;
  const copy = createJsonObject();
  copies.set(schema, copy);
  // Not enumerable: the validator's `dereference` stores the target of a `$ref` here.
  if (schema.__absolute_ref__ !== undefined) copy.__absolute_ref__ = schema.__absolute_ref__;
  for (const [keyword, value] of Object.entries(schema)) {
    if (limits.has(keyword)) copy[keyword] = replace(value);
    else if (keyword === 'multipleOf') copy[keyword] = replace(value, 'step');
    else if (choices.has(keyword)) copy[keyword] = replaceInValue(value, replace);
    else if (maps.has(keyword) && isJsonObject(value)) {
      const members = createJsonObject();
      for (const [name, one] of Object.entries(value)) members[name] = replaceInSchema(one, replace, copies);
      copy[keyword] = members;
    } else if (typeof value === 'object' && keyword !== 'default' && keyword !== 'examples')
      copy[keyword] = replaceInSchema(value, replace, copies);
    else copy[keyword] = value;
  }
  return copy;
}

function replaceInValue(value: JsonValue, replace: Replace): JsonValue {
  if (typeof value === 'number' || isExactNumber(value)) return replace(value);
  if (Array.isArray(value)) return value.map((item) => replaceInValue(item, replace));
  if (!isJsonObject(value)) return value;
  const copy = createJsonObject();
  for (const [key, item] of Object.entries(value)) copy[key] = replaceInValue(item, replace);
  return copy;
}
