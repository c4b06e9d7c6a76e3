/** Problems that are named. */
const most = 5;

/** Why a list of tools may not be complete: each problem as a sentence of its own. `undefined` if there is none. */
export function listProblem(problems: readonly string[]): string | undefined {
  if (problems.length === 0) return undefined;
  const more = problems.length > most ? [`Further problems: ${problems.length - most}.`] : [];
  return ['Some tools may be missing.', ...problems.slice(0, most), ...more].join(' ');
}
