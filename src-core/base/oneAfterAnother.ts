/** Runs jobs one after the other, each when the one before has ended, however it ended. */
export class OneAfterAnother {
  #last: Promise<unknown> = Promise.resolve();

  /** What the job comes to. Its failure rejects for its caller; the next job runs anyway. */
  run<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#last.then(job);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when every job asked for so far has ended. */
  async ended(): Promise<void> {
    await this.#last;
  }
}
