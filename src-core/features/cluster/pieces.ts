import type * as z from 'zod';

import type { piece } from './messages.ts';

/** The pieces of a text that have arrived. */
export class Pieces {
  readonly #maxBytes: number;
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The number of bytes that have arrived, which is the offset of the next piece. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Ignores a piece that has arrived already. False if one before it is missing, it is empty and not the last, or the text is too long. */
  take({ at, text, isLast }: z.infer<typeof piece>): boolean {
    if (at !== this.#bytes) return at < this.#bytes;
    const bytes = Buffer.from(text, 'base64');
    if (bytes.length === 0 && !isLast) return false;
    this.#pieces.push(bytes);
    this.#bytes += bytes.length;
    return this.#bytes <= this.#maxBytes;
  }

  join(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
