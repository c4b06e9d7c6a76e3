import type { TextRange } from '../../../base/replyTypes.ts';

/** A block as VCPToolBox cuts it out. */
export interface HostBlock extends TextRange {
  bodyStart: number;
  bodyEnd: number;
}

/** The blocks of a text, and where the host stopped looking because it found no end. */
export interface VcpToolboxBlocks {
  blocks: HostBlock[];
  /** START of the block that has no end. */
  lost: TextRange | undefined;
  /** An ESCAPE opened there and never closed: that is why. */
  escape: number | undefined;
}

const strict = { start: /<<<\[TOOL_REQUEST\]>>>/g, end: /<<<\[END_TOOL_REQUEST\]>>>/g };
const loose = { start: /<{2,4}\[TOOL_REQUEST\]>{2,4}/gi, end: /<{2,4}\[END_TOOL_REQUEST\]>{2,4}/gi };
const escapeOpen = /「始ESCAPE」/gi;
const escapeClose = /「末ESCAPE」/gi;

/** Cuts the blocks out: START to the first END that is in no ESCAPE value. Without such an END it stops for good. */
export function findVcpToolboxBlocks(text: string, { fuzzy }: { fuzzy: boolean }): VcpToolboxBlocks {
  const patterns = fuzzy ? loose : strict;
  const starts = new PatternFinder(text, patterns.start);
  const ends = new PatternFinder(text, patterns.end);
  const opens = new PatternFinder(text, escapeOpen);
  const closes = new PatternFinder(text, escapeClose);
  const blocks: HostBlock[] = [];
  for (let at = 0; ;) {
    const start = starts.find(at);
    if (start === undefined) return { blocks, lost: undefined, escape: undefined };
    let from = start.end;
    let end = ends.find(from);
    for (
      let open = opens.find(from);
      open !== undefined && end !== undefined && open.start < end.start;
      open = opens.find(from)
    ) {
      const close = closes.find(open.end);
      if (close === undefined) return { blocks, lost: start, escape: open.start };
      from = close.end;
      end = ends.find(from);
    }
    if (end === undefined) return { blocks, lost: start, escape: undefined };
    blocks.push({ start: start.start, bodyStart: start.end, bodyEnd: end.start, end: end.end });
    at = end.end;
  }
}

/** Finds a pattern forwards only, and passes over the text once. */
class PatternFinder {
  private found: TextRange | undefined;
  private exhausted = false;
  private readonly text: string;
  private readonly pattern: RegExp;

  constructor(text: string, pattern: RegExp) {
    this.text = text;
    this.pattern = new RegExp(pattern);
  }

  /** The first occurrence at or after `from`, which never goes back. */
  find(from: number): TextRange | undefined {
    if (this.exhausted || (this.found !== undefined && this.found.start >= from)) return this.found;
    this.pattern.lastIndex = from;
    const match = this.pattern.exec(this.text);
    this.found = match === null ? undefined : { start: match.index, end: match.index + match[0].length };
    this.exhausted = match === null;
    return this.found;
  }
}
