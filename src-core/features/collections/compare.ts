import { writeExact, type ExactJson } from './exactJson.ts';
import type { Assertion } from './format.ts';

/** How a path assertion compares what it finds with its value. */
export type Comparison = Extract<Assertion, { check: 'path' }>['op'];

/**
 * Whether a value compares with the wanted one as an assertion says. Both are comparable (`comparable`). May take very
 * long: the wanted value may be a regular expression.
 * @throws Error if the wanted value is not one for this comparison.
 */
export function holds(op: Comparison, found: ExactJson, wanted: ExactJson): boolean {
  switch (op) {
    case 'equals':
      return sameJson(found, wanted);
    case 'notEquals':
      return !sameJson(found, wanted);
    case 'contains':
      return contains(found, wanted);
    case 'matches':
      return matches(found, wanted);
    case 'type':
      return typesOf(found).includes(String(wanted));
    case 'exists':
      return true;
    default:
      return compares(op, found, wanted);
  }
}

/** The order of members says nothing. */
function sameJson(a: ExactJson, b: ExactJson): boolean {
  const isPlain = typeof a !== 'object' && typeof a !== 'bigint' && typeof b !== 'bigint';
  return a === b || (!isPlain && canonical(a) === canonical(b));
}

function canonical(value: ExactJson): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  // 1e21 and its digits are one number.
  if (typeof value === 'bigint') return writeExact(BigInt(Number(value)) === value ? Number(value) : value);
  if (typeof value !== 'object' || value === null) return writeExact(value);
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`);
  return `{${members.sort().join(',')}}`;
}

/** A text its part, a list its item, an object the members that it should have. */
function contains(found: ExactJson, wanted: ExactJson): boolean {
  if (typeof found === 'string') return found.includes(typeof wanted === 'string' ? wanted : writeExact(wanted));
  if (Array.isArray(found)) return found.some((item) => sameJson(item, wanted));
  if (typeof found !== 'object' || found === null) return false;
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return false;
  return Object.entries(wanted).every(([key, each]) => Object.hasOwn(found, key) && sameJson(found[key] ?? null, each));
}

function matches(found: ExactJson, wanted: ExactJson): boolean {
  if (typeof wanted !== 'string') throw new TypeError('the value must be a regular expression, as text');
  const pattern = new RegExp(wanted, 'u');
  return typeof found === 'string' && pattern.test(found);
}

function typesOf(value: ExactJson): string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'bigint' || Number.isInteger(value)) return ['integer', 'number'];
  return [typeof value];
}

function compares(op: 'greaterThan' | 'atLeast' | 'lessThan' | 'atMost', found: ExactJson, wanted: ExactJson): boolean {
  const isNumber = (value: ExactJson): value is number | bigint =>
    typeof value === 'number' || typeof value === 'bigint';
  if (!isNumber(wanted)) throw new TypeError('the value must be a number');
  if (!isNumber(found)) return false;
  if (op === 'greaterThan') return found > wanted;
  if (op === 'atLeast') return found >= wanted;
  return op === 'lessThan' ? found < wanted : found <= wanted;
}
