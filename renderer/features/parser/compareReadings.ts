import type { ParseReport } from '../../../src-core/contract/types.ts';

/** How one host reads one place in the text. */
export interface ComparedCall {
  name: string;
  args: [name: string, value: string][];
}

/** A place where at least one host reads a call, with the calls that each host reads there. */
export interface ComparedRow {
  start: number;
  end: number;
  /** By dialect, in the order of the reports. `rejections`: why the host does not run these calls. */
  cells: { dialect: ParseReport['dialect']; calls: ComparedCall[]; rejections: string[]; differs: boolean }[];
}

/**
 * Aligns the readings of several dialects by the start of each block. The first one is the reference. Control fields
 * count as arguments: all hosts know them, but only some separate them.
 */
export function compareReadings(reports: readonly ParseReport[]): ComparedRow[] {
  const end = comparedTo(reports) ?? Infinity;
  const places = new Map<number, number>();
  for (const { requests } of reports) {
    for (const { range } of requests) places.set(range.start, Math.max(range.end, places.get(range.start) ?? 0));
  }
  return [...places]
    .filter(([start]) => start < end)
    .sort(([a], [b]) => a - b)
    .map(([start, end]) => {
      const columns = reports.map((report) => ({
        dialect: report.dialect,
        calls: callsAt(report, start),
        rejections: rejectionsAt(report, start),
      }));
      const toMeasure = ({ calls, rejections }: Omit<ComparedRow['cells'][number], 'differs'>) =>
        JSON.stringify([calls, rejections.length > 0]);
      const measure = columns[0] && toMeasure(columns[0]);
      return {
        start,
        end,
        cells: columns.map((column) => ({ ...column, differs: toMeasure(column) !== measure })),
      };
    });
}

/** The earliest end of the readings that omit calls; undefined if none does. */
export function comparedTo(reports: readonly ParseReport[]): number | undefined {
  const ends = reports.flatMap(({ omitted, requests }) =>
    (omitted?.calls ?? 0) > 0 ? [requests.at(-1)?.range.end ?? 0] : [],
  );
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** AIO Hub reads these calls, and returns an error instead of running them. */
function rejectionsAt({ dialect, requests, diagnostics }: ParseReport, start: number): string[] {
  const range = requests.find((request) => request.range.start === start)?.range;
  if (dialect !== 'aiohub' || range === undefined) return [];
  return diagnostics
    .filter((one) => one.severity === 'error' && one.start >= start && one.start < range.end)
    .map(({ message }) => message);
}

function callsAt(report: ParseReport, start: number): ComparedCall[] {
  return report.requests.flatMap((request) => {
    if (request.range.start !== start) return [];
    if (request.raw !== undefined) {
      const { command, ...args } = request.raw.args;
      return [{ name: nameOf(request.raw.name, command), args: sorted({ ...request.control, ...args }) }];
    }
    const plain = { command: request.command, args: request.args };
    return (request.calls ?? [plain]).map(({ command, args }) => ({
      name: nameOf(request.toolName, command),
      args: sorted({ ...args, ...request.control }),
    }));
  });
}

/** Some hosts keep the command among the arguments, and AIO Hub in the name, too. */
function nameOf(toolName: string, command: string | undefined): string {
  return command === undefined ? toolName : `${toolName.replace(`_${command}`, '')} · ${command}`;
}

function sorted(args: Record<string, string>): [string, string][] {
  return Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1));
}
