import { blockSpans } from './blockSpans.ts';
import type { VcpProblem, VcpReading } from './vcpContext.ts';

/** A part of the text that looks like a call and is not run, with what is reported of it. */
export interface RefusedBlock<Problem> {
  start: number;
  end: number;
  /** The tool that it names, if one can be told. */
  name: string | undefined;
  problems: Problem[];
}

/** Codes of problems of a call that stands outside of blocks and is not run. Every error is such a problem, too. */
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

/** How far into a block its tool's name is looked for. */
const maxLook = 2_000;

/** What looks like a call and is not run, in the order of the text: blocks that cannot be read, and calls outside of blocks. */
export function refusedBlocks<Problem extends Pick<VcpProblem, 'code' | 'severity' | 'start' | 'end'>>(
  reading: VcpReading,
  problems: readonly Problem[],
): RefusedBlock<Problem>[] {
  const { text, requests, omitted } = reading;
  // Blocks after the last request of a bounded reading may be calls that it leaves out.
  const limit = (omitted?.calls ?? 0) > 0 ? (requests.at(-1)?.range.end ?? 0) : Infinity;
  const calls = requests.map(({ range }) => ({ ...range, block: undefined }));
  const blocks = blockSpans(reading)
    .filter(({ request, start }) => request === undefined && start < limit)
    .map((span) => ({ ...span, block: refusedBlock<Problem>(text, span) }));
  const known = [...calls, ...blocks].sort((a, b) => a.start - b.start);
  const loose: RefusedBlock<Problem>[] = [];
  let at = 0;
  for (const problem of [...problems].sort((a, b) => a.start - b.start)) {
    if (problem.start >= limit) break;
    while ((known[at]?.end ?? Infinity) <= problem.start) at++;
    const owner = known[at];
    const last = loose.at(-1);
    if (owner !== undefined && owner.start < Math.max(problem.end, problem.start + 1))
      owner.block?.problems.push(problem);
    else if (last !== undefined && problem.start < last.end) last.problems.push(problem);
    else if (problem.severity === 'error' || notRun.has(problem.code))
      loose.push({
        ...refusedBlock<Problem>(text, problem),
        problems: [problem],
      });
  }
  return [...blocks.map(({ block }) => block).filter((block) => block.problems.length > 0), ...loose].sort(
    (a, b) => a.start - b.start,
  );
}

function refusedBlock<Problem>(text: string, { start, end }: { start: number; end: number }): RefusedBlock<Problem> {
  return {
    start,
    end,
    name: toolNameIn(text.slice(start, Math.min(end, start + maxLook))),
    problems: [],
  };
}

/** The tool that a text which is no call names. */
function toolNameIn(text: string): string | undefined {
  return /(?:tool_name\W{0,4}[:：]\s*.始.|"name"\s*:\s*")\s*([^「」『』"\n]{1,80})/.exec(text)?.[1]?.trim();
}
