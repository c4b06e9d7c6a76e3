import { crc32, deflateSync } from 'node:zlib';

import type { Picture } from '../../../../deviceSide/managers/picture.ts';

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
const glyphSize = Object.freeze({ width: 6, height: 7 });

const width = 320;
const height = 240;
const bars = ['#e8e8e8', '#d8c52e', '#35b9bd', '#3fae49', '#b549b0', '#c4453c', '#3b57c4', '#1c1f26'];
const greys = Array.from({ length: 16 }, (_, step) => `#${(step * 17).toString(16).padStart(2, '0').repeat(3)}`);
const palette = [...bars, ...greys, '#10131a', '#f4f6fb'];
const dark = palette.length - 2;
const light = palette.length - 1;
const margin = 8;

/**
 * A picture that shows where it comes from and when it was taken: colour bars, greys, and lines of text, 320 × 240, as
 * PNG. Each second another, so that a stale picture is seen.
 */
export function drawTestCard({ title, at }: { title: string; at: Date }): Picture {
  const dots = new Uint8Array(width * height);
  const fill = (left: number, top: number, right: number, bottom: number, colour: number): void => {
    for (let y = top; y < bottom; y += 1) dots.fill(colour, y * width + left, y * width + right);
  };
  const write = (text: string, top: number, scale: number): void => {
    const left = Math.round((width - text.length * glyphSize.width * scale) / 2);
    for (const { x, y } of dotsOf(text))
      fill(left + x * scale, top + y * scale, left + (x + 1) * scale, top + (y + 1) * scale, light);
  };
  fill(0, 0, width, height, dark);
  const barWidth = (width - 2 * margin) / bars.length;
  for (const index of bars.keys()) fill(margin + index * barWidth, margin, margin + (index + 1) * barWidth, 120, index);
  const greyWidth = (width - 2 * margin) / greys.length;
  for (const index of greys.keys())
    fill(margin + index * greyWidth, 124, margin + (index + 1) * greyWidth, 148, bars.length + index);
  write(title.slice(0, 24), 162, 2);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  write(local.slice(11, 19), 184, 4);
  write(local.slice(0, 10), 220, 2);
  return { mimeType: 'image/png', data: Uint8Array.from(encodePng({ width, height, palette, dots })) };
}

/** An image of colours from a palette, one byte a dot, row by row. */
interface PaletteImage {
  width: number;
  height: number;
  /** `#rrggbb`, at most 256. */
  palette: readonly string[];
  dots: Uint8Array;
}

/** The image as a PNG file (PNG 1.2: colour type 3, no filter, no interlace). */
function encodePng({ width, height, palette, dots }: PaletteImage): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  // Each row begins with its filter: none.
  for (let y = 0; y < height; y += 1) rows.set(dots.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.map((colour) => colour.slice(1)).join(''), 'hex')),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** The dots of a text in one line, from its upper left; what has no letter is left out as a blank. */
function* dotsOf(text: string): Generator<{ x: number; y: number }> {
  for (const [index, letter] of [...text.toUpperCase()].entries()) {
    const glyph = Object.hasOwn(columns, letter) ? (columns[letter] ?? []) : [];
    for (const [column, bits] of glyph.entries()) {
      for (let y = 0; y < glyphSize.height; y += 1)
        if ((bits >> y) & 1) yield { x: index * glyphSize.width + column, y };
    }
  }
}
