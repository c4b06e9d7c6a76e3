import type { FrameBatch } from '../../../src-core/contract/types.ts';
import { untilNextLine, type Connection } from '../../client/connection.ts';

/** ms to the next attempt if frames could not be read. */
const retryMs = 1_000;

/**
 * Passes batches of frames to `take` until `signal` aborts. `open` is called again on each new connection, after an error,
 * and at once if `take` resolves with false.
 */
export async function followFrames(options: {
  connection: Connection;
  open: (options: { signal: AbortSignal }) => Promise<AsyncIterable<FrameBatch>>;
  take: (batch: FrameBatch) => Promise<boolean> | boolean;
  onError: (message: string) => void;
  signal: AbortSignal;
}): Promise<void> {
  const { connection, open, take, onError, signal } = options;

  /** Returns if the frames are to be read again. */
  async function read(): Promise<void> {
    for await (const batch of await open({ signal })) {
      if (signal.aborted || !(await take(batch))) return;
    }
    throw new Error('The engine ended the log.');
  }

  while (!signal.aborted) {
    const line = connection.state.value;
    try {
      await read();
    } catch (cause) {
      if (signal.aborted) return;
      onError(cause instanceof Error ? cause.message : String(cause));
      if (connection.state.value === line) await new Promise((resolve) => setTimeout(resolve, retryMs));
      if (connection.state.value.phase !== 'connected') await untilNextLine(connection, line, signal);
    }
  }
}
