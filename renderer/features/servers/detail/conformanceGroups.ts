import type { ConformanceScenario, ConformanceState } from '../../../../src-core/contract/types.ts';

/** Real faults first; scenarios that say nothing about the server last. */
const scenarioGroups = ['faults', 'passed', 'fixtures', 'notApplicable', 'notRun'] as const;
type ScenarioGroup = (typeof scenarioGroups)[number];

/** A scenario in the list. */
export interface ScenarioRow {
  name: string;
  required: boolean;
  verdict?: 'passed' | 'failed';
  /** The message of the first check that failed, or what is missing. */
  summary?: string;
  result?: ConformanceScenario;
}

/** The scenarios of a revision by what they say, without empty groups. */
export function groupsOf(
  known: { required: string[]; more: string[] } | undefined,
  results: readonly ConformanceScenario[],
): { group: ScenarioGroup; rows: ScenarioRow[] }[] {
  const { required = [], more = [] } = known ?? {};
  const byName = new Map(results.map((result) => [result.name, result]));
  const rows = [...required, ...more].map((name): ScenarioRow & { group: ScenarioGroup } => {
    const result = byName.get(name);
    const common = { name, required: required.includes(name) };
    if (result === undefined) return { ...common, group: 'notRun' };
    return { ...common, group: groupOf(result), verdict: result.verdict, summary: summaryOf(result), result };
  });
  return scenarioGroups
    .map((group) => ({ group, rows: rows.filter((row) => row.group === group) }))
    .filter((each) => each.rows.length > 0);
}

function groupOf({ gap, verdict }: ConformanceScenario): ScenarioGroup {
  if (gap?.because === 'fixtures') return 'fixtures';
  if (gap !== undefined) return 'notApplicable';
  return verdict === 'passed' ? 'passed' : 'faults';
}

function summaryOf({ checks, gap }: ConformanceScenario): string {
  if (gap !== undefined && gap.missing.length > 0) return gap.missing.join(', ');
  const failed = checks.find(({ status }) => status === 'failure') ?? checks.find(({ status }) => status === 'warning');
  return failed?.message ?? failed?.description ?? '';
}

/** How many scenarios of the last run passed; the figures of a run that continues are in the tab. */
export function shownCount({ results, running }: ConformanceState): string | undefined {
  const last = results.toSorted((a, b) => b.at - a.at)[0];
  return running || !last ? undefined : `${last.passed}/${last.total}`;
}
