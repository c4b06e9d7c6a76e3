import { describeThrown } from '../tools/describeThrown.ts';
import { createWorkBudget } from '../tools/workBudget.ts';
import { comparable, writeExact, type ExactJson } from './exactJson.ts';
import type { Assertion } from './format.ts';
import { findByPath } from './jsonPath.ts';
import { shown, type Hide } from './shown.ts';
import type { TimeBudget } from './timeBudget.ts';
import type { Verdict } from './verdict.ts';

type PathAssertion = Extract<Assertion, { check: 'path' }>;
type Answer = Omit<Verdict, 'assertion'>;

/** Milliseconds of processor time for finding the values, and for comparing them all. */
const findMs = 35;
const compareMs = 10;

/** What a path is to be checked in, and how. */
export interface CheckPathOptions {
  /** Read where it is needed. */
  value: () => ExactJson;
  hide: Hide;
  budget: TimeBudget;
}

/** Checks what a JSON path finds in a value: there must be something, and all of it must be as it should. Never throws. */
export function checkPath(assertion: PathAssertion, { value, hide, budget }: CheckPathOptions): Answer {
  const { path, op, value: wanted = null } = assertion;
  try {
    const found = findByPath(path, value(), budget.left(findMs));
    if (op === 'exists') return checkExists(path, found, wanted !== false, hide);
    if (found.length === 0)
      return { outcome: 'failed', reason: 'nothing-found', message: `${path} leads to nothing in the result.` };
    const compared = comparable(wanted);
    // There may be many of them, and long ones, and the wanted value too; a regular expression may take for ever.
    const work = createWorkBudget(budget.left(compareMs));
    const at = work.run(() => found.findIndex((each) => !holds(op, comparable(each), compared)));
    const wrong = found[at];
    const should = `${path} should ${words[op]} ${shown(wanted, hide)}`;
    if (wrong === undefined) return { outcome: 'passed', message: `${should}, and does.` };
    return {
      outcome: 'failed',
      reason: 'differs',
      found: shown(wrong, hide),
      message: `${should}; it is ${shown(wrong, hide)}`,
    };
  } catch (error) {
    const why = describeThrown(error);
    return { outcome: 'failed', reason: 'cannot-check', found: why, message: `${path} cannot be checked: ${why}` };
  }
}

const words: Record<PathAssertion['op'], string> = {
  equals: 'equal',
  notEquals: 'not equal',
  contains: 'contain',
  matches: 'match',
  exists: 'exist',
  type: 'be of the type',
  greaterThan: 'be greater than',
  atLeast: 'be at least',
  lessThan: 'be less than',
  atMost: 'be at most',
};

function checkExists(path: string, found: ExactJson[], wanted: boolean, hide: Hide): Answer {
  if (found.length > 0 === wanted)
    return { outcome: 'passed', message: wanted ? `${path} is there.` : `${path} is not there, as it should.` };
  return wanted
    ? { outcome: 'failed', reason: 'nothing-found', message: `${path} leads to nothing in the result.` }
    : {
        ...{ outcome: 'failed', reason: 'something-found', found: shown(found[0] ?? null, hide) },
        message: `${path} should not be there; it is ${shown(found[0] ?? null, hide)}`,
      };
}

function holds(op: PathAssertion['op'], found: ExactJson, wanted: ExactJson): boolean {
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
  return canonical(a) === canonical(b);
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
