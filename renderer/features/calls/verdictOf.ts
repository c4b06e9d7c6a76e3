import { statusOf, verdictOfCode, verdictOfFound, type Verdict } from '../../../src-core/contract/stateWords.ts';
import type { SeriesFigures, ToolExecutionResult } from '../../../src-core/contract/types.ts';

export function verdictOf(result: ToolExecutionResult): Verdict {
  const status = statusOf(result);
  return status === 'error' ? verdictOfCode(result.error?.code) : verdictOfFound({ status });
}

/** The worst of what the calls of a series came to. */
export function verdictOfSeries({ errors, softFailures, mismatches, cancelled }: SeriesFigures): Verdict {
  if (errors.length > 0) return 'error';
  if (softFailures > 0) return 'soft-failure';
  if (mismatches > 0) return 'mismatch';
  return cancelled > 0 ? 'cancelled' : 'ok';
}

/** Whether a call ended before it went out: refused, cancelled before its turn, or its device had left. Its time never began. */
export function neverWentOut(result: ToolExecutionResult): boolean {
  return !hasDuration(result) && result.error?.code !== 'interrupted';
}

/** Whether it is known how long a call took: it went out, and its engine saw its end. */
export function hasDuration({ status, durationMs }: { status: string; durationMs: number }): boolean {
  return status !== 'error' || durationMs > 0;
}
