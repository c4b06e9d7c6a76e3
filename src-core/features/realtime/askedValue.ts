/**
 * What a server is asked to be set to: holds from the moment it is asked, and falls back to what the server took last where
 * it refuses. Of several that are asked at once the last one holds, whatever becomes of those before it.
 */
export class AskedValue<T> {
  #asked: { value: T };
  #taken: { value: T };

  constructor(initial: T) {
    this.#asked = this.#taken = { value: initial };
  }

  get current(): T {
    return this.#asked.value;
  }

  /** Holds `value`, and has `ask` ask for it. Rejects as that does; answers come in the order of the questions. */
  async ask(value: T, ask: () => Promise<void>): Promise<void> {
    const asked = { value };
    this.#asked = asked;
    try {
      await ask();
      this.#taken = asked;
    } catch (error) {
      if (this.#asked === asked) this.#asked = this.#taken;
      throw error;
    }
  }
}
