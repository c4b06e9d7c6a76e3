import { onMounted, watch, type ShallowRef } from 'vue';

interface ListArrowsOptions<T> {
  list: Readonly<ShallowRef<{ scrollTo: (index: number) => void; follow?: (index: number) => void } | null>>;
  rows: () => readonly T[];
  /** Index of the chosen row; -1 if none. */
  at: () => number;
  /** Key of the chosen row. One that is chosen elsewhere, or comes after it was chosen, is scrolled into view. */
  chosen: () => string | number | undefined;
  choose: (row: T) => void;
  /** False for a heading, which is skipped. */
  canBeChosen?: (row: T) => boolean;
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: 1, End: -1 };

/** Arrows, Home and End on a list choose a row and scroll it into view. Keys pressed inside a row are left to the row. */
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
  // A row that is sorted anew stays in view unless the user has scrolled.
  watch(at, (index) => index !== -1 && list.value?.follow?.(index), { flush: 'post' });
  onMounted(() => at() !== -1 && list.value?.scrollTo(at()));
  return (event) => {
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    if (step === undefined || event.target !== event.currentTarget) return;
    event.preventDefault();
    const all = rows();
    const last = all.length - 1;
    const isFromEnd = event.key === 'End' || (step < 0 && at() === -1);
    let index = event.key === 'Home' ? 0 : isFromEnd ? last : Math.min(last, Math.max(0, at() + step));
    let row = all[index];
    while (row !== undefined && !canBeChosen(row)) row = all[(index += step)];
    if (row === undefined) return;
    if (index === at()) list.value?.scrollTo(index);
    choose(row);
  };
}
