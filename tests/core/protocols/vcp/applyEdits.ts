import type { TextEdit } from '../../../../src-core/base/replyTypes.ts';

/** The text after edits that do not overlap, as an editor makes them. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((edited, { start, end, newText }) => edited.slice(0, start) + newText + edited.slice(end), text);
}
