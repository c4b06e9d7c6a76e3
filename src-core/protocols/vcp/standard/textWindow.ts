/** Characters kept behind the reading position, for a quick look back. */
const lookBehind = 64;

/** Small chunks are joined up to this length, so that a text fed one character at a time is not a million strings. */
const chunkLength = 4096;

/**
 * The text of an incremental parse: all of it in chunks, and its unread end as one flat string. Appending costs the
 * length of the chunk plus what is still unread; nothing is copied twice.
 */
export class TextWindow {
  /** The unread end, with a little before it. */
  text = '';
  /** Offset of `text` in the whole. */
  base = 0;
  private readonly chunks: string[] = [];
  private readonly starts: number[] = [];

  /** Length of the whole text so far. */
  get end(): number {
    return this.base + this.text.length;
  }

  /** Adds a chunk. All before `position` has been read. */
  append(chunk: string, position: number): void {
    const last = this.chunks.length - 1;
    const open = this.chunks[last];
    if (open !== undefined && open.length + chunk.length <= chunkLength) this.chunks[last] = open + chunk;
    else {
      this.starts.push(this.end);
      this.chunks.push(chunk);
    }
    const keep = Math.max(this.base, position - lookBehind);
    this.text = keep === this.end ? chunk : this.text.slice(keep - this.base) + chunk;
    this.base = keep;
  }

  /** The code unit at an offset of the whole text; NaN outside. */
  codeAt(position: number): number {
    if (position >= this.base) return this.text.charCodeAt(position - this.base);
    if (position < 0) return NaN;
    const index = this.chunkOf(position);
    return (this.chunks[index] ?? '').charCodeAt(position - (this.starts[index] ?? 0));
  }

  /** The text between two offsets of the whole. */
  slice(start: number, end: number): string {
    if (start >= this.base) return this.text.slice(start - this.base, end - this.base);
    const parts: string[] = [];
    for (let index = this.chunkOf(start); index < this.chunks.length; index++) {
      const from = this.starts[index] ?? 0;
      if (from >= end) break;
      parts.push((this.chunks[index] ?? '').slice(Math.max(0, start - from), end - from));
    }
    return parts.length === 1 ? (parts[0] ?? '') : parts.join('');
  }

  private chunkOf(position: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
