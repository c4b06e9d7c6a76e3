import type { AnyChunk } from '../chunks.ts';

/** A stop on the way of chunks (seed 003 §2): takes them in, and hands on what it makes of them. */
export abstract class Station {
  readonly #listeners = new Set<(chunk: AnyChunk) => void>();

  /** Takes a chunk. Resolves when there is room for the next one. */
  abstract process(chunk: AnyChunk): Promise<void>;

  /** Who gets what comes out, in order. A listener must not throw. The returned function ends it. */
  onChunk(listener: (chunk: AnyChunk) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  protected push(chunk: AnyChunk): void {
    for (const listener of this.#listeners) listener(chunk);
  }
}
