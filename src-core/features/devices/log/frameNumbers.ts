import type { WireStore } from '../../../store/frameTypes.ts';

/** Numbers that are asked for at once. Many more than come between two writes. */
const block = 10_000;

/** Numbers for frames: each is larger than the one before, and nobody has had it, this run or another. */
export interface FrameNumbers {
  readonly upcoming: number;
  next(): number;
  /** Sees to it that there are enough until it is called again. */
  topUp(): void;
  /** Gives back those that were not used. */
  release(): void;
}

/** Takes numbers from the store by the block, so that none has to be asked for when a frame comes. */
export function createFrameNumbers(store: Pick<WireStore, 'reserve' | 'release'>): FrameNumbers {
  let upcoming = store.reserve(block);
  let end = upcoming + block;
  return {
    get upcoming() {
      return upcoming;
    },
    next: () => upcoming++,
    topUp() {
      if (end - upcoming >= block / 2) return;
      const first = store.reserve(block);
      // Another process took numbers in between.
      if (first > end) upcoming = Math.max(upcoming, first);
      end = first + block;
    },
    release: () => store.release(upcoming, end),
  };
}
