import type { OutputUnit } from '@cfworker/json-schema';

import { checkValue } from '../../schema/checkValue.ts';
import { describeIssue } from '../../schema/describeIssue.ts';
import { parseIntegersExactly, roundExact } from '../../base/exactNumber.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { pathOf, schemaOfKeyword, valueAt } from '../../schema/locateSchema.ts';
import { prepareSchema, type PreparedSchema } from '../../schema/prepareSchema.ts';
import type { WorkBudget } from '../../base/workBudget.ts';
import type { Assertion } from '../../contract/collections.ts';

/** The schema of an assertion. */
export type AssertedSchema = Extract<Assertion, { check: 'schema' }>['schema'];

/** The place of a misfit and its reason, or why it could not be checked. Neither is set if the result fits. */
export interface SchemaAnswer {
  misfit?: string;
  unchecked?: string;
}

/** Checks the text of a result, or the value of which it is the JSON, against a schema for any value. Never throws. */
export function checkSchema(schema: AssertedSchema, result: string, budget: WorkBudget): SchemaAnswer {
  // The checker of arguments takes objects, so the value goes in as a member.
  const value: JsonObject = { result: valueOf(result) };
  // With an id of its own, its references lead into itself.
  const own = typeof schema === 'boolean' ? schema : { $id: 'https://result.invalid/', ...schema };
  const prepared = prepareSchema({ type: 'object', properties: { result: own } });
  const { errors, unchecked = prepared.warnings[0] } = checkValue({ prepared, value, budget });
  if (unchecked !== undefined) return { unchecked };
  const error = errors.findLast(({ keyword }) => keyword !== 'properties') ?? errors[0];
  if (error === undefined) return {};
  return { misfit: `${error.instanceLocation.replace(/^#\/result/, '$')}: ${wordOf(error, prepared, value)}` };
}

/** The validator's message, except if it was given stand-ins for exact numbers. */
function wordOf(error: OutputUnit, prepared: PreparedSchema, value: JsonObject): string {
  const { keyword, keywordLocation, instanceLocation, error: fallback } = error;
  const schema = schemaOfKeyword(prepared, keywordLocation);
  if (schema === undefined || (!prepared.hasExact && roundExact(value) === value)) return fallback;
  const found = valueAt(value, pathOf(instanceLocation)) ?? null;
  return describeIssue({ keyword, schema, value: found, lookup: prepared.lookup, fallback }).message;
}

function valueOf(result: string): JsonValue {
  try {
    return parseIntegersExactly(result);
  } catch {
    return result; // Most tools answer in words.
  }
}
