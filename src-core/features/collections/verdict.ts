import type { Assertion } from './format.ts';

/** Why an assertion did not pass. */
export type VerdictReason =
  | 'status' // another status or error code
  | 'soft-failure'
  | 'nothing-found' // the path leads nowhere
  | 'something-found' // and should not
  | 'differs'
  | 'too-slow'
  | 'does-not-fit' // the schema
  | 'cannot-check' // a bad path or pattern; a check that took too long; of a result that was not kept whole: skipped
  | 'no-history'; // too few runs to compare with: skipped

/** What came of one assertion. */
export interface Verdict {
  assertion: Assertion;
  outcome: 'passed' | 'failed' | 'skipped';
  reason?: VerdictReason;
  /** What was there instead, shortened. */
  found?: string;
  /** In a sentence, English; the window words `reason` in its own language. */
  message: string;
}
