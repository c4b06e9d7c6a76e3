import { computed, nextTick, shallowRef, watch, type ComputedRef } from 'vue';

export interface MarkedRow<T> {
  /** Index of the marked row; -1 if there is none. */
  at: ComputedRef<number>;
  /** The marked row, which Enter selects. */
  row: ComputedRef<T | undefined>;
  /** Marks the row with this key. */
  mark: (key: string) => void;
  /** Marks the row `step` rows further, or back if negative. The first row follows the last. */
  move: (step: number) => Promise<void>;
  /** Marks the first row again, or no row if `marksFirst` returns false. */
  reset: () => Promise<void>;
}

/**
 * The marked row of a list under a search field. At first it is the first row, the best match. After the user moves the
 * mark, it keeps its row while others are added or removed. If that row is removed, the first one is marked. `show`
 * scrolls a row into view by its index. If `marksFirst` returns false, no row is marked until the user moves the mark:
 * the rows are not what the user searched for, so Enter must not select one of them.
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
  // Rows above it were added or removed. A row that the pointer marks is in view already.
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
