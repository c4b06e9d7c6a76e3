/** ms of work between two yields to the page: half a frame. */
const sliceMs = 8;

/**
 * Runs `work` for every index below `count` and yields to the page every few milliseconds. Resolves with false if
 * `isStale` reports that the result is no longer needed.
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
