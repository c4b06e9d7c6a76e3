import { onMounted, watch, type ShallowRef } from 'vue';

interface ScrolledList {
  scrollTo: (index: number) => void;
  follow?: (index: number) => void;
  /** What is scrolled; its height is that of a page. */
  element?: Pick<HTMLElement, 'clientHeight' | 'scrollHeight'> | null;
}

interface ListArrowsOptions<T> {
  list: Readonly<ShallowRef<ScrolledList | null>>;
  rows: () => readonly T[];
  /** Index of the chosen row; -1 if none. */
  at: () => number;
  /** Key of the chosen row. One that is chosen elsewhere, or comes after it was chosen, is scrolled into view. */
  chosen: () => string | number | undefined;
  choose: (row: T) => void;
  /** False for a heading, which is skipped. */
  canBeChosen?: (row: T) => boolean;
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 1, PageUp: -1, Home: 1, End: -1 };

/** Arrows, Page keys, Home and End on a list choose a row and scroll it into view. Keys pressed inside a row are left to the row. */
export function useListArrows<T>({
  list,
  rows,
  at,
  chosen,
  choose,
  canBeChosen = () => true,
}: ListArrowsOptions<T>): (event: KeyboardEvent) => void {
  watch(
    () => (at() === -1 ? undefined : chosen()),
    (key) => key !== undefined && list.value?.scrollTo(at()),
    { flush: 'post' },
  );
  // A row that is sorted again stays in view unless the user has scrolled.
  watch(at, (index) => index !== -1 && list.value?.follow?.(index), { flush: 'post' });
  onMounted(() => at() !== -1 && list.value?.scrollTo(at()));
  return (event) => {
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    if (step === undefined || event.target !== event.currentTarget) return;
    event.preventDefault();
    const all = rows();
    const last = all.length - 1;
    const isFromEnd = event.key === 'End' || (step < 0 && at() === -1);
    const { clientHeight = 0, scrollHeight = 1 } = list.value?.element ?? {};
    const page = Math.max(1, Math.floor((all.length * clientHeight) / scrollHeight) - 1);
    const by = event.key.startsWith('Page') ? page * step : step;
    const start = event.key === 'Home' ? 0 : isFromEnd ? last : Math.min(last, Math.max(0, at() + by));
    const from = (way: number): number => {
      let index = start;
      for (let row = all[index]; row !== undefined && !canBeChosen(row); row = all[index]) index += way;
      return index;
    };
    const next = from(step);
    const index = next in all ? next : from(-step);
    const row = all[index];
    if (row === undefined) return;
    if (index === at()) list.value?.scrollTo(index);
    choose(row);
  };
}
