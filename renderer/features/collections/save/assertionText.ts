import type { Assertion } from '../../../../src-core/contract/types.ts';
import { parseIntegersExactly, writeWithBigInts } from '../../../ui/forms/json/exactNumber.ts';

export type PathAssertion = Extract<Assertion, { check: 'path' }>;

/** A new assertion of a kind, with what is asked for most. */
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

/** It compares, and nothing is said to compare with: whatever the path finds would be right. */
export function lacksValue(assertion: Assertion): boolean {
  return assertion.check === 'path' && assertion.op !== 'exists' && assertion.value === undefined;
}

/** The value that a person typed: JSON where it is that, otherwise the text itself; nothing where nothing is typed. */
export function readValue(text: string): PathAssertion['value'] {
  if (text === '') return undefined;
  // A number would be rounded.
  if (/^-?[1-9]\d{15,}$/.test(text)) return BigInt(text);
  try {
    return parseIntegersExactly(text);
  } catch {
    return text; // `off` is meant as a text, not as a slip.
  }
}

/** How a value is typed: a text bare, unless it would be read as something else. */
export function writeValue(value: PathAssertion['value']): string {
  if (value === undefined) return '';
  return typeof value === 'string' && readValue(value) === value ? value : (writeWithBigInts(value) ?? '');
}
