import type { Service } from '../../contract/implementation.ts';
import type { Opening, WorkbenchInfo } from '../../contract/types.ts';
import { type workbench, type WorkbenchEvent, workbenchTopic, type WorkbenchTopic } from '../../contract/workbench.ts';
import { version } from '../../base/version.ts';
import type { EventBus } from '../context.ts';

/** Openings that wait for a window; more than the user asks for at once. */
const maxWaiting = 16;

/** Opens what windows and terminals are told of the workbench as a whole. `about` is called for each `info`. */
export function openWorkbenchFacts({
  events,
  about,
}: {
  events: EventBus;
  about: () => Omit<WorkbenchInfo, 'version' | 'platform' | 'node'>;
}) {
  const topics = createTopics(events);
  let waiting: Opening[] = [];
  let windows = 0;
  const service = {
    info: () => ({ version, platform: process.platform, node: process.version, ...about() }),
    async *events(_input?: undefined, signal?: AbortSignal) {
      windows += 1;
      try {
        yield* topics.subscribe(signal);
      } finally {
        windows -= 1;
      }
    },
    /** As `events`, for this process, which is not a window. */
    follow: (signal: AbortSignal) => topics.subscribe(signal),
    /** How many windows, and terminals that show what happens, follow the events. */
    windows: () => windows,
    takeOpenings() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
    /** Shows something in the next window that asks. If too many wait, the oldest is dropped. */
    putOpening(opening: Opening): void {
      waiting = [...waiting, opening].slice(-maxWaiting);
      events.emit('changed', 'openings');
    },
  } satisfies Service<typeof workbench>;
  return { service, close: topics.close };
}

/** Milliseconds over which changes are gathered before the window is notified of them: about two frames. */
const gatherMs = 32;

/**
 * Tells windows which topics have changed; they ask again for what they show. Gathers changes, so that a window gets at
 * most one event per `gatherMs`. A slow window loses nothing: what it has not read is merged into one set of topics.
 */
function createTopics(events: EventBus): {
  /** First every topic, then each gathered set of changes; ends when `signal` aborts or the topics are closed. */
  subscribe(signal?: AbortSignal): AsyncGenerator<WorkbenchEvent, void, void>;
  close(): void;
} {
  const pending = new Set<WorkbenchTopic>();
  const listeners = new Set<(topics: Iterable<WorkbenchTopic> | undefined) => void>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function flush(): void {
    timer = undefined;
    const topics = [...pending];
    pending.clear();
    for (const listener of listeners) listener(topics);
  }

  function gather(topic: WorkbenchTopic): void {
    if (listeners.size === 0) return;
    pending.add(topic);
    timer ??= setTimeout(flush, gatherMs);
  }
  events.on('changed', gather);

  return {
    async *subscribe(signal) {
      if (closed) return;
      const unread = new Set(workbenchTopic.options);
      let ended = signal?.aborted ?? false;
      let wake: (() => void) | undefined;
      const listener = (topics: Iterable<WorkbenchTopic> | undefined): void => {
        if (topics) for (const topic of topics) unread.add(topic);
        else ended = true;
        wake?.();
      };
      const end = (): void => listener(undefined);
      listeners.add(listener);
      signal?.addEventListener('abort', end);
      try {
        while (!ended) {
          if (unread.size === 0) await new Promise<void>((resolve) => (wake = resolve));
          wake = undefined;
          if (unread.size === 0) continue;
          const topics = [...unread];
          unread.clear();
          yield { topics };
        }
      } finally {
        listeners.delete(listener);
        signal?.removeEventListener('abort', end);
      }
    },
    close() {
      closed = true;
      events.off('changed', gather);
      clearTimeout(timer);
      for (const listener of listeners) listener(undefined);
    },
  };
}
