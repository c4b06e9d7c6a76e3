import { fencedText } from '../../format/fencedText.ts';
import type { Reading } from './useParse.ts';

/** The reading as Markdown, to paste into an issue: text, calls, and what was not executed. English, as issues are. */
export function parseReportText({ text, dialect, calls, diagnostics }: Reading): string {
  const lineOf = lineFinder(text);
  const callParts = calls.map((call, index) => {
    const rows = call.arguments.map(
      ({ name, raw, value, verdict }) =>
        `| ${cell(name)} | ${cell(raw ?? '')} | ${cell(JSON.stringify(value) ?? '')} | ${verdict} |`,
    );
    const target = call.resolution.ok ? call.resolution.qualifiedName : `not resolved: ${call.resolution.error.code}`;
    const command = call.command === undefined ? '' : ` · ${call.command}`;
    const table =
      rows.length === 0 ? [] : ['| argument | as written | as sent | verdict |\n|---|---|---|---|', ...rows];
    return [`### ${String(index + 1)}. ${call.toolName}${command}`, `→ ${target}\n`, ...table].join('\n');
  });
  const remarks = diagnostics.map(
    ({ severity, code, message, start }) => `- line ${String(lineOf(start))}, ${severity}, \`${code}\`: ${message}`,
  );
  return [
    `## VCP reading, dialect ${dialect}`,
    `${String(calls.length)} calls, ${String(diagnostics.length)} remarks`,
    ...callParts,
    ...(remarks.length === 0 ? [] : [`### Remarks\n${remarks.join('\n')}`]),
    `### Text\n${fencedText(text)}`,
  ].join('\n\n');
}

function cell(text: string): string {
  const short = text.length > 200 ? `${text.slice(0, 199)}…` : text;
  return short.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll(/\r?\n/g, '⏎');
}

/** Offset → line, counting from 1, by the line starts. */
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
