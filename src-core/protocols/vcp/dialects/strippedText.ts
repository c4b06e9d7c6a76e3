import type { TextRange } from '../../../base/replyTypes.ts';

/** A text without some of its parts, with the original position of each character. */
export interface StrippedText {
  text: string;
  /** What was taken out, in order, in offsets of the source. */
  removed: readonly TextRange[];
  /** The source offset of a character of `text`. */
  toSource(offset: number): number;
  /** The source offset after the character before `offset`. */
  toSourceEnd(offset: number): number;
}

/** Takes ranges, in order and apart, out of a text. */
export function stripText(source: string, removed: readonly TextRange[]): StrippedText {
  if (removed.length === 0)
    return { text: source, removed, toSource: (offset) => offset, toSourceEnd: (offset) => offset };
  const parts: string[] = [];
  /** The position of each removed range, in offsets of the stripped text, and the total removed up to and including it. */
  const cuts: { at: number; gone: number }[] = [];
  let from = 0;
  let gone = 0;
  for (const { start, end } of removed) {
    parts.push(source.slice(from, start));
    cuts.push({ at: start - gone, gone: gone + end - start });
    gone += end - start;
    from = end;
  }
  parts.push(source.slice(from));
  const goneBefore = (offset: number, inclusive: boolean): number => {
    let low = 0;
    let high = cuts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = cuts[middle]?.at ?? 0;
      if (inclusive ? at <= offset : at < offset) low = middle + 1;
      else high = middle;
    }
    return cuts[low - 1]?.gone ?? 0;
  };
  return {
    text: parts.join(''),
    removed,
    toSource: (offset) => offset + goneBefore(offset, true),
    toSourceEnd: (offset) => offset + goneBefore(offset, false),
  };
}
