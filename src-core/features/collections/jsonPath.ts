import { JSONPathEnvironment, JSONPathError, type JSONPathQuery, type JSONValue } from 'json-p3';

import type { WorkBudget } from '../../base/workBudget.ts';
import { comparable, type ExactJson, writeExact } from '../../base/exactJson.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import type { Assertion } from '../../contract/collections.ts';

/** What the library's words come to: what a path should have at the place where it stopped. The first that fits counts. */
const expectations: readonly [RegExp, string][] = [
  [/^expected '\$'/, 'a path begins with $'],
  [/^can't backup|after dot$|^unexpected shorthand/, 'add a name or * after the dot'],
  [/^bald descendant|^unexpected descend/, 'add a name, * or [ after ..'],
  [/^expected '\.'/, 'a dot, [ or the end is expected'],
  [/^unexpected token 'TOKEN_ERROR'|^trailing whitespace/, 'remove the space'],
  [/^unclosed string/, 'add the closing quote'],
  [
    /^invalid (escape|character)|escape sequence|surrogate codepoint|^unexpected codepoint/,
    'an escape as JSON has it is expected, such as \\n',
  ],
  [
    /^empty bracketed|in bracketed selection|^expected token 'TOKEN_COMMA'|trailing comma$/,
    'a name in quotes, an index, a range such as 0:2, * or a filter is expected',
  ],
  [/^unclosed bracketed|^unbalanced|^unexpected end of query/, 'add the missing bracket'],
  [/^leading zero|^invalid number|^a fractional/, 'a number as JSON has it is expected'],
  [/^index out of range/, 'an index of at most 2^53 - 1 is expected'],
  [/^no such function/, 'the functions are length, count, match, search and value'],
  [/must be compared$/, 'a comparison is expected, such as == 1'],
  [/not comparable$/, 'only a single value can be compared'],
  [/\(\) (takes|argument) /, 'the function takes other arguments'],
  [/^unexpected|^expected an expression|^empty paren/, 'a condition is expected, such as @.price < 10'],
];

const environment = new JSONPathEnvironment({ strict: true, maxRecursionDepth: 500 });

/** What is wrong with a text as a JSON path (RFC 9535); undefined if it is valid. */
export function pathProblem(path: string): string | undefined {
  try {
    environment.compile(path);
    return undefined;
  } catch (error) {
    return pathProblemOf(path, error);
  }
}

function compile(path: string): JSONPathQuery {
  try {
    return environment.compile(path);
  } catch (cause) {
    throw new Error(pathProblemOf(path, cause), { cause });
  }
}

/** What to look for in a result. */
export interface Lookup {
  /** A JSON path (RFC 9535). */
  path: string;
  /** What all values that the path finds should be. */
  comparison?: { op: Comparison; wanted: ExactJson };
}

/** The result of a path. */
export interface Found {
  isEmpty: boolean;
  /**
   * With a comparison, the first value that does not match, absent if all match. Otherwise the first value. Its numbers
   * are as written.
   */
  value?: ExactJson;
}

/** A value to look things up in. */
export interface Searchable {
  value: ExactJson;
  /** The same with comparable numbers: a bigint passes through a query, but an exact number looks like an object. */
  compared: ExactJson;
}

/** Prepares a value for `lookUp`. */
export function searchable(value: ExactJson): Searchable {
  return { value, compared: comparable(value) };
}

/**
 * Evaluates a JSON path. A path may take very long, and so may a regular expression in it or in the comparison: the
 * work has to fit into the budget.
 * @throws Error that says what is wrong with the path or the comparison; TooMuchWorkError.
 */
export function lookUp({ path, comparison }: Lookup, { value, compared }: Searchable, budget: WorkBudget): Found {
  const query = compile(path);
  const wanted = comparable(comparison?.wanted ?? null);
  const { isEmpty, location } = budget.run(() => {
    let isEmpty = true;
    // The eager query passes all values of a list as arguments, and a long list has more than a call can take.
    for (const node of query.lazyQuery(compared as JSONValue)) {
      isEmpty = false;
      if (comparison === undefined || !holds(comparison.op, node.value as ExactJson, wanted))
        return { isEmpty, location: node.location };
    }
    return { isEmpty };
  });
  return { isEmpty, ...(location !== undefined && { value: valueAt(value, location) }) };
}

function valueAt(value: ExactJson, location: readonly (string | number)[]): ExactJson {
  return location.reduce<ExactJson>((at, part) => (at as Record<string | number, ExactJson>)[part] ?? null, value);
}

/** What is wrong with a JSON path that json-p3 refused with `error`: where, and what is expected there. */
function pathProblemOf(path: string, error: unknown): string {
  if (path === '') return 'it is empty';
  // Behind its words the library shows the path and the place.
  const library = describeThrown(error).replace(/ \('[^]*$/, '');
  const expected = expectations.find(([words]) => words.test(library))?.[1] ?? `it cannot be read (${library})`;
  const index = error instanceof JSONPathError ? error.token.index : 0;
  return index >= path.length ? `at the end of the path: ${expected}` : `at character ${index + 1}: ${expected}`;
}

/** How a path assertion compares what it finds with its value. */
type Comparison = Extract<Assertion, { check: 'path' }>['op'];

/**
 * Whether a value compares with the wanted one as an assertion says. Both are comparable (`comparable`). May take very
 * long: the wanted value may be a regular expression.
 * @throws Error if the wanted value is not one for this comparison.
 */
function holds(op: Comparison, found: ExactJson, wanted: ExactJson): boolean {
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
