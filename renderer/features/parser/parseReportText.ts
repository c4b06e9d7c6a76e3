import type { ArgumentPreview, ToolErrorInfo } from '../../../src-core/contract/types.ts';
import { fencedText } from '../../ui/format/fencedText.ts';
import { shorten } from '../../ui/format/shorten.ts';
import type { Reading } from './useParse.ts';

/** The reading as Markdown to paste into an issue: text, calls, and what was not executed. Always in English. */
export function parseReportText(reading: Reading): string {
  const { text, dialect, calls, requests, diagnostics } = reading;
  const lineOf = lineFinder(text);
  const callParts = calls.map((call, index) => {
    const rows = call.arguments.map(
      ({ name, raw, valueJson, verdict, message }) =>
        `| ${[name, raw ?? '', sent(verdict, valueJson), said(verdict, message)].map(cell).join(' | ')} |`,
    );
    const target = call.resolution.ok ? call.resolution.qualifiedName : refusal(call.resolution.error);
    const control = Object.entries(requests[call.request]?.control ?? {}).map(
      ([key, value]) => `- ${key}: ${key === 'tool_password' ? '••••••' : cell(value)}`,
    );
    const command = call.command === undefined ? '' : ` · ${call.command}`;
    const table =
      rows.length === 0 ? [] : ['| argument | as written | as sent | verdict |\n|---|---|---|---|', ...rows];
    return [
      `### ${String(index + 1)}. ${call.toolName}${command}`,
      `→ ${target}\n`,
      ...table,
      ...(control.length === 0 ? [] : [`\nControl fields:\n\n${control.join('\n')}`]),
    ].join('\n');
  });
  const problems = diagnostics.map(
    ({ severity, code, message, start, fix }) =>
      `- line ${String(lineOf(start))}, ${severity}, \`${code}\`: ${message}${fix === undefined ? '' : ` Fix: ${fix.title}.`}`,
  );
  return [
    `## Reading of a reply, dialect ${dialect}`,
    `${count(calls.length, 'call')}, ${count(diagnostics.length, 'problem')}`,
    ...callParts,
    ...(problems.length === 0 ? [] : [`### Problems\n${problems.join('\n')}`]),
    ...(reading.omitted === undefined ? [] : [omittedText(reading.omitted)]),
    `### Text\n${fencedText(withoutPasswords(reading))}`,
  ].join('\n\n');
}

function omittedText({ calls, diagnostics }: NonNullable<Reading['omitted']>): string {
  return `Not listed: ${count(calls, 'more call')}, ${count(diagnostics, 'more problem')}.`;
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
  const rest = isCut ? `… (${count(whole.length - text.length, 'more character')})` : '';
  return shown + text.slice(from) + rest;
}

function refusal({ code, candidates = [] }: ToolErrorInfo): string {
  return `not resolved: ${code}${candidates.length === 0 ? '' : `; nearest: ${candidates.join(', ')}`}`;
}

function sent(verdict: ArgumentPreview['verdict'], json = ''): string {
  return verdict === 'default-not-sent' ? `not sent${json === '' ? '' : ` (default in the schema: ${json})`}` : json;
}

function said(verdict: ArgumentPreview['verdict'], message: string | undefined): string {
  return verdict === 'ok' || verdict === 'converted' || message === undefined ? verdict : `${verdict}: ${message}`;
}

function count(many: number, noun: string): string {
  return `${many.toLocaleString('en')} ${noun}${many === 1 ? '' : 's'}`;
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
