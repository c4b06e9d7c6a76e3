import { useTimeoutFn, watchDebounced } from '@vueuse/core';
import { computed, onScopeDispose, ref, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';

import { isHit, searchWords, type LogFilter, type WordHits } from './logFilter.ts';
import type { LogSource } from './logSource.ts';
import type { FollowedLog } from './useWireRows.ts';
import { indexOf, type LogEntry } from './wireRows.ts';

/** ms after the last letter, and between two searches of a log that grows. */
const typingMs = 180;
const growingMs = 250;

/** A search for words in the frames of a log, made by the engine: rows have no text. */
export interface LogSearch {
  text: Ref<string>;
  /** The words that are looked for, in lower case. */
  wanted: ComputedRef<readonly string[]>;
  /** Undefined while nothing is searched for, or no answer is there yet. A new object after each search. */
  found: ShallowRef<WordHits | undefined>;
  /** Counts the searches for other words. */
  turn: Ref<number>;
  searching: Ref<boolean>;
  error: Ref<string | undefined>;
}

export function useLogSearch(source: LogSource, log: FollowedLog, paused: Ref<boolean>): LogSearch {
  const text = ref('');
  const found = shallowRef<WordHits>();
  const turn = ref(0);
  const searching = ref(false);
  const error = ref<string>();
  const words = computed(() => searchWords(text.value));
  let asked = new AbortController();
  /** What is known of each word: its frames up to `upTo`. */
  let known = new Map<string, Set<number>>();

  /** Searches what is new for words that were searched for before, and everything for others. False if another search took over. */
  async function search(): Promise<boolean> {
    asked.abort();
    const { signal } = (asked = new AbortController());
    const upTo = log.rows.value.lastSeq;
    const afterSeq = found.value && found.value.upTo >= 0 ? found.value.upTo : undefined;
    searching.value = true;
    try {
      const hits = await Promise.all(
        words.value.map(async (word) => {
          const seqs = known.get(word.text);
          const part = seqs && afterSeq !== undefined ? { afterSeq } : {};
          const fresh = await source.search({ text: word.text, ...part }, { signal });
          return { ...word, seqs: addAll(seqs ?? new Set(), fresh.seqs) };
        }),
      );
      if (signal.aborted) return false;
      known = new Map(hits.map((word) => [word.text, word.seqs]));
      found.value = { words: hits, upTo };
      error.value = undefined;
      if (log.rows.value.lastSeq > upTo) grow();
    } catch (cause) {
      if (!signal.aborted) error.value = cause instanceof Error ? cause.message : String(cause);
    } finally {
      if (!signal.aborted) searching.value = false;
    }
    return !signal.aborted;
  }

  /** Searches what came meanwhile, soon. */
  const grow = useSoon(() => {
    if (words.value.length > 0 && !paused.value && !searching.value) void search();
  }, growingMs);
  onScopeDispose(() => asked.abort());

  function forget(): void {
    asked.abort();
    known.clear();
    found.value = error.value = undefined;
    searching.value = false;
  }

  watchDebounced(
    words,
    async () => {
      if (words.value.length === 0) forget();
      else if (await search()) turn.value += 1;
    },
    { debounce: typingMs },
  );
  watch([log.rows, paused], () => {
    if (log.rows.value.entries.length === 0) forget();
    grow();
  });
  return {
    text,
    wanted: computed(() => words.value.filter((word) => !word.excluded).map((word) => word.text.toLowerCase())),
    found,
    turn,
    searching,
    error,
  };
}

/** Returns a function that calls `work` after `ms`, if it is not about to. */
function useSoon(work: () => void, ms: number): () => void {
  const { isPending, start } = useTimeoutFn(work, ms, { immediate: false });
  return () => {
    if (!isPending.value) start();
  };
}

function addAll(set: Set<number>, more: readonly number[]): Set<number> {
  for (const each of more) set.add(each);
  return set;
}

/** Steps through the hits in the list. */
export interface HitSteps {
  /** Number of hits among the listed rows; undefined until a search has finished. */
  count: ComputedRef<number | undefined>;
  /** Number of the hit that the chosen row is, from 1; 0 if it is not a hit. */
  at: ComputedRef<number>;
  step(by: 1 | -1): void;
}

export function useHitSteps(options: {
  search: Pick<LogSearch, 'wanted' | 'found' | 'turn'>;
  items: Readonly<Ref<readonly LogEntry[]>>;
  /** A filter is being applied to them. */
  working: Ref<boolean>;
  filter: Ref<LogFilter>;
  /** seq. */
  selected: Ref<number | null>;
  choose: (index: number) => void;
  /** Brings a row into view. */
  show: (index: number) => void;
}): HitSteps {
  const { search, items, working, selected } = options;
  /** Indexes of the hits in the list. */
  const places = computed(() => {
    const found = search.found.value;
    if (!found || search.wanted.value.length === 0) return undefined;
    // Read once, because the loop visits every row.
    const { fold, unfolded } = options.filter.value;
    const hits: number[] = [];
    items.value.forEach((entry, index) => {
      const answer = fold && !unfolded.has(entry.row.seq) ? entry.answer : undefined;
      if (isHit(entry, answer, found)) hits.push(index);
    });
    return hits;
  });
  const chosen = computed(() => (selected.value === null ? -1 : indexOf(items.value, selected.value)));
  const at = computed(() => (places.value && selected.value !== null ? places.value.indexOf(chosen.value) + 1 : 0));

  let shown = search.turn.value;
  watch(
    [search.turn, working],
    () => {
      if (shown === search.turn.value || working.value) return;
      shown = search.turn.value;
      const [first] = places.value ?? [];
      if (first !== undefined && at.value === 0) options.show(first);
    },
    { flush: 'post' },
  );

  return {
    count: computed(() => places.value?.length),
    at,
    step(by) {
      const all = places.value ?? [];
      if (all.length === 0) return;
      const next =
        by === 1 ? all.findIndex((place) => place > chosen.value) : all.findLastIndex((place) => place < chosen.value);
      // Wraps around. Without a chosen row, the newest hit is the previous one.
      const index = next !== -1 ? next : by === 1 ? 0 : all.length - 1;
      options.choose(all[index] ?? 0);
    },
  };
}
