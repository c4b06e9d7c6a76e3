import { isJsonObject } from '../base/json.ts';
import type { JsonObject, JsonSchema, JsonValue } from '../base/json.ts';
import { pointerToPath } from '../base/pointerToPath.ts';
import { RequestError } from '../base/requestError.ts';
import { unlimitedWork } from '../base/workBudget.ts';
import { prepareSchema } from './prepareSchema.ts';
import { validateArguments } from './validateArguments.ts';

/** A path such as `turns[2].calls[0].name`, empty for the whole script, and what is wrong there. */
interface ScriptIssue {
  path: string;
  message: string;
}

/** Every issue of a script, at most 20; empty if it matches the schema, which is our own and fast to check. */
export function checkScript(schema: JsonSchema, value: JsonValue): ScriptIssue[] {
  if (!isJsonObject(value)) return [{ path: '', message: 'A script must be an object with an array "turns".' }];
  const prepared = prepareSchema(schema);
  const { issues, unchecked } = validateArguments({ prepared, args: value, budget: unlimitedWork });
  if (unchecked !== undefined) return [{ path: '', message: `The script could not be checked: ${unchecked}.` }];
  return issues.map(({ path, message }) => ({ path: pointerToPath(path), message }));
}

/** @throws {RequestError} If there are issues. The message lists all of them, the field is that of the first one. */
export function refuseIssues(issues: ScriptIssue[]): void {
  const [first] = issues;
  if (first === undefined) return;
  const lines = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  throw new RequestError(`The script is not valid. ${lines.join('\n')}`, { field: first.path });
}

/** A call of a turn, as every script has it. */
export const scriptedCall = strictObject({
  required: ['name'],
  properties: { name: { type: 'string', minLength: 1, maxLength: 256 }, arguments: { type: ['object', 'string'] } },
});

/** The schema of an object without further properties. */
export function strictObject(parts: { required?: string[]; properties: JsonObject }): JsonObject {
  return { type: 'object', additionalProperties: false, ...parts };
}
