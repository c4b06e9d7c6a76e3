import { watch, type Ref } from 'vue';

/** Scrolls a list to its top if another text was pasted or opened, not this one edited: both of its ends are new. */
export function useTopOfText(
  list: Readonly<Ref<{ element: HTMLElement | null } | null>>,
  text: () => string | undefined,
): void {
  watch(
    () => text() ?? '',
    (now, before) => {
      const isOther = now.slice(0, 100) !== before.slice(0, 100) && now.slice(-100) !== before.slice(-100);
      const element = list.value?.element;
      if (isOther && element) element.scrollTop = 0;
    },
    { flush: 'post' },
  );
}
