import { Finder, nowhere } from '../finder.ts';
import type { TextRange } from '../types.ts';

/** What AIO Hub takes for code: ``` to the next ``` or the end of the text, and one line's text between backticks. */
export function findCodeRanges(text: string): TextRange[] {
  const window = { text, base: 0, end: text.length };
  const tick = new Finder('`');
  const fence = new Finder('```');
  const newline = new Finder('\n');
  const ranges: TextRange[] = [];
  for (let at = tick.find(window, 0); at !== nowhere; at = tick.find(window, at)) {
    if (fence.find(window, at) === at) {
      const close = fence.find(window, at + 3);
      const end = close === nowhere ? text.length : close + 3;
      ranges.push({ start: at, end });
      at = end;
      continue;
    }
    const close = tick.find(window, at + 1);
    if (close < newline.find(window, at) && close > at + 1) {
      ranges.push({ start: at, end: close + 1 });
      at = close + 1;
    } else at++;
  }
  return ranges;
}
