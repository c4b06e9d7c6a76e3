import type { ToolExecutionResult } from '../../registry/calls.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { checkDuration } from './checkDuration.ts';
import { checkPath } from './checkPath.ts';
import type { AssertedSchema } from './checkSchema.ts';
import type { Assertion } from './format.ts';
import { openResult, type ResultReader } from './resultReader.ts';
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
  /** What is left of it is all the time that they have together on this thread. */
  budget?: TimeBudget;
  /** Reads the result. Without it, a reader is opened and closed. */
  reader?: ResultReader;
}

/** ms that the checks of one call may take together on the engine's thread. */
export const checksMs = 1_000;

/**
 * Checks every assertion; others have their turn between two. A call is expected to succeed unless one of them is about
 * its status. Never rejects.
 */
export async function checkAssertions(options: CheckAssertionsOptions): Promise<Verdict[]> {
  const { assertions, result, durations, hide = (value) => value, budget = createTimeBudget(checksMs) } = options;
  const { isCut = false, reader = openResult(result.result, budget) } = options;
  const wanted = assertions.some(({ check }) => check === 'status')
    ? assertions
    : [{ check: 'status', is: 'success' } as const, ...assertions];

  async function verdictOf(assertion: Assertion): Promise<Omit<Verdict, 'assertion'>> {
    if (isCut && (assertion.check === 'path' || assertion.check === 'schema')) return notWhole;
    switch (assertion.check) {
      case 'status':
        return checkStatus(assertion.is, result, hide);
      case 'softFailure':
        return checkSoftFailure(assertion.is, result);
      case 'path':
        return checkPath(assertion, { reader, hide });
      case 'schema':
        return checkSchema(assertion.schema, reader);
      case 'duration':
        return checkDuration(assertion, result.durationMs, durations);
    }
  }

  const verdicts: Verdict[] = [];
  try {
    for (const assertion of wanted) {
      const verdict = await verdictOf(assertion).catch((error: unknown) => cannotCheck(describeThrown(error)));
      verdicts.push({ assertion, ...verdict });
      await budget.turn();
    }
  } finally {
    if (options.reader === undefined) reader.close();
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
    outcome: 'failed',
    reason: 'soft-failure',
    ...(found !== undefined && { found }),
    message: is ? 'The answer should say that it failed.' : `The answer says that it failed: ${found ?? ''}`,
  };
}

async function checkSchema(schema: AssertedSchema, reader: ResultReader): Promise<Omit<Verdict, 'assertion'>> {
  const { misfit: found, unchecked } = await reader.checkSchema(schema);
  if (unchecked !== undefined) return cannotCheck(unchecked);
  if (found === undefined) return { outcome: 'passed', message: 'The result fits the schema.' };
  return { outcome: 'failed', reason: 'does-not-fit', found, message: `The result does not fit the schema: ${found}` };
}
