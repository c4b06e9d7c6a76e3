import { computed, onMounted, onUnmounted, shallowReactive, type ComputedRef } from 'vue';

/** The searches that are there, by the pane or dialog they stand in. */
const searches = shallowReactive(new Map<symbol, Element | null>());

/** Whether `/` goes to this search: of several in one pane or dialog the first has the key. `element` is there once it is mounted. */
export function useSlashKey(element: () => unknown): ComputedRef<boolean> {
  const own = Symbol('search');
  onMounted(() => {
    const at = element();
    searches.set(own, at instanceof Element ? at.closest('[role="dialog"], [data-pane]') : null);
  });
  onUnmounted(() => searches.delete(own));
  return computed(() => {
    const place = searches.get(own);
    return searches.has(own) && [...searches].find(([, other]) => other === place)?.[0] === own;
  });
}
