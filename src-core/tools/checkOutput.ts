import { cloneJson } from './cloneJson.ts';
import type { ArgumentIssue } from './errors.ts';
import { parseExactly } from './exactNumber.ts';
import { isJsonObject, type JsonSchema } from './json.ts';
import { prepareSchema } from './prepareSchema.ts';
import { validateArguments } from './validateArguments.ts';

/**
 * In what a tool's `structuredContent` (JSON text) does not fit its `outputSchema`: nothing where it fits, as far as the
 * schema could be used. A tool that has the one has to send the other (MCP 2025-06-18, "Output Schema"). Never throws.
 */
export function checkOutput(structuredContent: string | undefined, outputSchema: JsonSchema): ArgumentIssue[] {
  const whole = (message: string): ArgumentIssue[] => [{ path: '', parameter: '', message }];
  if (structuredContent === undefined) return whole('The tool has an outputSchema, but sent no structuredContent.');
  const cloned = cloneJson(parseExactly(structuredContent));
  if ('problem' in cloned) return whole(`It could not be checked: ${cloned.problem}.`);
  const { value, nodes } = cloned;
  if (!isJsonObject(value)) return whole('structuredContent has to be an object.');
  return validateArguments({ prepared: prepareSchema(outputSchema), args: value, nodes }).issues;
}
