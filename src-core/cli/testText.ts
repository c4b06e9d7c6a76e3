import type { CallReport, RunReport } from '../features/collections/report.ts';
import { firstLine } from './firstLine.ts';

const marks = { passed: 'ok     ', failed: 'FAILED ', skipped: 'skipped' } as const;

/** One call of a run: a line, and a line for each thing that was not as it should be. */
export function callLines({ name, file, verdict, durationMs, message, checks }: CallReport): string {
  const time = durationMs === undefined ? '' : `  ${Math.round(durationMs)} ms`;
  const where = verdict === 'passed' ? '' : `  (${firstLine(file)})`;
  const words = checks
    .filter(({ outcome }) => outcome !== 'passed')
    .map((check) => `${word[check.outcome]}${check.message}`);
  if (message !== undefined) words.push(message);
  return [
    `  ${marks[verdict]} ${firstLine(name)}${time}${where}`,
    ...words.map((each) => `          ${firstLine(each)}`),
    '',
  ].join('\n');
}

const word = { passed: '', failed: '', skipped: 'not checked: ' } as const;

/** How the runs came out, in numbers. */
export function summaryLine(runs: readonly RunReport[]): string {
  const calls = runs.flatMap((run) => run.calls);
  const of = (verdict: CallReport['verdict']): number => calls.filter((call) => call.verdict === verdict).length;
  const stopped = runs.some((run) => run.stopped === true || run.error !== undefined) ? '; stopped half-way' : '';
  return `${of('passed')} passed, ${of('failed')} failed, ${of('skipped')} skipped${stopped}.\n`;
}
