import { isSpace } from './characters.ts';
import { insertAt, removeRange } from './textEdits.ts';
import type { TextEdit, TextRange } from './types.ts';

/** A stretch of code with its delimiters, and where the text in it begins and ends. */
export interface CodeSpan extends TextRange {
  /** All of it, the delimiters included. */
  source: string;
  inline: boolean;
  /** Of a fence: what a line of its list or quotation begins with. */
  indent: string;
  /** The opening delimiter; of a fence with its info string, without the line break. */
  opening: string;
  /** The closing delimiter. */
  closing: string;
  /** Between the delimiters; of a fence from the line after the opening one. */
  content: TextRange;
  /** The content without the white space and quote signs around it. */
  text: TextRange;
}

/**
 * Reads the code from `start` to `end`, whose opening run ends at `openEnd` and whose closing run begins at `closeStart`;
 * `before` is what stands before a fence on its line.
 */
export function readCodeSpan(
  code: string,
  {
    start,
    openEnd,
    closeStart,
    end,
    inline,
    before,
  }: TextRange & { openEnd: number; closeStart: number; inline: boolean; before: string },
): CodeSpan {
  const lineBreak = inline ? -1 : code.indexOf('\n', openEnd - start);
  const contentStart = lineBreak < 0 ? openEnd : Math.min(start + lineBreak + 1, closeStart);
  const content = code.slice(contentStart - start, closeStart - start);
  let textStart = 0;
  while (textStart < content.length && isBlank(content.charCodeAt(textStart))) textStart++;
  let textEnd = content.length;
  while (textEnd > textStart && isBlank(content.charCodeAt(textEnd - 1))) textEnd--;
  return {
    start,
    end,
    source: code,
    inline,
    indent: fenceIndent(before),
    opening: code.slice(0, contentStart - start).trimEnd(),
    closing: code.slice(closeStart - start),
    content: { start: contentStart, end: closeStart },
    text: { start: contentStart + textStart, end: contentStart + textEnd },
  };
}

/** Characters before a call on its line that are looked at. */
const longestIndent = 64;

/**
 * What a further line of a list or quotation begins with, by the text before a fence on its line: blanks replace bullets and
 * numbers. Empty if there is other text.
 */
export function fenceIndent(before: string): string {
  return isIndent(before) ? before.replaceAll(/[^\t>]/g, ' ') : '';
}

/** Blanks, quote signs, bullets and numbers of a list. */
function isIndent(text: string): boolean {
  return /^[ \t>*+.)\d-]*$/.test(text);
}

/**
 * The edits that take a call out of the code around it. Code before and after the call stays code: the call then stands
 * between two stretches of it. Nothing but delimiters is removed.
 */
export function takeOutOfCode(call: TextRange, code: CodeSpan): TextEdit[] {
  return [takeOutStart(call, code), takeOutEnd(call, code)];
}

function takeOutStart(call: TextRange, { start, source, inline, indent, closing, content, text }: CodeSpan): TextEdit {
  if (call.start <= text.start) {
    const isIndented = !inline && source.startsWith(indent, content.start - start);
    return removeRange({ start, end: content.start + (isIndented ? indent.length : 0) });
  }
  if (inline) return insertAt(call.start, closing);
  const before = source.slice(Math.max(0, call.start - start - longestIndent), call.start - start);
  const onLine = before.slice(before.lastIndexOf('\n') + 1);
  return onLine.length < before.length && isIndent(onLine)
    ? insertAt(call.start - onLine.length, `${indent}${closing}\n`)
    : insertAt(call.start, `\n${indent}${closing}\n${indent}`);
}

function takeOutEnd(
  call: TextRange,
  { start, end, source, inline, indent, opening, content, text }: CodeSpan,
): TextEdit {
  if (call.end >= text.end) return removeRange({ start: content.end, end });
  if (inline) return insertAt(call.end, opening);
  return insertAt(call.end, `\n${indent}${opening}${source[call.end - start] === '\n' ? '' : `\n${indent}`}`);
}

/** White space or a quote sign. */
function isBlank(code: number): boolean {
  return code === 0x3e || isSpace(code);
}
