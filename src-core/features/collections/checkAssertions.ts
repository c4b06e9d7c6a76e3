import type { ToolExecutionResult } from '../../base/calls.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import type { AssertedSchema } from './checkSchema.ts';
import type { Assertion, Verdict } from '../../contract/collections.ts';
import { openResult, type ResultReader } from './resultReader.ts';
import { createTimeBudget, type TimeBudget } from './timeBudget.ts';
import { writeExact, type ExactJson } from '../../base/exactJson.ts';

/** Characters of a value in a message. */
const maxShown = 200;

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

/** Runs that there must have been before the median of them says anything. */
const minRunsForMedian = 5;

/** A result, what is to be true of it, and how long the call took before. */
export interface CheckAssertionsOptions {
  result: ToolExecutionResult;
  assertions: readonly Assertion[];
  /** ms of earlier runs that passed, newest first. */
  durations: readonly number[];
  /** For what the messages show of values: secrets go before anything is cut. By default nothing is hidden. */
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
  const said = result.status === 'success' ? {} : { found: cut(hide(result.result)) };
  const message = `The status should be ${is}; it is ${[code, ...Object.values(said)].join(': ')}`;
  return { outcome: 'failed', reason: 'status', place: code, ...said, message };
}

function checkSoftFailure(is: boolean, { softFailure }: ToolExecutionResult): Omit<Verdict, 'assertion'> {
  if ((softFailure !== undefined) === is)
    return { outcome: 'passed', message: is ? 'The answer reports a failure.' : 'The answer reports no failure.' };
  const found =
    softFailure && `${softFailure.member === undefined ? '' : `${softFailure.member}: `}${softFailure.value}`;
  return {
    outcome: 'failed',
    reason: 'soft-failure',
    ...(found !== undefined && { found }),
    message: is ? 'The answer should report a failure.' : `The answer says that it failed: ${found ?? ''}`,
  };
}

async function checkSchema(schema: AssertedSchema, reader: ResultReader): Promise<Omit<Verdict, 'assertion'>> {
  const { misfit, unchecked } = await reader.checkSchema(schema);
  if (unchecked !== undefined) return cannotCheck(unchecked);
  if (misfit === undefined) return { outcome: 'passed', message: 'The result fits the schema.' };
  const message = `The result does not fit the schema: ${misfit.place}: ${misfit.found}`;
  return { outcome: 'failed', reason: 'does-not-fit', ...misfit, message };
}

/** Compares how long a call took with a limit, or with the median of its own earlier runs. All in ms. */
function checkDuration(
  { atMostMs, atMostTimesMedian = 1 }: Extract<Assertion, { check: 'duration' }>,
  durationMs: number,
  earlier: readonly number[],
): Omit<Verdict, 'assertion'> {
  if (atMostMs === undefined && earlier.length < minRunsForMedian) {
    const message = `It has run ${earlier.length} times here; its time is compared from ${minRunsForMedian} runs on.`;
    return { outcome: 'skipped', reason: 'no-history', found: String(earlier.length), message };
  }
  const limit = atMostMs ?? median(earlier) * atMostTimesMedian;
  const of = atMostMs === undefined ? ` (${atMostTimesMedian} × the median of ${earlier.length} runs)` : '';
  const found = `${round(durationMs)} ms`;
  if (durationMs <= limit) return { outcome: 'passed', message: `It took ${found}; at most ${round(limit)} ms${of}.` };
  return {
    outcome: 'failed',
    reason: 'too-slow',
    found,
    message: `It took ${found}, more than ${round(limit)} ms${of}.`,
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}

type PathAssertion = Extract<Assertion, { check: 'path' }>;

type Answer = Omit<Verdict, 'assertion'>;

/** Checks what a JSON path finds in a result: there must be something, and all of it must be as it should. Never rejects. */
async function checkPath(
  assertion: PathAssertion,
  { reader, hide }: { reader: ResultReader; hide: Hide },
): Promise<Answer> {
  const { path, op, value: wanted = null } = assertion;
  try {
    const { isEmpty, value } = await reader.lookUp({ path, ...(op !== 'exists' && { comparison: { op, wanted } }) });
    if (op === 'exists') return checkExists(path, value, wanted !== false, hide);
    if (isEmpty)
      return { outcome: 'failed', reason: 'nothing-found', message: `${path} matches nothing in the result.` };
    const should = `${path} should ${words[op]} ${shown(wanted, hide)}`;
    if (value === undefined) return { outcome: 'passed', message: `${should}, and does.` };
    const found = shown(value, hide);
    return { outcome: 'failed', reason: 'differs', found, message: `${should}; it is ${found}` };
  } catch (error) {
    const why = describeThrown(error);
    return { outcome: 'failed', reason: 'cannot-check', found: why, message: `${path} cannot be checked: ${why}` };
  }
}

function checkExists(path: string, first: ExactJson | undefined, wanted: boolean, hide: Hide): Answer {
  if ((first !== undefined) === wanted)
    return { outcome: 'passed', message: wanted ? `${path} is there.` : `${path} does not exist, as expected.` };
  if (first === undefined)
    return { outcome: 'failed', reason: 'nothing-found', message: `${path} matches nothing in the result.` };
  const found = shown(first, hide);
  return {
    outcome: 'failed',
    reason: 'something-found',
    found,
    message: `${path} should not be there; it is ${found}`,
  };
}

/** Removes the secrets from a JSON value. */
type Hide = <T>(value: T) => T;

/** A value as JSON, so that "20" is not taken for 20. What `hide` takes out is gone before it is cut. */
function shown(value: ExactJson, hide: Hide): string {
  // Again in the text: it may be a number, or the name of a member.
  return cut(hide(writeExact(hide(value))));
}

function cut(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown - 1).toWellFormed()}…`;
}
