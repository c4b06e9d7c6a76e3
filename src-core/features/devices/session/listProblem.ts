import type { ToolList } from './listTools.ts';

/** Problems that are named. */
const most = 5;

/** What is wrong with a list of tools, each problem as a sentence of its own. `undefined` if nothing is. */
export function listProblem({
  problems,
  isWhole,
}: Pick<ToolList, 'problems' | 'isWhole'>):
  | { cause: 'list-incomplete' | 'tools-invalid'; message: string }
  | undefined {
  if (problems.length === 0) return undefined;
  const more = problems.length > most ? [`Further problems: ${problems.length - most}.`] : [];
  const named = [...problems.slice(0, most), ...more];
  return isWhole
    ? { cause: 'tools-invalid', message: named.join(' ') }
    : { cause: 'list-incomplete', message: ['Some tools may be missing.', ...named].join(' ') };
}
