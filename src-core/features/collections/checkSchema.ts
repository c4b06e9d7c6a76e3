import { parseIntegersExactly } from '../../base/exactNumber.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { pointerToPath } from '../../base/pointerToPath.ts';
import { prepareSchema } from '../../schema/prepareSchema.ts';
import { validateArguments } from '../../schema/validateArguments.ts';
import type { WorkBudget } from '../../base/workBudget.ts';
import type { Assertion } from '../../contract/collections.ts';

/** The schema of an assertion. */
export type AssertedSchema = Extract<Assertion, { check: 'schema' }>['schema'];

/** What does not fit, and why; or why it could not be checked. Neither is set if the result fits. */
export interface SchemaAnswer {
  misfit?: { place: string; found: string };
  unchecked?: string;
}

/** Checks the text of a result, or the value of which it is the JSON, against a schema for any value. Never throws. */
export function checkSchema(schema: AssertedSchema, result: string, budget: WorkBudget): SchemaAnswer {
  // The checker of arguments takes objects, so the value goes in as a member.
  const args: JsonObject = { $: valueOf(result) };
  // With an id of its own, its references lead into itself.
  const own = typeof schema === 'boolean' ? schema : { $id: 'https://result.invalid/', ...schema };
  const prepared = prepareSchema({ type: 'object', properties: { $: own } });
  const { issues, unchecked = prepared.warnings[0] } = validateArguments({ prepared, args, budget, proposes: false });
  if (unchecked !== undefined) return { unchecked };
  const [issue] = issues;
  if (issue === undefined) return {};
  return { misfit: { place: pointerToPath(issue.path) || '$', found: issue.message } };
}

function valueOf(result: string): JsonValue {
  try {
    return parseIntegersExactly(result);
  } catch {
    return result; // Most tools answer in words.
  }
}
