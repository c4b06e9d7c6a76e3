import { fenceIndent, isIndent, longestLead } from '../fenceLead.ts';
import type { TextEdit } from '../parse.ts';
import { unclosedFenceDiagnostic } from './diagnostics.ts';
import type { Fence } from './fences.ts';
import { jsonLanguages } from './readCode.ts';
import type { Reading } from './reading.ts';

/**
 * The text has been read: reports the fences that are still open. Only the first has a fix: a line that closes another may
 * close it.
 */
export function reportUnclosedFences(reading: Reading): void {
  const { text, unclosedFences, runs, diagnostics } = reading;
  for (const fence of unclosedFences) {
    const { start, content } = fence;
    const isFirst = fence === unclosedFences[0];
    const next = isFirst ? runs.findIndex((run) => run.start >= content.start) : -1;
    const isBeforeCall = next >= 0 && !holdsOnlyCalls(reading, fence, next);
    const close = isFirst ? closing(text, fence, isBeforeCall ? runs[next]?.start : undefined) : undefined;
    diagnostics.push(unclosedFenceDiagnostic({ start, end: content.start }, { close, isBeforeCall }));
  }
}

/** Closes the fence before the call at `call`, or at the end. */
function closing(text: string, { start, delimiter }: Fence, call: number | undefined): TextEdit {
  const indent = fenceIndent(beforeOnLine(text, start));
  const line = indent + delimiter;
  return call === undefined ? closeAtEnd(text, line) : closeBefore(text, call, { line, indent });
}

/** Whether nothing but bare calls, from that with the index `first`, follows a fence that may hold them: closed, it is theirs. */
function holdsOnlyCalls(reading: Reading, { language, content }: Fence, first: number): boolean {
  if (!jsonLanguages.has(language)) return false;
  let end = content.start;
  for (let index = first; index < reading.runs.length; index++) {
    const run = reading.runs[index];
    if (run?.isBare !== true || !isBlank(reading, end, run.start)) return false;
    end = run.end;
  }
  return isBlank(reading, end, reading.text.length);
}

function isBlank({ text }: Reading, start: number, end: number): boolean {
  let at = start;
  while (at < end && ' \t\r\n'.includes(text.charAt(at))) at++;
  return at === end;
}

function closeAtEnd(text: string, line: string): TextEdit {
  return { start: text.length, end: text.length, newText: text.endsWith('\n') ? line : `\n${line}` };
}

/** On a line of its own before that of the call, or before the call if other text is on its line. */
function closeBefore(text: string, call: number, { line, indent }: { line: string; indent: string }): TextEdit {
  const before = beforeOnLine(text, call);
  const isFirst = isIndent(before) && text[call - before.length - 1] === '\n';
  const start = isFirst ? call - before.length : call;
  return { start, end: start, newText: isFirst ? `${line}\n` : `\n${line}\n${indent}` };
}

/** What stands before `end` on its line, as far as 32 characters before it. */
function beforeOnLine(text: string, end: number): string {
  const before = text.slice(Math.max(0, end - longestLead), end);
  return before.slice(before.lastIndexOf('\n') + 1);
}
