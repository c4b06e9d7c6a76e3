/** ms of the runs that passed, in their order: those that failed say nothing of how long the call should take. */
export function passedDurations(
  runs: readonly { verdict: 'passed' | 'failed' | 'skipped'; durationMs?: number | undefined }[],
): number[] {
  return runs.flatMap(({ verdict, durationMs }) =>
    verdict === 'passed' && durationMs !== undefined ? [durationMs] : [],
  );
}
