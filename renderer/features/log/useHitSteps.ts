import { computed, type ComputedRef, type Ref, type ShallowRef } from 'vue';

import { placeOf, type LogEntry } from './wireRows.ts';

/** Steps through the hits in the list. */
export interface HitSteps {
  /** Number of hits among the listed rows; undefined until a search has finished. */
  count: ComputedRef<number | undefined>;
  /** Number of the hit that the chosen row is, from 1; 0 if it is not a hit. */
  at: ComputedRef<number>;
  step(by: 1 | -1): void;
}

export function useHitSteps(options: {
  items: ShallowRef<readonly LogEntry[]>;
  hits: ShallowRef<ReadonlySet<number> | undefined>;
  selected: Ref<number | null>;
  /** Whether request and answer are one row, and the requests for which the opposite holds. */
  folding: Ref<boolean>;
  unfolded: Ref<ReadonlySet<number>>;
  choose: (index: number) => void;
}): HitSteps {
  const { items, hits, selected } = options;
  /** Indexes of the hits in the list. */
  const places = computed(() => {
    const wanted = hits.value;
    if (!wanted) return undefined;
    // Read once, because the loop visits every row.
    const folding = options.folding.value;
    const unfolded = options.unfolded.value;
    const found: number[] = [];
    items.value.forEach(({ row, answer }, index) => {
      const half = folding && answer !== undefined && !unfolded.has(row.seq) ? answer.row.seq : row.seq;
      if (wanted.has(row.seq) || wanted.has(half)) found.push(index);
    });
    return found;
  });
  const chosen = computed(() => (selected.value === null ? -1 : placeOf(items.value, selected.value)));
  return {
    count: computed(() => places.value?.length),
    at: computed(() => (places.value && selected.value !== null ? places.value.indexOf(chosen.value) + 1 : 0)),
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
