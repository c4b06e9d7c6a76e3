import { RequestError } from '../../tools/requestError.ts';
import type { VisionRequest } from './types.ts';

/** What came, and the picture itself. */
export interface ShelfEntry {
  request: VisionRequest;
  picture: Buffer;
}

const maxEntries = 100;

/** The last pictures in memory, bounded in number and bytes; the oldest go first. */
export class PictureShelf {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, ShelfEntry>();
  #bytes = 0;

  constructor({ maxBytes = 64 * 1024 * 1024 }: { maxBytes?: number } = {}) {
    this.#maxBytes = maxBytes;
  }

  add(entry: ShelfEntry): void {
    this.#entries.set(entry.request.id, entry);
    this.#bytes += entry.picture.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxEntries && this.#bytes <= this.#maxBytes) return;
      if (this.#entries.size > 1) this.remove(oldest);
    }
  }

  /** @throws RequestError where it is gone. */
  get(id: string): ShelfEntry {
    const entry = this.#entries.get(id);
    if (entry === undefined)
      throw new RequestError('That picture is gone: only the last ones are kept.', { field: 'id' });
    return entry;
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  remove(id: string): void {
    this.#bytes -= this.#entries.get(id)?.picture.length ?? 0;
    this.#entries.delete(id);
  }

  /** Newest first. */
  list(): VisionRequest[] {
    return [...this.#entries.values()].map(({ request }) => ({ ...request })).reverse();
  }
}
