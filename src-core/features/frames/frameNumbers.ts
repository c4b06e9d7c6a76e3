import type { WireStore } from '../../store/frameTypes.ts';

/** Numbers that are reserved at once. Many more than come between two writes. */
const block = 10_000;

/** Numbers for frames: each is larger than the one before, and nobody has had it, this run or another. */
export interface FrameNumbers {
  readonly upcoming: number;
  next(): number;
  /** Reserves more if few are left. */
  topUp(): Promise<void>;
  /** Releases those that were not used. */
  release(): Promise<void>;
}

/** Reserves numbers in the store by the block, so that no frame waits for its number. */
export async function openFrameNumbers(store: Pick<WireStore, 'reserve' | 'release'>): Promise<FrameNumbers> {
  let upcoming = await store.reserve(block);
  let end = upcoming + block;
  return {
    get upcoming() {
      return upcoming;
    },
    next: () => upcoming++,
    async topUp() {
      if (end - upcoming >= block / 2) return;
      const count = block + Math.max(0, upcoming - end);
      end += count;
      await store.reserve(count);
    },
    release: () => store.release(upcoming, end),
  };
}
