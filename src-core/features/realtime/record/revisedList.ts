/** Counts the changes of one conversation; all of its lists share the count. */
export class Revisions {
  #last = 0;

  /** The number of the last change. */
  get last(): number {
    return this.#last;
  }

  next(): number {
    this.#last += 1;
    return this.#last;
  }
}

/** Items in the order they were added, each with the revision of its last change. The oldest are dropped beyond `limit`. */
export class RevisedList<T extends object> {
  readonly #revisions: Revisions;
  readonly #limit: number;
  readonly #rows = new Map<T, number>();

  constructor(options: { revisions: Revisions; limit: number }) {
    this.#revisions = options.revisions;
    this.#limit = options.limit;
  }

  add(value: T): T {
    this.#rows.set(value, this.#revisions.next());
    for (const oldest of this.#rows.keys()) {
      if (this.#rows.size <= this.#limit) break;
      this.#rows.delete(oldest);
    }
    return value;
  }

  /** Marks an item as changed; does nothing if it was dropped already. */
  touch(value: T): void {
    if (this.#rows.has(value)) this.#rows.set(value, this.#revisions.next());
  }

  /** Copies of all items that have changed since. */
  since(revision: number): T[] {
    const changed: T[] = [];
    for (const [value, at] of this.#rows) if (at > revision) changed.push(structuredClone(value));
    return changed;
  }
}
