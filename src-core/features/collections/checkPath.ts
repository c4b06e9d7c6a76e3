import { describeThrown } from '../../base/describeThrown.ts';
import type { ExactJson } from './exactJson.ts';
import type { Assertion } from './format.ts';
import type { ResultReader } from './resultReader.ts';
import { shown, type Hide } from './shown.ts';
import type { Verdict } from './verdict.ts';

type PathAssertion = Extract<Assertion, { check: 'path' }>;
type Answer = Omit<Verdict, 'assertion'>;

/** Checks what a JSON path finds in a result: there must be something, and all of it must be as it should. Never rejects. */
export async function checkPath(
  assertion: PathAssertion,
  { reader, hide }: { reader: ResultReader; hide: Hide },
): Promise<Answer> {
  const { path, op, value: wanted = null } = assertion;
  try {
    const { isEmpty, value } = await reader.lookUp({ path, ...(op !== 'exists' && { comparison: { op, wanted } }) });
    if (op === 'exists') return checkExists(path, value, wanted !== false, hide);
    if (isEmpty)
      return { outcome: 'failed', reason: 'nothing-found', message: `${path} leads to nothing in the result.` };
    const should = `${path} should ${words[op]} ${shown(wanted, hide)}`;
    if (value === undefined) return { outcome: 'passed', message: `${should}, and does.` };
    const found = shown(value, hide);
    return { outcome: 'failed', reason: 'differs', found, message: `${should}; it is ${found}` };
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

function checkExists(path: string, first: ExactJson | undefined, wanted: boolean, hide: Hide): Answer {
  if ((first !== undefined) === wanted)
    return { outcome: 'passed', message: wanted ? `${path} is there.` : `${path} is not there, as it should.` };
  if (first === undefined)
    return { outcome: 'failed', reason: 'nothing-found', message: `${path} leads to nothing in the result.` };
  const found = shown(first, hide);
  return {
    outcome: 'failed',
    reason: 'something-found',
    found,
    message: `${path} should not be there; it is ${found}`,
  };
}
