/** A stretch of a text; `differs` where the other text has something else. */
export interface DiffPiece {
  text: string;
  differs: boolean;
}

/** Words beyond which two texts are not compared: it takes as many steps as the product of both. */
const most = 1_500;

/** Both texts in pieces, with the words that only one of them has. Nothing is marked where one of them is very long. */
export function markDifferences(left: string, right: string): { left: DiffPiece[]; right: DiffPiece[] } {
  const [a, b] = [wordsOf(left), wordsOf(right)];
  if (a.length > most || b.length > most) {
    return { left: [{ text: left, differs: false }], right: [{ text: right, differs: false }] };
  }
  const width = b.length + 1;
  // Cell (i, j): how many words in order a[i…] and b[j…] have in common.
  const common = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pieces: { left: DiffPiece[]; right: DiffPiece[] } = { left: [], right: [] };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [one, other] = [a[i], b[j]];
    if (one !== undefined && one === other) {
      add(pieces.left, one, false);
      add(pieces.right, one, false);
      i += 1;
      j += 1;
    } else if (other === undefined || (one !== undefined && at(i + 1, j) >= at(i, j + 1))) {
      add(pieces.left, one ?? '', true);
      i += 1;
    } else {
      add(pieces.right, other, true);
      j += 1;
    }
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
