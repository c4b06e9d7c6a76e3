import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

export type PaneId = 'discovery' | 'executor' | 'parser' | 'devices' | 'settings';

/** Which pane is in front, and which overlay is open. */
export const useNavigation = defineStore('navigation', () => {
  const pane = shallowRef<PaneId>('discovery');
  const overlay = shallowRef<'palette' | 'shortcuts' | null>(null);
  return {
    pane,
    overlay,
    open(id: PaneId): void {
      pane.value = id;
      overlay.value = null;
    },
  };
});
