import type { ToolExecutionResult } from '../../base/calls.ts';
import type { Assertion, Verdict } from '../../contract/collections.ts';
import { checkAssertions, type CheckAssertionsOptions } from './checkAssertions.ts';
import { hideSecrets } from './hideSecrets.ts';
import { fillCall } from './runSavedCall.ts';
import { noVariable, secretMark, type VariableSources } from './variables.ts';

/** Characters of a result with its secrets; a longer one is compared without them. */
const maxLength = 4 * 1024 * 1024;

/**
 * Checks assertions on a result of the history, in which the names of secrets replace their values. The variables and
 * secrets of the assertions are filled in, and so are these secrets in the result. The verdicts contain no secret. An
 * assertion with a variable that has no value cannot be checked.
 */
export async function checkStored(
  { assertions, result, ...options }: Omit<CheckAssertionsOptions, 'hide'>,
  sources: VariableSources,
): Promise<Verdict[]> {
  const secrets: Record<string, string> = {};
  const filled: Assertion[] = [];
  const unset = new Map<Assertion, string>();
  for (const assertion of assertions) {
    const missing = (name: string): string => {
      unset.set(assertion, name);
      return '';
    };
    const read = await fillCall({ tool: '', arguments: {}, assertions: [assertion] }, { ...sources, missing });
    Object.assign(secrets, read.secrets);
    filled.push(...(unset.has(assertion) ? [assertion] : read.assertions));
  }
  const hide = <T>(value: T): T => hideSecrets(value, secrets);
  const whole = { ...result, result: withSecrets(result, secrets) };
  const verdicts = await checkAssertions({ ...options, result: whole, assertions: filled, hide });
  return hide(
    verdicts.map((verdict) => {
      const variable = unset.get(verdict.assertion);
      if (variable === undefined) return verdict;
      const found = noVariable(variable).message;
      return {
        assertion: verdict.assertion,
        outcome: 'failed',
        reason: 'cannot-check',
        found,
        variable,
        message: found,
      };
    }),
  );
}

/** The text of a result with the values of these secrets; escaped if the text is JSON. */
function withSecrets({ result: text }: ToolExecutionResult, secrets: Readonly<Record<string, string>>): string {
  const isJson = readsAsJson(text);
  let length = text.length;
  const filled = text.replace(secretMark, (mark: string, name: string) => {
    const secret = Object.hasOwn(secrets, name) ? (secrets[name] ?? mark) : mark;
    length += secret.length;
    if (length > maxLength) return mark;
    return isJson ? JSON.stringify(secret).slice(1, -1) : secret;
  });
  return length > maxLength ? text : filled;
}

function readsAsJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
