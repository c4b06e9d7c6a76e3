import { parseIntegersExactly } from '../../base/exactNumber.ts';
import { canonicalJson } from './canonicalJson.ts';
import type { RecordedAnswer } from './recordedAnswer.ts';

/** An answer as it is compared. */
export type ComparedAnswer = Pick<RecordedAnswer, 'isError'> & { text: string; structured?: string | undefined };

/** Whether two answers are equal: exactly, except for the order of keys if both texts are JSON objects or arrays. */
export function isSameAnswer(one: ComparedAnswer, other: ComparedAnswer): boolean {
  if (one.isError !== other.isError) return false;
  return isSameText(one.text, other.text) && isSameText(one.structured ?? '', other.structured ?? '');
}

function isSameText(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [canonicalOf(one), canonicalOf(other)];
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
