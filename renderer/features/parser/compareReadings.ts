import type { ParseReport } from '../../../src-core/contract/types.ts';

/** What one host makes of one place in the text. */
export interface ComparedCall {
  name: string;
  args: [name: string, value: string][];
}

/** One place where at least one host sees a call, with what each makes of it; several where a host runs it several times. */
export interface ComparedRow {
  start: number;
  end: number;
  /** By dialect, in the order of the reports. */
  cells: { dialect: ParseReport['dialect']; calls: ComparedCall[]; differs: boolean }[];
}

/**
 * Puts the readings of several dialects side by side, by where a block begins. The first one is the measure. Control fields
 * count like arguments: some hosts part them, some do not, and all of them know them.
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
      const columns = reports.map((report) => ({ dialect: report.dialect, calls: callsAt(report, start) }));
      const measure = JSON.stringify(columns[0]?.calls ?? []);
      return {
        start,
        end,
        cells: columns.map((column) => ({ ...column, differs: JSON.stringify(column.calls) !== measure })),
      };
    });
}

/** Where the first of the readings ends that leave out calls; undefined if none does. */
export function comparedTo(reports: readonly ParseReport[]): number | undefined {
  const ends = reports.flatMap(({ omitted, requests }) =>
    (omitted?.calls ?? 0) > 0 ? [requests.at(-1)?.range.end ?? 0] : [],
  );
  return ends.length === 0 ? undefined : Math.min(...ends);
}

function callsAt(report: ParseReport, start: number): ComparedCall[] {
  return report.requests.flatMap((request) => {
    if (request.range.start !== start) return [];
    if (request.raw !== undefined)
      return [{ name: request.raw.name, args: sorted({ ...request.control, ...request.raw.args }) }];
    const plain = { command: request.command, args: request.args };
    return (request.calls ?? [plain]).map(({ command, args }) => ({
      name: command === undefined ? request.toolName : `${request.toolName} · ${command}`,
      args: sorted({ ...args, ...request.control }),
    }));
  });
}

function sorted(args: Record<string, string>): [string, string][] {
  return Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1));
}
