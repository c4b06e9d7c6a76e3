import { JSONPathEnvironment } from 'json-p3';
import type { JSONPathQuery, JSONValue } from 'json-p3';

import { createWorkBudget, workLimitMs } from '../tools/workBudget.ts';
import { comparable, type ExactJson } from './exactJson.ts';
import { pathProblemOf } from './pathProblem.ts';

const environment = new JSONPathEnvironment({ strict: true, maxRecursionDepth: 500 });

/** What is wrong with a text as a JSON path (RFC 9535); undefined where nothing is. */
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

/**
 * The values that a JSON path (RFC 9535) finds, in its order and with their numbers as written; empty if it finds nothing.
 * It may take `limitMs` of processor time, because a filter may hold a regular expression that takes very long.
 * @throws Error that says what is wrong with the path, or that it took too long.
 */
export function findByPath(path: string, value: ExactJson, limitMs: number = workLimitMs): ExactJson[] {
  const query = compile(path);
  // A bigint passes through as any other value; an exact number would look like an object.
  const { nodes } = createWorkBudget(limitMs).run(() => query.query(comparable(value) as JSONValue));
  return nodes.map((node) => valueAt(value, node.location));
}

function valueAt(value: ExactJson, location: readonly (string | number)[]): ExactJson {
  return location.reduce<ExactJson>((at, part) => (at as Record<string | number, ExactJson>)[part] ?? null, value);
}
