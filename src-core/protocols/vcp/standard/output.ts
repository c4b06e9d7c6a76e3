import type { VcpDiagnostic, VcpRegion, VcpRequest } from '../types.ts';
import type { VcpRegionKind } from '../../../base/replyTypes.ts';

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

  /** Makes the last region longer. */
  extend(end: number): void {
    const last = this.regions[this.regions.length - 1];
    if (last === undefined || end <= this.regionEnd) return;
    last.end = this.regionEnd = end;
  }

  /** A block starts. If nothing is held, no fence will need those before it. */
  startSeen(start: number, end: number, held: boolean): void {
    if (!held) this.seen.length = 0;
    this.seen.push({ start, end, call: false });
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

  /** Where the first block since the mark starts. */
  firstSeenSince({ seen }: OutputMark): number | undefined {
    return this.seen[seen]?.start;
  }

  /** Discards everything since the mark, and returns the blocks that were seen since. */
  goBack(mark: OutputMark): SeenBlock[] {
    this.regions.length = mark.regions;
    this.regionEnd = mark.regionEnd;
    const last = this.regions[mark.regions - 1];
    // It may have been extended since: a region ends at the start of the next one.
    if (last !== undefined) last.end = mark.regionEnd;
    this.diagnostics.length = mark.diagnostics;
    this.requests.length = mark.requests;
    return this.seen.splice(mark.seen);
  }
}
