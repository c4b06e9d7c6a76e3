/** The smallest single replacement that turns one text into another, so that undo and caret survive. */
export interface TextChange {
  start: number;
  end: number;
  text: string;
}

export function textChange(from: string, to: string): TextChange | undefined {
  if (from === to) return undefined;
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from.charCodeAt(start) === to.charCodeAt(start)) start += 1;
  if (splitsPair(from, start) || splitsPair(to, start)) start -= 1;
  let tail = 0;
  while (tail < most - start && from.charCodeAt(from.length - 1 - tail) === to.charCodeAt(to.length - 1 - tail))
    tail += 1;
  if (splitsPair(from, from.length - tail) || splitsPair(to, to.length - tail)) tail -= 1;
  return { start, end: from.length - tail, text: to.slice(start, to.length - tail) };
}

/** Spans of the text before a change at their places in the text after it, without those that it touches. */
export function outsideChange<Span extends { start: number; end: number }>(
  spans: readonly Span[],
  { start, end, text }: TextChange,
): Span[] {
  const moved = start + text.length - end;
  return spans.flatMap((span) => {
    if (span.end < start) return [span];
    return span.start > end ? [{ ...span, start: span.start + moved, end: span.end + moved }] : [];
  });
}

/** Whether a cut at `offset` would part a surrogate pair, or CR from LF. */
function splitsPair(text: string, offset: number): boolean {
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset);
  return (
    (before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff) || (before === 13 && after === 10)
  );
}
