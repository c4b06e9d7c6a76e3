import type { TextEdit, VcpDiagnostic, VcpRegion, VcpRegionKind, VcpRequest } from '../types.ts';

/** A block that was seen, whatever became of it: what a fence that closes has to report. */
export interface SeenBlock {
  start: number;
  end: number;
  /** It had an END or at least one field: a call, not only a marker that is talked about. */
  call: boolean;
}

/** Lengths to go back to. */
export interface OutputMark {
  regions: number;
  regionEnd: number;
  diagnostics: number;
  requests: number;
  seen: number;
}

/** What a parse has found so far. Can go back to a mark, which costs what was added since. */
export class Output {
  readonly regions: VcpRegion[] = [];
  readonly diagnostics: VcpDiagnostic[] = [];
  readonly requests: VcpRequest[] = [];
  readonly seen: SeenBlock[] = [];
  /** Up to here every character lies in a region. */
  regionEnd = 0;

  /** The text from the last region's end to `end` is of this kind. */
  region(kind: VcpRegionKind, end: number, block?: number): void {
    if (end <= this.regionEnd) return;
    const start = this.regionEnd;
    this.regions.push(block === undefined ? { kind, start, end } : { kind, start, end, block });
    this.regionEnd = end;
  }

  /** Like `region`, but makes the last region longer where it is of the same kind and block. */
  extend(kind: VcpRegionKind, end: number, block?: number): void {
    const last = this.regions.at(-1);
    if (last?.kind === kind && last.block === block && end > this.regionEnd) {
      this.regions[this.regions.length - 1] = { ...last, end };
      this.regionEnd = end;
    } else this.region(kind, end, block);
  }

  /** The last block seen, to be told its end. */
  endSeen(end: number, call: boolean): void {
    const last = this.seen.at(-1);
    if (last === undefined) return;
    last.end = end;
    last.call ||= call;
  }

  mark(): OutputMark {
    return {
      regions: this.regions.length,
      regionEnd: this.regionEnd,
      diagnostics: this.diagnostics.length,
      requests: this.requests.length,
      seen: this.seen.length,
    };
  }

  /** Forgets everything since the mark, and gives the blocks that were seen since. */
  goBack(mark: OutputMark): SeenBlock[] {
    this.regions.length = mark.regions;
    this.regionEnd = mark.regionEnd;
    this.diagnostics.length = mark.diagnostics;
    this.requests.length = mark.requests;
    return this.seen.splice(mark.seen);
  }
}

/** An edit that puts text at an offset. */
export function insertion(at: number, newText: string): TextEdit {
  return { start: at, end: at, newText };
}
