import { ToolError } from '../base/errors.ts';

/**
 * The result of the work, unless the signal aborts first: then rejects at once with the signal's reason if it is a
 * `ToolError`, otherwise with `cancelled`, which names the work as `what`. A later result of the work is ignored.
 */
export async function untilAborted<T>(options: {
  run: () => Promise<T>;
  signal: AbortSignal;
  what: string;
}): Promise<T> {
  const { run, signal, what } = options;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onAbort = (): void =>
    reject(signal.reason instanceof ToolError ? signal.reason : new ToolError('cancelled', `${what} was cancelled.`));
  if (signal.aborted) onAbort();
  else {
    signal.addEventListener('abort', onAbort, { once: true });
    // Work that throws at once rejects like any other.
    void (async () => run())().then(resolve, reject);
  }
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
