/** Sound that waits for a session to take it; above the limit the oldest goes. */
export class HeldAudio {
  readonly #limit: number;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  add(piece: Uint8Array): void {
    // A caller may use its buffer again; and one piece alone can be more than all that is kept.
    const kept = piece.slice(-this.#limit);
    this.#pieces.push(kept);
    this.#bytes += kept.length;
    while (this.#bytes > this.#limit) this.#bytes -= this.#pieces.shift()?.length ?? 0;
  }

  take(): Uint8Array[] {
    this.#bytes = 0;
    return this.#pieces.splice(0);
  }
}
