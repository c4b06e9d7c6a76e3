import type { Clock } from '../../../base/clock.ts';
import { localize } from '../../../base/messages/localize.ts';
import { RequestError } from '../../../base/requestError.ts';

/** Runs of one kind that can run at once. */
const mostRunning = 500;
/** Runs of one kind that are over and can still be read. */
const mostOver = 8;
/** ms that a run can be read after its end, by a window that was reloaded meanwhile. */
const keepMs = 600_000;

/** A run that the engine owns. */
export interface Run<Input, Event> {
  readonly id: string;
  readonly input: Input;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly log: RunLog<Event>;
  cancel(): void;
}

/** Runs of one kind, by their ids. */
export interface RunBook<Input, Event> {
  /** Starts a run. It ends by itself, by `cancel` or by `close`. @throws RequestError if the id is in use, or too many run. */
  start(options: { id: string; input: Input; work: (signal: AbortSignal) => AsyncIterable<Event> }): Run<Input, Event>;
  /** @throws RequestError if there is no such run. */
  get(id: string): Run<Input, Event>;
  has(id: string): boolean;
  /** Those that run, and the last eight that ended in the last ten minutes. */
  list(): Run<Input, Event>[];
  /** Cancels all runs, and resolves when the last of them has ended. */
  close(): Promise<void>;
}

/** Makes a book. `keyOf` names what an event replaces; `onChange` is called whenever a run or its readers change. */
export function createRunBook<Input, Event>(options: {
  clock: Clock;
  keyOf: (event: Event) => string;
  onChange: () => void;
}): RunBook<Input, Event> {
  const { clock, keyOf, onChange } = options;
  const runs = new Map<string, Run<Input, Event>>();
  /** In the order in which the runs ended; what stops each timer. */
  const over = new Map<string, () => void>();
  const running = new Map<string, Promise<void>>();
  let isClosed = false;

  function drop(id: string): void {
    over.get(id)?.();
    over.delete(id);
    runs.delete(id);
  }

  async function follow(run: Run<Input, Event>, events: AsyncIterable<Event>): Promise<void> {
    try {
      for await (const event of events) run.log.put(keyOf(event), event);
      run.log.end();
    } catch (error) {
      run.log.end(error ?? new Error('The run failed without a reason.'));
    }
    running.delete(run.id);
    if (isClosed) return;
    over.set(
      run.id,
      clock.after(keepMs, () => drop(run.id)),
    );
    const [oldest] = over.keys();
    if (over.size > mostOver && oldest !== undefined) drop(oldest);
  }

  return {
    start({ id, input, work }) {
      if (runs.has(id)) throw new RequestError(localize('calls.runExists', { id }), { field: 'id' });
      if (running.size >= mostRunning) throw new RequestError(localize('calls.tooManyRuns', { running: mostRunning }));
      const controller = new AbortController();
      const run = {
        id,
        input,
        startedAt: clock.wall(),
        log: createRunLog<Event>(onChange),
        cancel: () => controller.abort(),
      };
      runs.set(id, run);
      running.set(id, follow(run, work(controller.signal)));
      return run;
    },
    get(id) {
      const run = runs.get(id);
      if (run !== undefined) return run;
      throw new RequestError(localize('calls.noRun', { id }), { field: 'id' });
    },
    has: (id) => runs.has(id),
    list: () => [...runs.values()],
    async close() {
      isClosed = true;
      for (const stop of over.values()) stop();
      over.clear();
      for (const run of runs.values()) run.cancel();
      await Promise.all(running.values());
    },
  };
}

/** The events of a run, which does not depend on its readers: any number of them can come and go. */
interface RunLog<Event> {
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
function createRunLog<Event>(onChange: () => void): RunLog<Event> {
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
