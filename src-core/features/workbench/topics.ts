import { workbenchTopic, type WorkbenchEvent, type WorkbenchTopic } from '../../contract/workbench.ts';
import type { EventBus } from '../context.ts';

/** Milliseconds over which changes are gathered before the window is notified of them: about two frames. */
const gatherMs = 32;

/**
 * Tells windows which topics have changed; they ask again for what they show. Gathers changes, so that a window gets at
 * most one event per `gatherMs`. A slow window loses nothing: what it has not read is merged into one set of topics.
 */
export function createTopics(events: EventBus): {
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
