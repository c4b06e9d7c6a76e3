import { describeThrown } from '../../base/describeThrown.ts';
import { isJsonObject } from '../../base/json.ts';
import type { JsonValue } from '../../base/json.ts';
import { pointerToPath } from '../../base/pointerToPath.ts';
import { prepareSchema } from '../../schema/prepareSchema.ts';
import { RequestError } from '../../base/requestError.ts';
import { validateArguments } from '../../schema/validateArguments.ts';
import { unlimitedWork } from '../../base/workBudget.ts';
import { modelScriptSchema } from './modelScript.ts';
import type { ModelScript, ScriptIssue } from './modelScript.ts';

/**
 * Takes any JSON as a script.
 * @throws {RequestError} If it is not valid. The message lists every issue, the field is that of the first.
 */
export function readModelScript(value: JsonValue): ModelScript {
  const issues = checkModelScript(value);
  const [first] = issues;
  // The schema matches the type.
  if (first === undefined) return value as unknown as ModelScript;
  const lines = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  throw new RequestError(`The script is not valid. ${lines.join('\n')}`, { field: first.path });
}

/** Every issue of a script, at most 20; empty if it is valid. */
export function checkModelScript(value: JsonValue): ScriptIssue[] {
  if (!isJsonObject(value)) return [{ path: '', message: 'A script is an object with a list of "turns".' }];
  const prepared = prepareSchema(modelScriptSchema);
  // Checks against our own schema are fast.
  const { issues, unchecked } = validateArguments({ prepared, args: value, budget: unlimitedWork });
  if (unchecked !== undefined) return [{ path: '', message: `The script could not be checked: ${unchecked}.` }];
  if (issues.length > 0) return issues.map(({ path, message }) => ({ path: pointerToPath(path), message }));
  // It has passed the schema, which matches the type.
  return patternIssues(value as unknown as ModelScript);
}

function patternIssues({ turns }: ModelScript): ScriptIssue[] {
  return turns.flatMap(({ when }, index) => {
    try {
      if (when?.matches !== undefined) new RegExp(when.matches, 'iu');
      return [];
    } catch (error) {
      return [{ path: `turns[${index}].when.matches`, message: `${describeThrown(error)}.` }];
    }
  });
}
