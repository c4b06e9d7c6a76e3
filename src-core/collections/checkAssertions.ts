import type { OutputUnit } from '@cfworker/json-schema';

import type { ToolExecutionResult } from '../tools/calls.ts';
import { describeThrown } from '../tools/describeThrown.ts';
import { checkValue } from '../tools/checkValue.ts';
import { describeIssue } from '../tools/describeIssue.ts';
import { parseIntegersExactly, roundExact } from '../tools/exactNumber.ts';
import type { JsonObject, JsonValue } from '../tools/json.ts';
import { pathOf, schemaOfKeyword, valueAt } from '../tools/locateSchema.ts';
import { prepareSchema, type PreparedSchema } from '../tools/prepareSchema.ts';
import { createWorkBudget, workLimitMs } from '../tools/workBudget.ts';
import { checkDuration } from './checkDuration.ts';
import { checkPath } from './checkPath.ts';
import type { Assertion } from './format.ts';
import type { ExactJson } from './exactJson.ts';
import { resultValue } from './resultValue.ts';
import { shown, type Hide } from './shown.ts';
import { createTimeBudget, type TimeBudget } from './timeBudget.ts';
import type { Verdict } from './verdict.ts';

/** A result, what is to be true of it, and how long the call took before. */
export interface CheckAssertionsOptions {
  result: ToolExecutionResult;
  assertions: readonly Assertion[];
  /** ms of earlier runs that passed, newest first. */
  durations: readonly number[];
  /** For what the messages show of values: secrets go before anything is cut. Nothing is hidden unless told. */
  hide?: Hide;
  /** The result's text is only the beginning of what it was: its value is not known. */
  isCut?: boolean;
  /** What is left of it is all the time that they have together. */
  budget?: TimeBudget;
}

/** ms that the checks of one call may take together. */
export const checksMs = 1_000;

/**
 * Checks every assertion; others have their turn between two. A call is expected to succeed unless one of them is about
 * its status. Never rejects.
 */
export async function checkAssertions(options: CheckAssertionsOptions): Promise<Verdict[]> {
  const { assertions, result, durations, hide = (value) => value, budget = createTimeBudget(checksMs) } = options;
  const { isCut = false } = options;
  const wanted = assertions.some(({ check }) => check === 'status')
    ? assertions
    : [{ check: 'status', is: 'success' } as const, ...assertions];
  let read: ExactJson | undefined;
  const value = (): ExactJson => (read ??= resultValue(result));

  function verdictOf(assertion: Assertion): Omit<Verdict, 'assertion'> {
    if (isCut && (assertion.check === 'path' || assertion.check === 'schema')) return notWhole;
    switch (assertion.check) {
      case 'status':
        return checkStatus(assertion.is, result, hide);
      case 'softFailure':
        return checkSoftFailure(assertion.is, result);
      case 'path':
        return checkPath(assertion, { value, hide, budget });
      case 'schema':
        return checkSchema(assertion.schema, result, budget.left(workLimitMs));
      case 'duration':
        return checkDuration(assertion, result.durationMs, durations);
    }
  }

  const verdicts: Verdict[] = [];
  for (const assertion of wanted) {
    let verdict: Omit<Verdict, 'assertion'>;
    try {
      verdict = verdictOf(assertion);
    } catch (error) {
      verdict = cannotCheck(describeThrown(error));
    }
    verdicts.push({ assertion, ...verdict });
    await budget.turn();
  }
  return verdicts;
}

const onlyBeginning = 'The history kept only the beginning of this result. Run the collection to check it whole.';
/** It may hold all the same. */
const notWhole: Omit<Verdict, 'assertion'> = {
  outcome: 'skipped',
  reason: 'cannot-check',
  found: onlyBeginning,
  message: onlyBeginning,
};

function cannotCheck(found: string): Omit<Verdict, 'assertion'> {
  return { outcome: 'failed', reason: 'cannot-check', found, message: `It could not be checked: ${found}` };
}

function checkStatus(is: string, result: ToolExecutionResult, hide: Hide): Omit<Verdict, 'assertion'> {
  const code = result.error?.code ?? 'success';
  if (code === is || (is === 'error' && result.status === 'error'))
    return { outcome: 'passed', message: `The status is ${is}.` };
  const found = result.status === 'success' ? 'success' : `${code}: ${shown(result.result, hide)}`;
  return { outcome: 'failed', reason: 'status', found, message: `The status should be ${is}; it is ${found}` };
}

function checkSoftFailure(is: boolean, { softFailure }: ToolExecutionResult): Omit<Verdict, 'assertion'> {
  if ((softFailure !== undefined) === is)
    return { outcome: 'passed', message: is ? 'The answer says that it failed.' : 'The answer says of no failure.' };
  const found =
    softFailure && `${softFailure.member === undefined ? '' : `${softFailure.member}: `}${softFailure.value}`;
  return {
    ...{ outcome: 'failed', reason: 'soft-failure', ...(found !== undefined && { found }) },
    message: is ? 'The answer should say that it failed.' : `The answer says that it failed: ${found ?? ''}`,
  };
}

/** The schema may be for any value; the checker of arguments takes objects, so the value goes in as a member. */
function checkSchema(
  schema: Extract<Assertion, { check: 'schema' }>['schema'],
  result: ToolExecutionResult,
  limitMs: number,
): Omit<Verdict, 'assertion'> {
  const value: JsonObject = { result: valueOf(result) };
  // With an id of its own, its references lead into itself.
  const own = typeof schema === 'boolean' ? schema : { $id: 'https://result.invalid/', ...schema };
  const prepared = prepareSchema({ type: 'object', properties: { result: own } });
  const { errors, unchecked } = checkValue({ prepared, value, budget: createWorkBudget(limitMs) });
  const [trouble] = unchecked === undefined ? prepared.warnings : [unchecked];
  if (trouble !== undefined) return cannotCheck(trouble);
  const error = errors.findLast(({ keyword }) => keyword !== 'properties') ?? errors[0];
  if (error === undefined) return { outcome: 'passed', message: 'The result fits the schema.' };
  const found = `${error.instanceLocation.replace(/^#\/result/, '$')}: ${wordOf(error, prepared, value)}`;
  return { outcome: 'failed', reason: 'does-not-fit', found, message: `The result does not fit the schema: ${found}` };
}

/** In the validator's own words, but where it was given other numbers in place of exact ones. */
function wordOf(error: OutputUnit, prepared: PreparedSchema, value: JsonObject): string {
  const { keyword, keywordLocation, instanceLocation, error: fallback } = error;
  const schema = schemaOfKeyword(prepared, keywordLocation);
  if (schema === undefined || (!prepared.hasExact && roundExact(value) === value)) return fallback;
  const found = valueAt(value, pathOf(instanceLocation)) ?? null;
  return describeIssue({ keyword, schema, value: found, lookup: prepared.lookup, fallback }).message;
}

function valueOf({ result }: ToolExecutionResult): JsonValue {
  try {
    return parseIntegersExactly(result);
  } catch {
    return result; // Most tools answer in words.
  }
}
