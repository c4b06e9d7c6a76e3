import { alignTexts } from './alignTexts.ts';

/** A line of a comparison. `gap`: unchanged lines were left out here. */
export interface DiffLine {
  sign: '+' | '-' | ' ' | 'gap';
  text: string;
}

/** Unchanged lines that are shown beside a change. */
const context = 2;

/** The changed lines of a text with those beside them. */
export function diffLines(before: string, after: string): DiffLine[] {
  const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));
  const lines = alignTexts(linesOf(before), linesOf(after)).map(([old, now]): DiffLine => {
    if (old === undefined) return { sign: '+', text: now ?? '' };
    return { sign: now === undefined ? '-' : ' ', text: old };
  });
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ sign }) => sign !== ' '),
  );
  return lines.flatMap((line, at) => {
    if (isNear[at]) return [line];
    return isNear[at + 1] || (at === lines.length - 1 && isNear.includes(true)) ? [{ sign: 'gap', text: '…' }] : [];
  });
}
