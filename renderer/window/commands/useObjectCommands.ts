import { onActivated, onDeactivated, onScopeDispose, ref } from 'vue';

import type { MenuItem } from '../../ui/Menu.vue';
import { useCommandStore } from './commandStore.ts';

/**
 * Offers in the palette what can be done with an object (a device, a chat, a collection) while the component that shows it is in
 * view. `name` says whose commands these are; the items are those of its menu and its buttons.
 */
export function useObjectCommands(name: () => string, items: () => readonly MenuItem[]): void {
  const store = useCommandStore();
  const inView = ref(true);
  onActivated(() => (inView.value = true));
  onDeactivated(() => (inView.value = false));
  onScopeDispose(store.offerFor(() => (inView.value ? items().map((item) => ({ item, name: name() })) : [])));
}
