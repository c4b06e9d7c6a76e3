import { RequestError } from '../../base/requestError.ts';
import type { VisionRequest } from '../../contract/types.ts';

/** A request, and its picture. */
export interface ShelfEntry {
  request: VisionRequest;
  picture: Buffer;
  /** It was removed, and can be restored. */
  aside?: boolean;
}

const maxEntries = 100;

/** The last pictures in memory, limited in number and bytes; the oldest are dropped first. */
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
    const removedFirst = [...this.#entries].sort(
      ([, one], [, other]) => Number(other.aside ?? false) - Number(one.aside ?? false),
    );
    for (const [oldest] of removedFirst) {
      if (this.#entries.size <= maxEntries && this.#bytes <= this.#maxBytes) return;
      if (this.#entries.size > 1) this.remove(oldest);
    }
  }

  /** @throws {RequestError} If it was dropped. */
  get(id: string): ShelfEntry {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.aside === true)
      throw new RequestError('That picture no longer exists: only the latest ones are kept.', { field: 'id' });
    return entry;
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** Hides one from the list, or restores it to its position. @throws {RequestError} If it was dropped. */
  setAside(id: string, aside: boolean): void {
    const entry = this.#entries.get(id);
    if (entry === undefined)
      throw new RequestError('That picture no longer exists: only the latest ones are kept.', { field: 'id' });
    entry.aside = aside;
  }

  remove(id: string): void {
    this.#bytes -= this.#entries.get(id)?.picture.length ?? 0;
    this.#entries.delete(id);
  }

  /** Newest first. */
  list(): VisionRequest[] {
    const shown = [...this.#entries.values()].filter(({ aside }) => aside !== true);
    return shown.map(({ request }) => ({ ...request })).reverse();
  }
}
