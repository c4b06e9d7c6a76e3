import type { VcpProblem } from '../../ui/editor/vcp/vcpContext.ts';

/** Problems of one kind: of the same severity and title. */
export interface ProblemGroup {
  key: string;
  severity: VcpProblem['severity'];
  title: string;
  /** In the order of the text. */
  problems: VcpProblem[];
  /** Those of them that have a fix. */
  fixable: VcpProblem[];
}

/** The problems by kind, in the order of the first of each kind. */
export function groupProblems(problems: readonly VcpProblem[]): ProblemGroup[] {
  const groups = new Map<string, ProblemGroup>();
  for (const problem of problems) {
    const { severity, title } = problem;
    const key = `${severity} ${title}`;
    const group = groups.get(key) ?? { key, severity, title, problems: [], fixable: [] };
    group.problems.push(problem);
    if (problem.fix !== undefined) group.fixable.push(problem);
    groups.set(key, group);
  }
  return [...groups.values()];
}
