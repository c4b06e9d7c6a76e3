import type { TextEdit, TextRange } from '../../base/replyTypes.ts';

/** Puts text at an offset. */
export function insertAt(offset: number, newText: string): TextEdit {
  return { start: offset, end: offset, newText };
}

/** Puts text in the place of a range. */
export function replaceRange({ start, end }: TextRange, newText: string): TextEdit {
  return { start, end, newText };
}

/** Takes a range out. */
export function removeRange({ start, end }: TextRange): TextEdit {
  return { start, end, newText: '' };
}
