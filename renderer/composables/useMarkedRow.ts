import { computed, nextTick, shallowRef, watch, type ComputedRef } from 'vue';

export interface MarkedRow<T> {
  /** Index of the marked row; -1 if there is none. */
  at: ComputedRef<number>;
  /** The marked row: what Enter takes. */
  row: ComputedRef<T | undefined>;
  /** Marks the row with this key. */
  mark: (key: string) => void;
  /** Marks the row `step` rows on, round the ends of the list. */
  move: (step: number) => Promise<void>;
  /** Takes back every move of the mark. */
  reset: () => Promise<void>;
}

/**
 * The mark in a list under a search field. It is on the first row, the best match, until somebody moves it. Then it stays on its row
 * if others come or go; if the row itself goes, the first one is marked. `show` brings a row into view by its index. If `marksFirst` returns false, no row is marked until somebody
 * moves the mark: the rows are not what was searched for, and Enter must not take one of them.
 */
export function useMarkedRow<T extends { key: string }>(options: {
  rows: () => readonly T[];
  show: (index: number) => void;
  marksFirst?: () => boolean;
}): MarkedRow<T> {
  const { rows, show, marksFirst = () => true } = options;
  const moved = shallowRef<string>();
  const at = computed(() => {
    const moveTo = rows().findIndex(({ key }) => key === moved.value);
    return moveTo === -1 && marksFirst() && rows().length > 0 ? 0 : moveTo;
  });

  async function showMark(): Promise<void> {
    await nextTick();
    if (at.value !== -1) show(at.value);
  }
  // Rows came or went above it. The row that a pointer marks is in view already.
  watch([at, moved], ([, now], [, before]) => void (now === before && showMark()));

  return {
    at,
    row: computed(() => rows()[at.value]),
    mark: (key) => (moved.value = key),
    move(step) {
      const { length } = rows();
      const from = at.value === -1 && step < 0 ? 0 : at.value;
      moved.value = rows()[(from + step + length) % length]?.key;
      return showMark();
    },
    reset() {
      moved.value = undefined;
      return showMark();
    },
  };
}
