import {
  computed,
  inject,
  onActivated,
  onDeactivated,
  onMounted,
  onUnmounted,
  shallowReactive,
  type ComputedRef,
} from 'vue';

import { paneHostKey } from '../window/paneHost.ts';

/** The searches in view, by the dialog or region with a search of its own (`data-own-search`), or else the pane they stand in. */
const searches = shallowReactive(new Map<symbol, unknown>());

const scopes = '[role="dialog"], [data-own-search]';

/** Whether `/` goes to this search: of several in one pane or dialog the first has the key. `element` is there once it is mounted. */
export function useSlashKey(element: () => unknown): ComputedRef<boolean> {
  const own = Symbol('search');
  const host = inject(paneHostKey, undefined);
  function enter(): void {
    const at = element();
    searches.set(own, (at instanceof Element ? at.closest(scopes) : null) ?? host);
  }
  onMounted(enter);
  onActivated(enter);
  const leave = (): unknown => searches.delete(own);
  onDeactivated(leave);
  onUnmounted(leave);
  return computed(
    () => searches.has(own) && [...searches].find(([, place]) => place === searches.get(own))?.[0] === own,
  );
}
