import { onTestFinished, vi } from 'vitest';

/** From now on, the time of a call passes only with `vi.advanceTimersByTime`, whatever real servers take. Ends with the test. */
export function fakeDeadlines(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}
