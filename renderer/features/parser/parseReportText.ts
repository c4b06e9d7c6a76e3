import { fencedText } from '../../ui/format/fencedText.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { shorten } from '../../ui/format/shorten.ts';
import { visibleText } from '../../ui/format/visibleText.ts';
import { refusedBlocks } from '../../ui/editor/vcp/refusedBlocks.ts';
import { t } from '../../i18n/index.ts';
import { countOf, omittedCards } from './countOf.ts';
import { problemSeverities } from './problemLooks.ts';
import { problemsOf } from './problemsOf.ts';
import type { Reading } from './useParse.ts';

/** The reading as Markdown to paste into an issue: calls, problems as the window lists them, and the text. */
export function parseReportText(reading: Reading, tools?: Parameters<typeof problemsOf>[1]): string {
  const { text, dialect, reason, calls, requests, omitted } = reading;
  const lineOf = lineFinder(text);
  const callParts = calls.map((call, index) => {
    // The arguments of an unknown tool are neither converted nor validated.
    const shown = call.resolution.ok ? 4 : 2;
    const toRow = (cells: string[]): string => `| ${cells.slice(0, shown).join(' | ')} |`;
    const rows = call.arguments.map(({ name, raw = '', valueJson = '', verdict }) => {
      const sent = verdict === 'default-not-sent' ? t('parser.calls.notSent') : valueJson;
      return toRow([name, raw, sent, t(`parser.calls.verdicts.${verdict}`)].map(cell));
    });
    const control = Object.entries(requests[call.request]?.control ?? {}).map(
      ([key, value]) => `- ${key}: ${key === 'tool_password' ? '••••••' : cell(value)}`,
    );
    const command = call.command === undefined ? '' : ` · ${call.command}`;
    const heads = (['argument', 'written', 'sent', 'verdict'] as const).map((key) => t(`parser.calls.${key}`));
    const table = rows.length === 0 ? [] : [`${toRow(heads)}\n${'|---'.repeat(shown)}|`, ...rows];
    const lines = [
      `### ${String(index + 1)}. ${call.toolName}${command}`,
      `→ ${call.resolution.ok ? call.resolution.qualifiedName : t('parser.calls.notRun')}\n`,
      ...table,
      ...(control.length === 0 ? [] : [`\n${control.join('\n')}`]),
    ];
    return { start: requests[call.request]?.range.start ?? 0, part: lines.join('\n') };
  });
  const problems = problemsOf(reading, tools);
  const refused = refusedBlocks(reading, problems).map(({ start, name = t('parser.calls.noName') }) => {
    return { start, part: `### ${t('parser.calls.notRunNamed', { name: visibleText(name) })}` };
  });
  const parts = [...callParts, ...refused].sort((a, b) => a.start - b.start).map(({ part }) => part);
  const problemParts = problemSeverities.flatMap((severity) => {
    const ofSeverity = problems.filter((problem) => problem.severity === severity);
    const lines = ofSeverity.map(({ start, title, why, fix }) => {
      const parts = [t('parser.problems.line', { line: lineOf(start) }), title, why, fix && `→ ${fix.title}`];
      return `- ${parts.filter(Boolean).join(' · ')}`;
    });
    return lines.length === 0 ? [] : [`### ${t(`parser.problems.severity.${severity}`)}\n${lines.join('\n')}`];
  });
  const fact = (name: string, value: string): string => t('parser.reportFact', { name, value });
  const callCount = fact(t('parser.calls.title'), countOf(parts.length, omittedCards(reading)));
  const problemCount = fact(t('parser.problems.title'), countOf(problems.length, omitted?.diagnostics));
  const read = t(`parser.dialects.${dialect}`);
  const chosen = reason === undefined ? read : t('parser.chosenAutomatically', { dialect: read });
  return [
    `## ${t('parser.title')} · ${fact(t('parser.dialect'), chosen)}`,
    `${callCount} · ${problemCount}`,
    ...parts,
    ...problemParts,
    `### ${t('parser.editor')}\n${fencedText(withoutPasswords(reading))}`,
  ].join('\n\n');
}

/**
 * Removes the values of passwords, since others read the issue, and keeps the lines of the text. Passwords are located
 * only up to the last region, so the text ends there.
 */
function withoutPasswords({ text: whole, regions, omitted }: Reading): string {
  const isCut = (omitted?.regions ?? 0) > 0;
  const text = isCut ? whole.slice(0, regions.at(-1)?.end ?? 0) : whole;
  let shown = '';
  let from = 0;
  let key = '';
  for (const { kind, start, end } of regions) {
    if (kind === 'key') key = text.slice(start, end);
    if (kind !== 'control' || key !== 'tool_password') continue;
    shown += `${text.slice(from, start)}••••••`;
    from = end;
  }
  const rest = isCut ? `… (+${formatCount(whole.length - text.length)})` : '';
  return shown + text.slice(from) + rest;
}

function cell(text: string): string {
  const short = shorten(text, 200);
  return short.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll(/\r?\n/g, '⏎');
}

/** Returns a function that maps an offset to its line, counting from 1. */
export function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
