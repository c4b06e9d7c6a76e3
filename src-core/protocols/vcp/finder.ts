/** A text, or the part of it that has not been passed: `text` starts at offset `base` and ends at `end`. */
export interface SearchedText {
  readonly text: string;
  readonly base: number;
  readonly end: number;
}

/** No further occurrence in the text so far. A small integer: a larger number would turn every offset into a boxed one. */
export const nowhere = 0x7fffffff;

/**
 * Looks for one string, forwards only, and remembers what it found: however often it is asked, it passes over the text
 * once. After the window has grown, `more` lets it look at the new part.
 */
export class Finder {
  private next = -1;
  private readonly needle: string;

  constructor(needle: string) {
    this.needle = needle;
  }

  /** Offset of the first occurrence at or after `from`, `nowhere` if there is none yet. `from` never goes back. */
  find(window: SearchedText, from: number): number {
    if (this.next >= from) return this.next;
    const index = window.text.indexOf(this.needle, from - window.base);
    this.next = index < 0 ? nowhere : index + window.base;
    return this.next;
  }

  /** The window has grown: what was nowhere may be there now. */
  more(): void {
    if (this.next === nowhere) this.next = -1;
  }
}
