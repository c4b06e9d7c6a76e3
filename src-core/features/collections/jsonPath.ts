import { JSONPathEnvironment } from 'json-p3';
import type { JSONPathQuery, JSONValue } from 'json-p3';

import type { WorkBudget } from '../../base/workBudget.ts';
import { holds, type Comparison } from './compare.ts';
import { comparable, type ExactJson } from './exactJson.ts';
import { pathProblemOf } from './pathProblem.ts';

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
