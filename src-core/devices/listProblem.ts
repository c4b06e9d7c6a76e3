/** Why a list of tools is not whole, as a sentence; `undefined` where it is. */
export function listProblem(problems: readonly string[]): string | undefined {
  if (problems.length === 0) return undefined;
  const more = problems.length > 5 ? `; and ${problems.length - 5} more` : '';
  return `Some tools may be missing: ${problems.slice(0, 5).join('; ')}${more}.`;
}
