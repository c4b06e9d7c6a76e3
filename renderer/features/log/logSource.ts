import type { Component } from 'vue';

import type { WireFrame, WireRow, WorkbenchTopic } from '../../../src-core/contract/types.ts';

/** A row of any log, whatever types its frames have. */
export type LogRow = Omit<WireRow, 'type'> & { type: string };

/** A row with its text. */
export type LogFrame = Omit<WireFrame, 'type'> & { type: string };

/** A part of a log, oldest first; `firstSeq` tells what it has dropped since. */
export interface LogPage {
  rows: readonly LogRow[];
  firstSeq: number;
  lastSeq: number;
}

/** Components that show frames of a type. */
export type FrameViews = Readonly<Record<string, Component>>;

/** Where a log comes from. */
export interface LogSource {
  /** Says that there is more. */
  topic: WorkbenchTopic;
  /** Rows still come: there is something to pause. */
  grows: boolean;
  /** Its frames have methods and numbers of JSON-RPC to filter by. */
  jsonRpc: boolean;
  page(part: { afterSeq?: number; limit: number }): Promise<LogPage>;
  frame(seq: number): Promise<LogFrame>;
  /** `seq` of the frames whose text holds this. */
  search(text: string, options: { signal: AbortSignal }): Promise<{ seqs: number[] }>;
}
