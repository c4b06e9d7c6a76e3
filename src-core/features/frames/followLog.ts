import type { Clock } from '../../base/clock.ts';
import type { Frame, FrameBatch, FramePage, FrameRow } from '../../contract/frames.ts';
import type { FrameListener } from './frameLog.ts';
import { rowOf } from './withUnwritten.ts';

/** Rows of a page: some 200 kB, which a window reads in a few milliseconds. */
const pageRows = 1_000;
/** ms over which rows are gathered: about two frames of a screen. */
const gatherMs = 32;

/**
 * Yields the rows of a log after `afterSeq`, then each new one that `isOf` the log. Ends when `signal` aborts. New rows come
 * from memory; a page is read only at the beginning, after an eviction, and if more than a page of rows came at once.
 */
export async function* followLog(options: {
  page: (part: { afterSeq: number; limit: number }) => Promise<FramePage>;
  listen: (listener: FrameListener) => () => void;
  isOf: (frame: Frame) => boolean;
  afterSeq: number;
  clock: Clock;
  signal: AbortSignal | undefined;
}): AsyncGenerator<FrameBatch, void, void> {
  const { page, isOf, clock, signal } = options;
  let rows: FrameRow[] = [];
  let { afterSeq } = options;
  let firstSeq = 0;
  let mustRead = true;
  let wake = (): void => undefined;
  const isAborted = (): boolean => signal?.aborted === true;
  const stopListening = options.listen((frame) => {
    if (frame === undefined) mustRead = true;
    else if (!isOf(frame)) return;
    else if (rows.length < pageRows) rows.push(rowOf(frame));
    else mustRead = true;
    wake();
  });
  const onAbort = (): void => wake();
  signal?.addEventListener('abort', onAbort);
  try {
    while (!isAborted()) {
      if (mustRead) {
        mustRead = false;
        // They are in the page.
        rows = [];
        const found = await page({ afterSeq, limit: pageRows });
        mustRead ||= found.rows.length === pageRows;
        afterSeq = found.rows.at(-1)?.seq ?? afterSeq;
        ({ firstSeq } = found);
        yield { ...found, more: mustRead };
      } else if (rows.length > 0) {
        await pause(clock, gatherMs);
        const fresh = rows.filter(({ seq }) => seq > afterSeq);
        if (mustRead || isAborted()) continue;
        rows = [];
        afterSeq = fresh.at(-1)?.seq ?? afterSeq;
        if (fresh.length > 0) yield { rows: fresh, firstSeq, lastSeq: afterSeq, more: false };
      } else {
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  } finally {
    stopListening();
    signal?.removeEventListener('abort', onAbort);
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
