import type { JsonValue } from '../../../../src-core/contract/types.ts';
import { indentJson } from '../../../ui/forms/json/indentJson.ts';
import { parseJsonText } from '../../../ui/forms/json/parseJsonText.ts';
import { isSameJson } from '../../../ui/forms/json/sameJson.ts';

/** Characters of both: longer ones are the same only to the letter, as they are compared at every key that is pressed. */
const mostCompared = 200_000;

/** Whether what stands in the form are the arguments of a call; spaces and the order of keys do not count. `called` is JSON. */
export function isSameArguments(inForm: string, called: string): boolean {
  if (inForm === called) return true;
  if (inForm.length + called.length > mostCompared) return false;
  if (indentJson(inForm) === indentJson(called)) return true;
  const parsed = parseJsonText(inForm);
  return parsed.ok && isSameJson(parsed.root, JSON.parse(called) as JsonValue);
}
