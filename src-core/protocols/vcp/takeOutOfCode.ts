import { insertAt, removeRange } from './textEdits.ts';
import type { TextEdit, TextRange } from './types.ts';

/** A stretch of code with its delimiters, and where the text in it begins and ends. */
export interface CodeSpan extends TextRange {
  /** All of it, the delimiters included. */
  source: string;
  inline: boolean;
  /** The opening delimiter; of a fence with its info string, without the line break. */
  opening: string;
  /** The closing delimiter. */
  closing: string;
  /** Between the delimiters; of a fence from the line after the opening one. */
  content: TextRange;
  /** The content without the white space around it. */
  text: TextRange;
}

/** Reads the code from `start` to `end`, whose opening run ends at `openEnd` and whose closing run begins at `closeStart`. */
export function readCodeSpan(
  code: string,
  { start, openEnd, closeStart, end, inline }: TextRange & { openEnd: number; closeStart: number; inline: boolean },
): CodeSpan {
  const lineBreak = inline ? -1 : code.indexOf('\n', openEnd - start);
  const contentStart = lineBreak < 0 ? openEnd : Math.min(start + lineBreak + 1, closeStart);
  const content = code.slice(contentStart - start, closeStart - start);
  const textStart = contentStart + content.length - content.trimStart().length;
  return {
    start,
    end,
    source: code,
    inline,
    opening: code.slice(0, contentStart - start).trimEnd(),
    closing: code.slice(closeStart - start),
    content: { start: contentStart, end: closeStart },
    text: { start: textStart, end: Math.max(textStart, contentStart + content.trimEnd().length) },
  };
}

/**
 * The edits that take a call out of the code around it. Code before and after the call stays code: the call then stands
 * between two stretches of it. Nothing but delimiters is removed.
 */
export function takeOutOfCode(call: TextRange, code: CodeSpan): TextEdit[] {
  const isFirst = call.start <= code.text.start;
  const isLast = call.end >= code.text.end;
  const breakAt = (offset: number): string => (code.source[offset - code.start] === '\n' ? '' : '\n');
  const before = code.inline ? code.closing : `${breakAt(call.start - 1)}${code.closing}\n`;
  const after = code.inline ? code.opening : `\n${code.opening}${breakAt(call.end)}`;
  return [
    isFirst ? removeRange({ start: code.start, end: code.content.start }) : insertAt(call.start, before),
    isLast ? removeRange({ start: code.content.end, end: code.end }) : insertAt(call.end, after),
  ];
}
