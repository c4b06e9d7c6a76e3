import { CircleCheck, CircleSlash, CircleX } from '@lucide/vue';

import type { Assertion } from '../../../../src-core/contract/types.ts';
import { parseIntegersExactly, writeWithBigInts } from '../../../ui/forms/json/exactNumber.ts';

/** How the outcome of an assertion or a saved call looks. */
export const outcomeLooks = {
  passed: { icon: CircleCheck, tone: 'ok' },
  failed: { icon: CircleX, tone: 'error' },
  skipped: { icon: CircleSlash, tone: 't3' },
} as const;

export type PathAssertion = Extract<Assertion, { check: 'path' }>;

/** Creates an assertion of a kind, with the most common defaults. */
export function newAssertion(check: Assertion['check']): Assertion {
  switch (check) {
    case 'status':
      return { check, is: 'success' };
    case 'softFailure':
      return { check, is: false };
    case 'path':
      return { check, path: '$', op: 'exists' };
    case 'schema':
      return { check, schema: { type: 'object' } };
    case 'duration':
      return { check, atMostMs: 1_000 };
  }
}

/** Asserts a value of a result: that it is the same, or of an object or array that it is there. */
export function assertionOf({ path, json }: { path: string; json: string }): Assertion {
  if (/^\s*[[{]/.test(json)) return { check: 'path', path, op: 'exists' };
  return { check: 'path', path, op: 'equals', value: parseIntegersExactly(json) };
}

/** Whether the assertion compares but has no value to compare with. Any value at the path would pass. */
export function lacksValue(assertion: Assertion): boolean {
  return assertion.check === 'path' && assertion.op !== 'exists' && assertion.value === undefined;
}

/** Parses the typed value: as JSON if it is valid JSON, otherwise as text; undefined if nothing is typed. */
export function readValue(text: string): PathAssertion['value'] {
  if (text === '') return undefined;
  // A number would be rounded.
  if (/^-?[1-9]\d{15,}$/.test(text)) return BigInt(text);
  try {
    return parseIntegersExactly(text);
  } catch {
    return text; // Not JSON, such as `off`: a text.
  }
}

/** Formats a value for typing: a text without quotes, unless it would be parsed as something else. */
export function writeValue(value: PathAssertion['value']): string {
  if (value === undefined) return '';
  return typeof value === 'string' && readValue(value) === value ? value : (writeWithBigInts(value) ?? '');
}
