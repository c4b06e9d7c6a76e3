/** Runs jobs one after the other, each when the one before has ended, however it ended. */
export class OneAfterAnother {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves with the result of the job. If the job fails, rejects for its caller; the next job still runs. */
  run<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#last.then(job);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when every job that was requested so far has ended. */
  async ended(): Promise<void> {
    await this.#last;
  }
}
