import type { ErrorReporter } from '../base/reportError.ts';

/** Runs the steps in order, the functions of one step at once. An error is reported, and skips nothing. */
export async function closeInOrder(
  steps: readonly (readonly (() => unknown)[])[],
  onError: ErrorReporter,
): Promise<void> {
  for (const step of steps) {
    const results = await Promise.allSettled(step.map(async (close) => close()));
    for (const result of results) if (result.status === 'rejected') onError(result.reason, 'closing');
  }
}
