import { parseIntegersExactly } from '../../base/exactNumber.ts';
import { canonicalJson } from './canonicalJson.ts';

/** Whether two answers are equal: exactly, except for the order of keys if both are JSON objects or arrays. */
export function isSameAnswer(
  one: { text: string; isError: boolean },
  other: { text: string; isError: boolean },
): boolean {
  if (one.isError !== other.isError) return false;
  if (one.text === other.text) return true;
  const [first, second] = [canonicalOf(one.text), canonicalOf(other.text)];
  return first !== undefined && first === second;
}

function canonicalOf(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return canonicalJson(parseIntegersExactly(text));
  } catch {
    return undefined; // It only begins as JSON does.
  }
}
