import { closesFenceAt, readFenceLead, type FenceLead } from '../fenceLead.ts';
import type { TextRange } from '../../base/replyTypes.ts';

/** A code fence with its closing one. */
export interface Fence extends TextRange {
  /** The info string's first word, in lower case. */
  language: string;
  delimiter: string;
  /** From the line after the opening one up to the line of the closing one. */
  content: TextRange;
  closed: boolean;
}

/** Longer runs delimit nothing. */
const longestRun = 64;
const lineWithRun = /^[ \t>]{0,32}(`{3,65}|~{3,65})[ \t\r]*$/gm;

interface Closer extends FenceLead {
  start: number;
  end: number;
  length: number;
}

/** Finds code fences and the ends of inline code, forwards only. */
export class Fences {
  private readonly text: string;
  private readonly characters = { codeAt: (position: number): number => this.text.charCodeAt(position) };
  /** Lines that could close a fence, found in one pass at the first need. */
  private closers: { '`': Closer[]; '~': Closer[] } | undefined;
  private readonly next = { '`': 0, '~': 0 };
  /** By run length: up to here no inline code closes. */
  private readonly openUntil = new Map<number, number>();
  /** By sign and lead: no fence of this length, or a longer one, closes any more. */
  private readonly neverCloses = { '`': new Map<number, number>(), '~': new Map<number, number>() };

  constructor(text: string) {
    this.text = text;
  }

  /** Offset after the run at `start`. */
  runEnd(start: number): number {
    const code = this.text.charCodeAt(start);
    let end = start + 1;
    while (this.text.charCodeAt(end) === code) end++;
    return end;
  }

  private findClosers(): { '`': Closer[]; '~': Closer[] } {
    const found: { '`': Closer[]; '~': Closer[] } = { '`': [], '~': [] };
    for (const match of this.text.matchAll(lineWithRun)) {
      const run = match[1] ?? '';
      const start = match.index;
      const list = run.startsWith('~') ? found['~'] : found['`'];
      const end = start + match[0].trimEnd().length;
      list.push({ start, end, length: run.length, ...readFenceLead(this.characters, end - run.length) });
    }
    return found;
  }

  /** The first line from `from` on that closes a run of that length, `lead` in. Later fences begin after it, so none is passed twice. */
  private closerOf(
    sign: '`' | '~',
    { length, lead }: { length: number; lead: number },
    from: number,
  ): Closer | undefined {
    this.closers ??= this.findClosers();
    const list = this.closers[sign];
    while ((list[this.next[sign]]?.start ?? Infinity) < from) this.next[sign]++;
    for (let index = this.next[sign]; index < list.length; index++) {
      const closer = list[index];
      if (closer !== undefined && closer.length >= length && closesFenceAt(closer, lead)) return closer;
    }
    return undefined;
  }

  /** The fence that begins with the run at `start`; undefined if it begins none. */
  fenceAt(start: number): Fence | undefined {
    const end = this.runEnd(start);
    const length = end - start;
    if (length < 3 || length > longestRun) return undefined;
    const { lead } = readFenceLead(this.characters, start);
    if (lead === undefined) return undefined;
    const sign = this.text.charAt(start) === '~' ? '~' : '`';
    const lineBreak = this.text.indexOf('\n', end);
    const lineEnd = lineBreak < 0 ? this.text.length : lineBreak;
    const info = this.text.slice(end, lineEnd).trim();
    if (sign === '`' && info.includes('`')) return undefined;
    const language = (/^[^\s{,]*/.exec(info)?.[0] ?? '').toLowerCase();
    const contentStart = Math.min(this.text.length, lineEnd + 1);
    const never = this.neverCloses[sign].get(lead) ?? Infinity;
    const closer = length < never ? this.closerOf(sign, { length, lead }, contentStart) : undefined;
    if (closer === undefined) this.neverCloses[sign].set(lead, Math.min(never, length));
    const content = { start: contentStart, end: closer?.start ?? this.text.length };
    const delimiter = this.text.slice(start, end);
    return { start, end: closer?.end ?? this.text.length, language, delimiter, content, closed: closer !== undefined };
  }

  /** The inline code that begins with the run at `start`, up to the same run on its line. */
  inlineAt(start: number): (TextRange & { content: TextRange }) | undefined {
    const end = this.runEnd(start);
    const length = end - start;
    // Long runs are fences or nothing; so few lengths are looked for, each at most once to the line's end.
    if (length > 3 || (this.openUntil.get(length) ?? -1) > start) return undefined;
    let at = end;
    for (; at < this.text.length && this.text.charCodeAt(at) !== 0x0a; at++) {
      if (this.text.charCodeAt(at) !== 0x60) continue;
      const close = this.runEnd(at);
      if (close - at === length) return { start, end: close, content: { start: end, end: at } };
      at = close - 1;
    }
    this.openUntil.set(length, at);
    return undefined;
  }
}
