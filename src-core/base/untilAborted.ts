/**
 * Runs the work, unless the signal has aborted. Returns its result, or throws the reason as soon as the signal aborts. A later result of
 * the work is ignored.
 */
export async function untilAborted<T>(
  run: () => Promise<T>,
  signal: AbortSignal,
  reason: () => unknown = () => signal.reason,
): Promise<T> {
  if (signal.aborted) throw reason();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(reason());
  signal.addEventListener('abort', stop, { once: true });
  try {
    // Work that throws synchronously rejects like any other.
    return await Promise.race([aborted, (async () => run())()]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
