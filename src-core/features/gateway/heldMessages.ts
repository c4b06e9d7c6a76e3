/** Messages of a client, which wait while a session moves here, so that they keep their order. */
export class HeldMessages {
  readonly #receive: (text: string) => void;
  #held: string[] | undefined;

  constructor(receive: (text: string) => void) {
    this.#receive = receive;
  }

  readonly arrive = (text: string): void => {
    if (this.#held === undefined) this.#receive(text);
    else this.#held.push(text);
  };

  /** Those that arrive until `work` is done come after it. `work` must not reject. */
  async during(work: Promise<void>, wire: { pause: () => void; resume: () => void }, next: () => void): Promise<void> {
    const held: string[] = [];
    this.#held = held;
    wire.pause();
    await work;
    wire.resume();
    this.#held = undefined;
    next();
    // One of them may have to wait for another session.
    for (const text of held) this.arrive(text);
  }
}
