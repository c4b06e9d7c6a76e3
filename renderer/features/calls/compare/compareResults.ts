import { parseJsonText } from '../../../ui/forms/json/parseJsonText.ts';
import { compareJson } from './compareJson.ts';
import { compareText } from './compareText.ts';
import type { Comparison } from './comparison.ts';

/** Compares two results: as JSON if both are objects or lists, otherwise line by line. */
export function compareResults(left: string, right: string): Comparison {
  if (![left, right].every((text) => /^\s*[[{]/.test(text))) return compareText(left, right);
  const [one, other] = [parseJsonText(left), parseJsonText(right)];
  return one.ok && other.ok ? compareJson(one.root, other.root) : compareText(left, right);
}
