import { alignTexts } from './alignTexts.ts';

/** A part of a text; `differs` is set if the other text differs there. */
export interface DiffPiece {
  text: string;
  differs: boolean;
}

/**
 * Maximum number of words of a compared text. The number of steps is the product of both word counts, about 1 ms for
 * each of the 50 lines in view.
 */
const most = 400;

/**
 * Splits both texts into pieces and marks the words that only one of them has. Marks nothing if a text is very long.
 */
export function markDifferences(left: string, right: string): { left: DiffPiece[]; right: DiffPiece[] } {
  const [a, b] = [wordsOf(left), wordsOf(right)];
  if (a.length > most || b.length > most) {
    return { left: [{ text: left, differs: false }], right: [{ text: right, differs: false }] };
  }
  const pieces: { left: DiffPiece[]; right: DiffPiece[] } = { left: [], right: [] };
  for (const [one, other] of alignTexts(a, b)) {
    if (one !== undefined) add(pieces.left, one, other === undefined);
    if (other !== undefined) add(pieces.right, other, one === undefined);
  }
  return pieces;
}

/** Words, single Chinese characters, spaces and signs. */
function wordsOf(text: string): string[] {
  return text.match(/\p{Script=Han}|[\p{L}\p{N}_]+|\s+|[^\s]/gu) ?? [];
}

function add(pieces: DiffPiece[], text: string, differs: boolean): void {
  const last = pieces.at(-1);
  if (last?.differs === differs) last.text += text;
  else pieces.push({ text, differs });
}
