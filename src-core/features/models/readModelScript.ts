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
 * @throws RequestError that words every issue and names the first one's field.
 */
export function readModelScript(value: JsonValue): ModelScript {
  const issues = checkModelScript(value);
  const [first] = issues;
  // Its schema says just what the type says.
  if (first === undefined) return value as unknown as ModelScript;
  const lines = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  throw new RequestError(`The script is not valid. ${lines.join('\n')}`, { field: first.path });
}

/** Every issue of a script, at most 20; none where it is one. */
export function checkModelScript(value: JsonValue): ScriptIssue[] {
  if (!isJsonObject(value)) return [{ path: '', message: 'A script is an object with a list of "turns".' }];
  const prepared = prepareSchema(modelScriptSchema);
  // Our own schema has nothing in it that takes long.
  const { issues, unchecked } = validateArguments({ prepared, args: value, budget: unlimitedWork });
  if (unchecked !== undefined) return [{ path: '', message: `The script could not be checked: ${unchecked}.` }];
  if (issues.length > 0) return issues.map(({ path, message }) => ({ path: pointerToPath(path), message }));
  // It has passed the schema, which says just what the type says.
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
