import { computed, onScopeDispose, ref, watch, type ComputedRef, type Ref } from 'vue';

/** Elements that are drawn in one frame, for all lists of the page together: about 10 ms of a processor. */
const perFrame = 240;

export interface SlicesOptions<T> {
  items: () => readonly T[];
  /** About how many elements an item takes. An item that takes more than fit into a frame has a frame of its own. */
  costOf: (item: T) => number;
  /** Elements that are drawn at once when the items change. The other items follow in later frames. */
  atOnce: number;
  /** A number that stays the same as items are added at either end, and ascends. Its index if left out. */
  positionOf?: (item: T) => number;
  /** The end that is in view; drawing begins there. */
  from?: () => 'start' | 'end';
  /**
   * Whether items before the drawn ones are drawn too, asked in each frame. If it returns false, they are not drawn until
   * `resume` is called or the items change. They are always drawn if left out.
   */
  wantsEarlier?: () => boolean;
}

export interface Slices {
  /** Indexes of the first item that is drawn and of the one behind the last. */
  range: ComputedRef<{ start: number; end: number }>;
  /** Further items are drawn in the next frames. */
  isDrawing: Readonly<Ref<boolean>>;
  /** Draws earlier items if they are wanted by now. */
  resume(): void;
}

interface WaitingList {
  /** Draws items of at most so many elements, or one item if `isFirst`. Returns how many elements were drawn. */
  grow(most: number, isFirst: boolean): number;
  /** Whether items are left to draw. */
  isPending(): boolean;
  isDrawing: Ref<boolean>;
}

/** Lists with items to draw. The newest, which is within an older one or below it, is served first. */
const waiting = new Set<WaitingList>();
let frame = 0;

function drawFrame(): void {
  frame = 0;
  let drawn = 0;
  for (const list of [...waiting].reverse()) {
    if (list.isPending()) drawn += list.grow(perFrame - drawn, drawn === 0);
    if (list.isPending()) break;
    stopDrawing(list);
  }
  if (waiting.size > 0) frame = requestAnimationFrame(drawFrame);
}

function startDrawing(list: WaitingList): void {
  waiting.add(list);
  list.isDrawing.value = true;
  if (frame === 0) frame = requestAnimationFrame(drawFrame);
}

function stopDrawing(list: WaitingList): void {
  waiting.delete(list);
  list.isDrawing.value = false;
}

/** Whether there are lists that draw further items in the next frames. */
export function isDrawing(): boolean {
  return waiting.size > 0;
}

/**
 * Draws a long list in several frames: all of it at once would stop the window. What is drawn stays drawn when items are
 * added before or behind it.
 */
export function useSlices<T>({
  items,
  costOf,
  atOnce,
  positionOf,
  from = () => 'start',
  wantsEarlier = () => true,
}: SlicesOptions<T>): Slices {
  const nowhere = from() === 'start' ? -Infinity : Infinity;
  /** Positions between which items are drawn; the second one is not. */
  const span = ref<readonly [number, number]>([nowhere, nowhere]);
  const range = computed(() => {
    const all = items();
    const [low, high] = span.value.map((position) => indexAt(all, position)) as [number, number];
    return { start: low, end: high };
  });

  function indexAt(all: readonly T[], position: number): number {
    if (positionOf === undefined) return Math.min(all.length, Math.max(0, position));
    const index = all.findIndex((item) => positionOf(item) >= position);
    return index === -1 ? all.length : index;
  }

  function placeOf(all: readonly T[], index: number): number {
    const item = all[index];
    return positionOf === undefined || item === undefined ? index : positionOf(item);
  }

  const list: WaitingList = {
    isDrawing: ref(false),
    isPending() {
      const { start, end } = range.value;
      return end < items().length || (start > 0 && (start === end || wantsEarlier()));
    },
    grow(most, isFirst) {
      const all = items();
      let { start, end } = range.value;
      let drawn = 0;
      const draws = (item: T | undefined): boolean => {
        if (item === undefined) return false;
        const cost = costOf(item);
        if (drawn + cost > most && !(isFirst && drawn === 0)) return false;
        drawn += cost;
        return true;
      };
      while (draws(all[end])) end += 1;
      if (end === all.length && (start === end || wantsEarlier())) while (draws(all[start - 1])) start -= 1;
      if (drawn > 0) span.value = [placeOf(all, start), placeOf(all, end - 1) + 1];
      return drawn;
    },
  };

  watch(
    items,
    (all) => {
      const { start, end } = range.value;
      // Otherwise later items at these positions would be drawn immediately.
      span.value = start === end ? [nowhere, nowhere] : [placeOf(all, start), placeOf(all, end - 1) + 1];
      list.grow(atOnce, false);
      if (list.isPending()) startDrawing(list);
      else stopDrawing(list);
    },
    { immediate: true },
  );
  onScopeDispose(() => waiting.delete(list));
  return {
    range,
    isDrawing: list.isDrawing,
    resume: () => {
      if (list.isPending()) startDrawing(list);
    },
  };
}
