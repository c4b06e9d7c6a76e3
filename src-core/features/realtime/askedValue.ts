/**
 * A value that a server is asked to set. It applies from the request on, and is reset to the last accepted value if the
 * server rejects it. Of several concurrent requests the last one applies, whatever the outcome of the earlier ones.
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

  /**
   * Applies `value`, and sends the request with `ask`. Rejects as that does; answers arrive in the order of the
   * requests.
   */
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
