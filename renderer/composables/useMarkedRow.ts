import { computed, nextTick, shallowRef, watch, type ComputedRef } from 'vue';

export interface MarkedRow<T> {
  /** Index of the marked row; 0 if there is none. */
  at: ComputedRef<number>;
  /** The marked row: what Enter takes. */
  row: ComputedRef<T | undefined>;
  /** Marks the row with this key. */
  mark: (key: string) => void;
  /** Marks the row `step` rows on, round the ends of the list. */
  move: (step: number) => Promise<void>;
  /** Marks the first row, whichever it is. */
  reset: () => Promise<void>;
}

/**
 * The mark in a list under a search field. It is on the first row, the best match, until somebody moves it. Then it stays on its row
 * if others come or go; if the row itself goes, the first one is marked. `show` brings a row into view by its index.
 */
export function useMarkedRow<T extends { key: string }>(options: {
  rows: () => readonly T[];
  show: (index: number) => void;
}): MarkedRow<T> {
  const { rows, show } = options;
  const moved = shallowRef<string>();
  const at = computed(() =>
    moved.value === undefined
      ? 0
      : Math.max(
          0,
          rows().findIndex(({ key }) => key === moved.value),
        ),
  );

  async function showMark(): Promise<void> {
    await nextTick();
    show(at.value);
  }
  // Rows came or went above it. The row that a pointer marks is in view already.
  watch([at, moved], ([, now], [, before]) => void (now === before && showMark()));

  return {
    at,
    row: computed(() => rows()[at.value]),
    mark: (key) => (moved.value = key),
    move(step) {
      const { length } = rows();
      moved.value = rows()[(at.value + step + length) % length]?.key;
      return showMark();
    },
    reset() {
      moved.value = undefined;
      return showMark();
    },
  };
}
