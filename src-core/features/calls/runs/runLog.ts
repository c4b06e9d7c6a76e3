/** The events of a run, which does not depend on its readers: any number of them can come and go. */
export interface RunLog<Event> {
  /** Keeps an event. It replaces the earlier one of the same key. */
  put(key: string, event: Event): void;
  /** The run is over; `error` says why if it failed. */
  end(error?: unknown): void;
  readonly isOver: boolean;
  /** The newest event of each key, the one that changed last at the end. */
  events(): Event[];
  /** How many read it now. */
  readonly readers: number;
  /** Yields `events()`, then each event as it comes, until the end or until `signal` aborts. Throws the error of the run. */
  read(signal?: AbortSignal): AsyncGenerator<Event, void, void>;
}

/** Makes a log. `onChange` is called for each event, for the end, and if the number of readers changes. */
export function createRunLog<Event>(onChange: () => void): RunLog<Event> {
  const newest = new Map<string, { at: number; event: Event }>();
  let count = 0;
  let readers = 0;
  let isOver = false;
  let failure: { error: unknown } | undefined;
  let next = Promise.withResolvers<undefined>();

  function wake(): void {
    next.resolve(undefined);
    next = Promise.withResolvers();
  }

  function changeReaders(by: number): void {
    readers += by;
    onChange();
  }

  return {
    put(key, event) {
      newest.delete(key);
      newest.set(key, { at: (count += 1), event });
      wake();
      onChange();
    },
    end(error) {
      if (isOver) return;
      isOver = true;
      if (error !== undefined) failure = { error };
      wake();
      onChange();
    },
    get isOver() {
      return isOver;
    },
    events: () => [...newest.values()].map(({ event }) => event),
    get readers() {
      return readers;
    },
    async *read(signal) {
      changeReaders(1);
      signal?.addEventListener('abort', wake, { once: true });
      try {
        let seen = 0;
        while (signal?.aborted !== true) {
          const changed = next.promise;
          const unread = [...newest.values()].filter(({ at }) => at > seen);
          for (const { at, event } of unread) {
            seen = at;
            yield event;
          }
          if (unread.length > 0) continue;
          if (failure !== undefined) throw failure.error;
          if (isOver) return;
          await changed;
        }
      } finally {
        signal?.removeEventListener('abort', wake);
        changeReaders(-1);
      }
    },
  };
}
