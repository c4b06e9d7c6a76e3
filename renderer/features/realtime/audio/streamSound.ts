/** ms of one piece. */
const pieceMs = 100;
/** ms of sound that may be sent ahead of real time. */
const aheadMs = 200;

/** The clock for speech; tests provide their own. */
export interface SoundClock {
  /** ms. */
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Passes a recorded sound to `push` piece by piece, at the speed of speech. `onProgress` receives the sent ms.
 * Resolves at its end; rejects if `signal` aborts.
 */
export async function streamSound(options: {
  pcm: Int16Array;
  sampleRate: number;
  push: (piece: Int16Array) => void;
  onProgress: (ms: number) => void;
  signal: AbortSignal;
  clock?: SoundClock;
}): Promise<void> {
  const { pcm, sampleRate, push, onProgress, signal, clock = systemSoundClock } = options;
  const piece = Math.round((sampleRate * pieceMs) / 1_000);
  const startedAt = clock.now();
  for (let at = 0; at < pcm.length; at += piece) {
    signal.throwIfAborted();
    const waitMs = (at / sampleRate) * 1_000 - aheadMs - (clock.now() - startedAt);
    if (waitMs > 0) await clock.wait(waitMs, signal);
    push(pcm.subarray(at, at + piece));
    onProgress((Math.min(pcm.length, at + piece) / sampleRate) * 1_000);
  }
  const leftMs = (pcm.length / sampleRate) * 1_000 - (clock.now() - startedAt);
  if (leftMs > 0) await clock.wait(leftMs, signal);
}

const systemSoundClock: SoundClock = {
  now: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal.addEventListener('abort', stop, { once: true });
    }),
};
