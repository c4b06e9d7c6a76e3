import { cloneJson } from '../base/cloneJson.ts';
import type { ArgumentIssue } from '../base/errors.ts';
import { parseExactly } from '../base/exactNumber.ts';
import { isJsonObject, type JsonSchema } from '../base/json.ts';
import { prepareSchema } from './prepareSchema.ts';
import { validateArguments } from './validateArguments.ts';
import type { WorkBudget } from '../base/workBudget.ts';

/** What the check of a tool's `structuredContent` found. */
export interface CheckedOutput {
  /**
   * Where the content does not fit. Empty if it fits, if the schema cannot be used, or if the content was not checked. Parts of
   * a schema that cannot be used are skipped.
   */
  issues: ArgumentIssue[];
  /** Set if it was not checked: why, and the remedy. */
  unchecked?: string;
  /** The check did not end within its budget. It may end in a process of the pool (`checkFully.ts`). */
  isTooMuchWork?: true;
}

/**
 * Checks a tool's `structuredContent` (JSON text) against its `outputSchema`. A tool that has the one has to send the
 * other (MCP 2025-06-18, "Output Schema"). `workBudget` limits the check instead of the limit for this thread. Never throws.
 */
export function checkOutput(
  structuredContent: string | undefined,
  outputSchema: JsonSchema,
  workBudget?: WorkBudget,
): CheckedOutput {
  const whole = (message: string): CheckedOutput => ({ issues: [{ path: '', parameter: '', message }] });
  if (structuredContent === undefined) return whole('The tool has an outputSchema, but sent no structuredContent.');
  const cloned = cloneJson(parseExactly(structuredContent));
  if ('problem' in cloned) return whole(`It could not be checked: ${cloned.problem}.`);
  const { value } = cloned;
  if (!isJsonObject(value)) return whole('structuredContent has to be an object.');
  const prepared = prepareSchema(outputSchema);
  const budget = workBudget ?? prepared.budgetFor(value);
  const { issues, unchecked } = validateArguments({ prepared, args: value, budget, proposes: false });
  if (unchecked === undefined) return { issues };
  return {
    issues,
    ...(budget.isSpent && { isTooMuchWork: true }),
    unchecked: `The data was not checked against the outputSchema: ${unchecked}. Simplify the outputSchema, or return less.`,
  };
}
