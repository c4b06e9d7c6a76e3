import type { ReplyDiagnostic, ReplyReading } from '../base/replyTypes.ts';

/** A request block in the text, and whether it is a call. */
export interface BlockSpan {
  start: number;
  end: number;
  /** Index into `requests`; absent if the block is not executed. */
  request?: number;
}

/** The blocks of a reading, in order: the stretch of all regions that name the same block. */
export function blockSpans({ regions, requests }: Pick<ReplyReading, 'regions' | 'requests'>): BlockSpan[] {
  const spans = new Map<number, BlockSpan>();
  for (const { block, start, end } of regions) {
    if (block === undefined) continue;
    const span = spans.get(block);
    if (span === undefined) spans.set(block, { start, end });
    else span.end = end;
  }
  const byStart = new Map(requests.map((request, index) => [request.range.start, index]));
  return [...spans.values()].map((span) => {
    const request = byStart.get(span.start);
    return request === undefined ? span : { ...span, request };
  });
}

/** A part of the text that looks like a call and is not run, with what is reported of it. */
export interface RefusedSpan<Problem> {
  start: number;
  end: number;
  problems: Problem[];
}

/** Codes of problems of a call that is outside of blocks and is not run. Every error is one, too. */
const notRun: ReadonlySet<string> = new Set([
  'fenced',
  'in-reasoning',
  'echoed-result',
  'inline-call',
  'other-protocol',
  'unclosed-block',
  'empty-block',
  'stream-fragment',
]);

/** What looks like a call and is not run, in the order of the text: blocks that cannot be read, and calls outside of blocks. */
export function refusedSpans<Problem extends Pick<ReplyDiagnostic, 'severity' | 'start' | 'end'> & { code: string }>(
  reading: Pick<ReplyReading, 'requests' | 'regions' | 'omitted'>,
  problems: readonly Problem[],
): RefusedSpan<Problem>[] {
  const { requests, omitted } = reading;
  // Blocks after the last request of a bounded reading may be calls that it leaves out.
  const limit = (omitted?.calls ?? 0) > 0 ? (requests.at(-1)?.range.end ?? 0) : Infinity;
  const calls = requests.map(({ range }) => ({ ...range, problems: undefined }));
  const blocks = blockSpans(reading)
    .filter(({ request, start }) => request === undefined && start < limit)
    .map(({ start, end }): RefusedSpan<Problem> => ({ start, end, problems: [] }));
  const known = [...calls, ...blocks].sort((a, b) => a.start - b.start);
  const loose: RefusedSpan<Problem>[] = [];
  let at = 0;
  for (const problem of [...problems].sort((a, b) => a.start - b.start)) {
    if (problem.start >= limit) break;
    while ((known[at]?.end ?? Infinity) <= problem.start) at++;
    const owner = known[at];
    const last = loose.at(-1);
    if (owner !== undefined && owner.start < Math.max(problem.end, problem.start + 1)) owner.problems?.push(problem);
    else if (last !== undefined && problem.start < last.end) last.problems.push(problem);
    else if (problem.severity === 'error' || notRun.has(problem.code))
      loose.push({ start: problem.start, end: problem.end, problems: [problem] });
  }
  return [...blocks.filter((block) => block.problems.length > 0), ...loose].sort((a, b) => a.start - b.start);
}
