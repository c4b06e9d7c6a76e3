/** A mark of the time axis. */
export interface Tick {
  /** ms since the beginning. */
  ms: number;
  /** px from the left end of the whole timeline. */
  left: number;
  label: string;
}

const steps = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 3_600_000];
/** px between two marks at least. */
const room = 84;

/** Marks for the part in view, at round times. */
export function axisTicks({ pxPerMs, left, right }: { pxPerMs: number; left: number; right: number }): Tick[] {
  let step = steps.find((each) => each * pxPerMs >= room) ?? 3_600_000;
  while (step * pxPerMs < room) step *= 2;
  const ticks: Tick[] = [];
  for (let ms = Math.max(0, Math.floor(left / pxPerMs / step) * step); ms * pxPerMs <= right; ms += step)
    ticks.push({ ms, left: ms * pxPerMs, label: axisLabel(ms, step) });
  return ticks;
}

function axisLabel(ms: number, step: number): string {
  const minutes = Math.floor(ms / 60_000);
  const seconds = (ms % 60_000) / 1_000;
  const digits = step < 100 ? 2 : step < 1_000 ? 1 : 0;
  return minutes === 0
    ? `${seconds.toFixed(digits)} s`
    : `${minutes}:${seconds.toFixed(digits).padStart(digits === 0 ? 2 : digits + 3, '0')}`;
}
