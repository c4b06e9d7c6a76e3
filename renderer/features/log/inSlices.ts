/** ms of work between two breaths of the page: half a frame. */
const sliceMs = 8;

/**
 * Does `work` for every index below `count`, giving the page its turn every few milliseconds. Resolves with false where
 * `isStale` says that nobody wants the outcome any more.
 */
export async function inSlices(count: number, work: (index: number) => void, isStale: () => boolean): Promise<boolean> {
  let until = performance.now() + sliceMs;
  for (let index = 0; index < count; index += 1) {
    work(index);
    if (index % 256 !== 255 || performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve));
    if (isStale()) return false;
    until = performance.now() + sliceMs;
  }
  return !isStale();
}
