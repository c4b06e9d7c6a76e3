import { alignTexts } from '../../../../src-core/base/alignTexts.ts';

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

/** Splits both texts into pieces and marks the words that only one of them has. Marks nothing if a text is very long. */
export function markDifferences(left: string, right: string): { left: DiffPiece[]; right: DiffPiece[] } {
  const [a, b] = [wordsOf(left), wordsOf(right)];
  if (a.length > most || b.length > most)
    return { left: [{ text: left, differs: false }], right: [{ text: right, differs: false }] };
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

/** Maximum number of drawn characters of a line. */
const mostDrawn = 2_000;
/** Characters before the first difference that are drawn with it. */
const drawnBefore = 80;

/** Returns the shown part of two lines: long lines start shortly before their first difference. */
export function shownPart(
  left: string | undefined,
  right: string | undefined,
): { left: string | undefined; right: string | undefined } {
  if ((left?.length ?? 0) <= mostDrawn && (right?.length ?? 0) <= mostDrawn) return { left, right };
  let differ = 0;
  if (left !== undefined && right !== undefined && left !== right) while (left[differ] === right[differ]) differ += 1;
  const from = differ + drawnBefore < mostDrawn ? 0 : differ - drawnBefore;
  const part = (text: string | undefined): string | undefined =>
    text && `${from > 0 ? '…' : ''}${text.slice(from, from + mostDrawn)}${text.length > from + mostDrawn ? '…' : ''}`;
  return { left: part(left), right: part(right) };
}
