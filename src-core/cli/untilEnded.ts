import { once } from 'node:events';

/** Waits until the terminal says to end. */
export async function untilEnded(ended: AbortSignal): Promise<void> {
  if (!ended.aborted) await once(ended, 'abort');
}
