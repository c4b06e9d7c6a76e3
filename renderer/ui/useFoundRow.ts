import { nextTick, watch, type Ref } from 'vue';

/** The searched list, as exposed by `VirtualList`. */
interface FoundList {
  scrollTo(index: number): void;
  element: HTMLElement | null;
}

/** Scrolls the first row with a text into view whenever the text or the rows change, and in a long row the match itself. */
export function useFoundRow<T>(options: {
  list: Readonly<Ref<FoundList | null>>;
  rows: () => readonly T[];
  /** Lower case; if empty, nothing is searched. */
  find: () => string;
  textOf: (row: T) => string;
  /** Called with the index of the found row. */
  found?: (index: number) => void;
}): void {
  const { list, rows, find, textOf } = options;
  watch(
    [rows, find],
    async ([all, text]) => {
      const index = text === '' ? -1 : all.findIndex((row) => textOf(row).toLowerCase().includes(text));
      if (index === -1) return;
      options.found?.(index);
      await showFoundRow(list, index);
    },
    { immediate: true, flush: 'post' },
  );
}

/** Scrolls a row into view, and in a long one its first mark. */
export async function showFoundRow(list: Readonly<Ref<FoundList | null>>, index: number): Promise<void> {
  await nextTick();
  // A new list has its height in the next animation frame, and draws the row in the frame after scrolling.
  await nextPicture();
  list.value?.scrollTo(index);
  await nextPicture();
  await nextTick();
  const host = list.value?.element;
  const mark = host?.querySelector(`[data-index="${index}"] .hit`);
  if (host && mark) center(host, mark);
}

const nextPicture = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

function center(host: HTMLElement, mark: Element): void {
  const [box, place] = [host.getBoundingClientRect(), mark.getBoundingClientRect()];
  if (place.left < box.left || place.right > box.right) host.scrollLeft += place.left - box.left - box.width / 2;
  if (place.top < box.top || place.bottom > box.bottom) host.scrollTop += place.top - box.top - box.height / 2;
}
