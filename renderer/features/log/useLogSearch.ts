import { watchDebounced, watchThrottled } from '@vueuse/core';
import { computed, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue';

import type { LogSource } from './logSource.ts';
import type { FollowedLog } from './useWireRows.ts';

/** ms after the last letter, and between two searches of a log that grows. */
const typingMs = 180;
const growingMs = 1_000;

/** A search for text in the frames of a log, made by the engine: rows have no text. */
export interface LogSearch {
  text: Ref<string>;
  /** `seq` of the frames that hold it; undefined while nothing is searched for, or no answer is there yet. */
  hits: ShallowRef<ReadonlySet<number> | undefined>;
  searching: Ref<boolean>;
  error: Ref<string | undefined>;
  active: ComputedRef<boolean>;
}

export function useLogSearch(source: LogSource, log: FollowedLog, paused: Ref<boolean>): LogSearch {
  const text = ref('');
  const hits = shallowRef<ReadonlySet<number>>();
  const searching = ref(false);
  const error = ref<string>();
  const wanted = computed(() => text.value.trim());
  let turn = 0;
  let asked: AbortController | undefined;

  const search = async (): Promise<void> => {
    const mine = ++turn;
    asked?.abort();
    asked = new AbortController();
    if (wanted.value === '') {
      hits.value = undefined;
      searching.value = false;
      error.value = undefined;
      return;
    }
    searching.value = true;
    try {
      const { seqs } = await source.search(wanted.value, { signal: asked.signal });
      if (mine !== turn) return;
      hits.value = new Set(seqs);
      error.value = undefined;
    } catch (cause) {
      if (mine === turn) error.value = cause instanceof Error ? cause.message : String(cause);
    } finally {
      if (mine === turn) searching.value = false;
    }
  };

  watchDebounced(wanted, () => void search(), { debounce: typingMs });
  watchThrottled(
    log.rows,
    () => {
      if (wanted.value !== '' && !paused.value) void search();
    },
    { throttle: growingMs, trailing: true, leading: false },
  );
  return { text, hits, searching, error, active: computed(() => wanted.value !== '') };
}
