import { readonly, ref, shallowRef, type Ref, type ShallowRef } from 'vue';

import type { WorkbenchTopic } from '../../src-core/contract/types.ts';
import type { Connection } from './connection.ts';

/** A piece of the engine's state, held in the window and fetched again whenever the engine says it changed. */
export interface Resource<T> {
  data: ShallowRef<T>;
  /** False until the first answer. */
  loaded: Readonly<Ref<boolean>>;
  /** Why the last fetch failed; the data of the one before stays. */
  error: Readonly<Ref<string | undefined>>;
  refresh(): Promise<void>;
}

/** ms at most between a fetch and the next one. */
const longestRestMs = 2_000;

/**
 * Fetches at most once at a time; a change during a fetch leads to one more. After one that took long it rests twice as
 * long, so that a list of a thousand that changes all the time leaves the page to the user.
 */
export function createResource<T>(options: {
  connection: Connection;
  topics: readonly WorkbenchTopic[];
  initial: T;
  fetch: () => Promise<T>;
}): Resource<T> {
  const data = shallowRef(options.initial) as ShallowRef<T>;
  const loaded = ref(false);
  const error = ref<string>();
  let again = false;
  let running: Promise<void> | undefined;
  /** When the next fetch may begin, by `performance.now()`. */
  let rested = 0;

  const fetchUntilFresh = async (): Promise<void> => {
    do {
      const restMs = rested - performance.now();
      if (restMs > 1) await new Promise((resolve) => setTimeout(resolve, restMs));
      again = false;
      const startedAt = performance.now();
      try {
        data.value = await options.fetch();
        loaded.value = true;
        error.value = undefined;
      } catch (cause) {
        error.value = cause instanceof Error ? cause.message : String(cause);
      }
      const endedAt = performance.now();
      rested = endedAt + Math.min(longestRestMs, 2 * (endedAt - startedAt));
    } while (again);
    running = undefined;
  };

  const refresh = (): Promise<void> => {
    if (running) again = true;
    else running = fetchUntilFresh();
    return running ?? Promise.resolve();
  };

  options.connection.onTopics((topics) => {
    if (topics.some((topic) => options.topics.includes(topic))) void refresh();
  });
  return { data, loaded: readonly(loaded), error: readonly(error), refresh };
}
