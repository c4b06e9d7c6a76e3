import { setImmediate as nextTurn } from 'node:timers/promises';

import type { FrameLog } from '../../../store/frameTypes.ts';

/** Frames that a search returns at most. */
const maxFound = 100_000;

/** ms that a search takes before other work gets its turn. */
const searchTurnMs = 10;

/** `seq` of the frames whose text holds this, whatever its case; oldest first. */
export async function searchLog(log: Pick<FrameLog, 'search'>, text: string, signal?: AbortSignal): Promise<number[]> {
  const seqs: number[] = [];
  let began = performance.now();
  for (const found of log.search(text)) {
    signal?.throwIfAborted();
    seqs.push(...found);
    if (seqs.length >= maxFound) break;
    if (performance.now() - began < searchTurnMs) continue;
    await nextTurn();
    began = performance.now();
  }
  return seqs.slice(0, maxFound).reverse();
}
