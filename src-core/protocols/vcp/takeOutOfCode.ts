import { fenceIndent, isIndent } from '../fenceLead.ts';
import { isSpace } from './characters.ts';
import { insertAt, removeRange } from '../diagnostics.ts';
import type { TextEdit, TextRange } from '../../base/replyTypes.ts';

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

/** Characters before a call or a delimiter on its line that are looked at. */
const longestIndent = 64;

/**
 * The edits that take a call out of the code around it. Code before and after the call stays code: the call then stands
 * between two stretches of it. Nothing but delimiters and their lines is removed.
 */
export function takeOutOfCode(call: TextRange, code: CodeSpan): TextEdit[] {
  return [takeOutStart(call, code), takeOutEnd(call, code)];
}

function takeOutStart(call: TextRange, code: CodeSpan): TextEdit {
  const { start, source, inline, indent, closing, content, text } = code;
  if (call.start <= text.start) {
    const isIndented = !inline && source.startsWith(indent, content.start - start);
    return removeRange({ start, end: content.start + (isIndented ? indent.length : 0) });
  }
  if (inline) return insertAt(call.start, closing);
  const lineStart = lineStartOf(code, call.start);
  return lineStart === undefined
    ? insertAt(call.start, `\n${indent}${closing}\n${indent}`)
    : insertAt(lineStart, `${indent}${closing}\n`);
}

function takeOutEnd(call: TextRange, code: CodeSpan): TextEdit {
  const { start, end, source, inline, indent, opening, content, text } = code;
  if (call.end >= text.end) {
    const lineStart = inline ? undefined : lineStartOf(code, content.end);
    if (lineStart === undefined) return removeRange({ start: content.end, end });
    const lineBreak = source[lineStart - 2 - start] === '\r' ? 2 : 1;
    return removeRange({ start: Math.max(call.end, lineStart - lineBreak), end });
  }
  if (inline) return insertAt(call.end, opening);
  return insertAt(call.end, `\n${indent}${opening}${source[call.end - start] === '\n' ? '' : `\n${indent}`}`);
}

/** The start of the line in the code on which only an indent is before `offset`. */
function lineStartOf({ start, source }: CodeSpan, offset: number): number | undefined {
  const before = source.slice(Math.max(0, offset - start - longestIndent), offset - start);
  const onLine = before.slice(before.lastIndexOf('\n') + 1);
  return onLine.length < before.length && isIndent(onLine) ? offset - onLine.length : undefined;
}

/** White space or a quote sign. */
function isBlank(code: number): boolean {
  return code === 0x3e || isSpace(code);
}
