/** Letters of 5 × 7 dots: five columns from the left, of each the lowest bit at the top. */
const columns: Readonly<Record<string, readonly number[]>> = {
  ' ': [0, 0, 0, 0, 0],
  '-': [8, 8, 8, 8, 8],
  '.': [0, 96, 96, 0, 0],
  ':': [0, 54, 54, 0, 0],
  '0': [62, 81, 73, 69, 62],
  '1': [0, 66, 127, 64, 0],
  '2': [66, 97, 81, 73, 70],
  '3': [33, 65, 69, 75, 49],
  '4': [24, 20, 18, 127, 16],
  '5': [39, 69, 69, 69, 57],
  '6': [60, 74, 73, 73, 48],
  '7': [1, 113, 9, 5, 3],
  '8': [54, 73, 73, 73, 54],
  '9': [6, 73, 73, 41, 30],
  A: [126, 17, 17, 17, 126],
  B: [127, 73, 73, 73, 54],
  C: [62, 65, 65, 65, 34],
  D: [127, 65, 65, 34, 28],
  E: [127, 73, 73, 73, 65],
  F: [127, 9, 9, 9, 1],
  G: [62, 65, 73, 73, 122],
  H: [127, 8, 8, 8, 127],
  I: [0, 65, 127, 65, 0],
  J: [32, 64, 65, 63, 1],
  K: [127, 8, 20, 34, 65],
  L: [127, 64, 64, 64, 64],
  M: [127, 2, 12, 2, 127],
  N: [127, 4, 8, 16, 127],
  O: [62, 65, 65, 65, 62],
  P: [127, 9, 9, 9, 6],
  Q: [62, 65, 81, 33, 94],
  R: [127, 9, 25, 41, 70],
  S: [70, 73, 73, 73, 49],
  T: [1, 1, 127, 1, 1],
  U: [63, 64, 64, 64, 63],
  V: [31, 32, 64, 32, 31],
  W: [63, 64, 56, 64, 63],
  X: [99, 20, 8, 20, 99],
  Y: [7, 8, 112, 8, 7],
  Z: [97, 81, 73, 69, 67],
};

/** Dots from one letter to the next, and of a letter's height. */
export const glyphSize = Object.freeze({ width: 6, height: 7 });

/** The dots of a text in one line, from its upper left; what has no letter is left out as a blank. */
export function* dotsOf(text: string): Generator<{ x: number; y: number }> {
  for (const [index, letter] of [...text.toUpperCase()].entries()) {
    const glyph = Object.hasOwn(columns, letter) ? (columns[letter] ?? []) : [];
    for (const [column, bits] of glyph.entries()) {
      for (let y = 0; y < glyphSize.height; y += 1) {
        if ((bits >> y) & 1) yield { x: index * glyphSize.width + column, y };
      }
    }
  }
}
