import { describeThrown } from '../../base/describeThrown.ts';
import { ChunkType, EventChunk, type AnyChunk } from '../chunks.ts';

/** A stop on the way of chunks: takes them in, and hands on what it makes of them. */
export abstract class Station {
  readonly #listeners = new Set<(chunk: AnyChunk) => void>();

  /** Takes a chunk. Resolves when there is room for the next one. */
  abstract process(chunk: AnyChunk): Promise<void>;

  /** Who gets what comes out, in order. A listener must not throw. The returned function ends it. */
  onChunk(listener: (chunk: AnyChunk) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Hands everything that comes out to `next`, piece by piece. What `next` refuses goes to `onError`; without it, it is
   * emitted here as an `event.error`. The returned function ends it.
   */
  pipe(next: Station, { onError }: { onError?: (error: unknown) => void } = {}): () => void {
    return this.onChunk((chunk) => {
      next.process(chunk).catch((error: unknown) => {
        if (onError !== undefined) return onError(error);
        // An error of an error would not end.
        if (chunk.type !== ChunkType.EVENT_ERROR)
          this.push(new EventChunk({ type: ChunkType.EVENT_ERROR, detail: describeThrown(error) }));
      });
    });
  }

  protected push(chunk: AnyChunk): void {
    for (const listener of this.#listeners) listener(chunk);
  }
}
