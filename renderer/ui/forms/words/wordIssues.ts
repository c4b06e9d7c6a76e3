import type { ArgumentIssue, JsonSchema } from '../../../../src-core/contract/types.ts';
import { checkArguments } from '../check/checkArguments.ts';
import type { LocalIssue } from '../check/localIssue.ts';
import { nameMissing } from '../check/nameMissing.ts';
import { nodeAt, pathKey, type JsonPath } from '../json/jsonNode.ts';
import { parseJsonText } from '../json/parseJsonText.ts';
import { pathText } from '../json/pathText.ts';
import { pointerPath } from '../json/pointerPath.ts';
import { wordEngineIssue, wordIssue, type FieldNote } from './fieldMessage.ts';

/** One thing that is wrong with arguments, in the window's language. */
export interface WordedIssue {
  path: JsonPath;
  /** The path as text; empty for the whole. */
  name: string;
  code?: LocalIssue['code'];
  note: FieldNote;
}

/** Issues of the engine, worded as under the field if the window finds the same one, otherwise as by the engine. */
export function wordIssues(
  issues: readonly ArgumentIssue[],
  { argsJson, schema }: { argsJson: string; schema: JsonSchema },
): WordedIssue[] {
  if (issues.length === 0) return [];
  const parsed = parseJsonText(argsJson);
  const root = parsed.ok ? parsed.root : undefined;
  const local = root === undefined ? [] : nameMissing(checkArguments(schema, root), schema);
  return issues.flatMap((issue): WordedIssue[] => {
    const path = pointerPath(issue.path, root);
    const same = local.find((one) => pathKey(one.path) === pathKey(path));
    // For a missing object, its required members.
    const isAbsent = root !== undefined && nodeAt(root, path) === undefined;
    const inside = local.filter((one) => isAbsent && one.code === 'required' && isInside(one.path, path));
    const parts = same === undefined ? inside : [same];
    if (parts.length === 0) return [{ path, name: pathText(path) || issue.parameter, note: wordEngineIssue(issue) }];
    return parts.map((one) => ({ path: one.path, name: pathText(one.path), code: one.code, note: wordIssue(one) }));
  });
}

const isInside = (path: JsonPath, holder: JsonPath): boolean => holder.every((step, at) => path[at] === step);
