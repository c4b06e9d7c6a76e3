import type { ToolExecutionResult } from '../../../src-core/contract/types.ts';

/** How a call ended, as the window shows it (UI.md, "result"). */
export type Verdict =
  | 'ok'
  | 'soft-failure'
  | 'error'
  | 'refused'
  | 'cancelled'
  | 'timed-out'
  | 'disconnected'
  | 'interrupted';

/** Codes of calls that never went out: refused before the tool was reached. */
const refusals: ReadonlySet<string> = new Set([
  'not-authorized',
  'confirmation-required',
  'invalid-name',
  'unknown-tool',
  'unknown-method',
  'ambiguous-name',
  'not-agent-callable',
  'tool-withheld',
  'unusable-method',
  'tool-disabled',
  'repeated-call',
  'invalid-arguments',
]);

export function verdictOf(result: ToolExecutionResult): Verdict {
  if (result.status === 'success') return result.softFailure === undefined ? 'ok' : 'soft-failure';
  return verdictOfCode(result.error?.code ?? 'tool-error');
}

/** Whether a call ended before it went out: refused, cancelled before its turn, or its device had left. Its time never began. */
export function neverWentOut(result: ToolExecutionResult): boolean {
  return !hasDuration(result) && result.error?.code !== 'interrupted';
}

/** Whether it is known how long a call took: it went out, and its engine saw its end. */
export function hasDuration({ status, durationMs }: { status: string; durationMs: number }): boolean {
  return status !== 'error' || durationMs > 0;
}

/** How a call that failed ended, by the code of its error. */
export function verdictOfCode(code: string): Verdict {
  if (code === 'cancelled') return 'cancelled';
  if (code === 'timeout') return 'timed-out';
  if (code === 'disconnected' || code === 'interrupted') return code;
  return refusals.has(code) ? 'refused' : 'error';
}
