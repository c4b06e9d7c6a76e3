import { useElementSize } from '@vueuse/core';
import { computed, ref, watch, type ComputedRef, type Ref } from 'vue';

/** A rendered row and its offset, in px. */
export interface PlacedRow {
  index: number;
  start: number;
}

/** Finds the rows in view of a long list with rows of equal height. The cost does not depend on the number of rows. */
export function useUniformRows(options: {
  host: Readonly<Ref<HTMLElement | null>>;
  count: () => number;
  /** px. */
  size: () => number;
  /** Number of rows rendered beyond each edge. */
  overscan: () => number;
}): {
  rows: ComputedRef<PlacedRow[]>;
  onScroll: () => void;
  scrollTo: (index: number) => void;
  /** The row that was shown last is at this index now; it stays in view unless the user has scrolled. */
  follow: (index: number) => void;
} {
  const { host } = options;
  const top = ref(0);
  const { height } = useElementSize(host);
  /** px: the scroll position when the list was left, and the largest one possible then. */
  let kept = 0;
  let placed = 0;
  /** Index of the row that is kept in view until the user scrolls. */
  let shown: number | undefined;
  // A list that was detached with its pane is at its beginning, and is no height until the pane is laid out, which may take two steps.
  watch(height, (now) => {
    if (!host.value || now === 0) return;
    host.value.scrollTop = kept;
    placed = top.value = host.value.scrollTop;
    if (shown !== undefined) scrollTo(shown);
  });
  function scrollTo(index: number): void {
    shown = index;
    const element = host.value;
    if (!element || height.value === 0) return;
    const start = index * options.size();
    const end = start + options.size();
    if (start < element.scrollTop) element.scrollTop = start;
    else if (end > element.scrollTop + element.clientHeight) element.scrollTop = end - element.clientHeight;
    kept = placed = top.value = element.scrollTop;
  }

  return {
    rows: computed(() => {
      if (height.value === 0) return [];
      const size = options.size();
      const count = options.count();
      const overscan = options.overscan();
      // If a list shrinks, the browser scrolls it up and emits the event only afterwards.
      const from = Math.min(top.value, Math.max(0, count * size - height.value));
      const first = Math.max(0, Math.floor(from / size) - overscan);
      const last = Math.min(count, Math.ceil((from + height.value) / size) + overscan);
      return Array.from({ length: Math.max(0, last - first) }, (_, at) => ({
        index: first + at,
        start: (first + at) * size,
      }));
    }),
    onScroll() {
      top.value = host.value?.scrollTop ?? 0;
      if (top.value === placed) return;
      kept = placed = top.value;
      shown = undefined;
    },
    scrollTo,
    follow: (index: number) => void (shown !== undefined && scrollTo(index)),
  };
}
