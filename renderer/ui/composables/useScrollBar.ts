import { useElementSize } from '@vueuse/core';
import { computed, type ComputedRef } from 'vue';

/** px of the scroll bar of a list, which the heads of its columns leave free. */
export function useScrollBar(list: ComputedRef<HTMLElement | null>): ComputedRef<number> {
  const { width } = useElementSize(list);
  return computed(() => (list.value && width.value > 0 ? list.value.offsetWidth - list.value.clientWidth : 0));
}
