import type { Picture } from '../../../../deviceSide/managers/picture.ts';
import { encodePng } from './encodePng.ts';
import { dotsOf, glyphSize } from './glyphs.ts';

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
    for (const { x, y } of dotsOf(text)) {
      fill(left + x * scale, top + y * scale, left + (x + 1) * scale, top + (y + 1) * scale, light);
    }
  };
  fill(0, 0, width, height, dark);
  const barWidth = (width - 2 * margin) / bars.length;
  for (const index of bars.keys()) fill(margin + index * barWidth, margin, margin + (index + 1) * barWidth, 120, index);
  const greyWidth = (width - 2 * margin) / greys.length;
  for (const index of greys.keys()) {
    fill(margin + index * greyWidth, 124, margin + (index + 1) * greyWidth, 148, bars.length + index);
  }
  write(title.slice(0, 24), 162, 2);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  write(local.slice(11, 19), 184, 4);
  write(local.slice(0, 10), 220, 2);
  return { mimeType: 'image/png', data: Uint8Array.from(encodePng({ width, height, palette, dots })) };
}
