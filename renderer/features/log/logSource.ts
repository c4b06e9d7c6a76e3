import type { Component } from 'vue';

import type { Client } from '../../../src-core/rpc/client.ts';
import type { Frame, FrameBatch, FrameRow, LogName } from '../../../src-core/contract/types.ts';

/** Components that show frames of a type. */
export type FrameViews = Readonly<Record<string, Component>>;

/** A log that a view shows. */
export interface LogSource {
  /** Rows still come: there is something to pause. */
  grows: boolean;
  /** How a row is shown; undefined if it is not shown. */
  layOut<Row extends FrameRow>(row: Row): Row | undefined;
  /** The rows after `afterSeq`, then each new one. */
  follow(from: { afterSeq?: number }, options: { signal: AbortSignal }): Promise<AsyncIterable<FrameBatch>>;
  frame(seq: number): Promise<Frame>;
  /** `seq` of the frames after `afterSeq` that hold this. */
  search(wanted: { text: string; afterSeq?: number }, options: { signal: AbortSignal }): Promise<{ seqs: number[] }>;
}

/** A log of the engine. */
export function logSource(
  client: Client,
  name: LogName,
  { layOut = (row) => row }: Partial<Pick<LogSource, 'layOut'>> = {},
): LogSource {
  return {
    grows: name.captureId === undefined,
    layOut,
    follow: (from, options) => client.frames.follow({ ...name, ...from }, options),
    async frame(seq) {
      const frame = await client.frames.frame({ ...name, seq });
      return layOut(frame) ?? frame;
    },
    search: (wanted, options) => client.frames.search({ ...name, ...wanted }, options),
  };
}
