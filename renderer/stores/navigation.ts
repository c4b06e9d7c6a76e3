import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

import { isOneOf, useRemembered } from '../composables/useRemembered.ts';

/** Every pane there is. A new room is a word here and an entry in `panes/index.ts`. */
export type PaneId = 'discovery' | 'executor' | 'parser' | 'devices' | 'gateway' | 'chat' | 'realtime' | 'settings';

/** Which pane is in front (remembered), and which overlay is open. */
export const useNavigation = defineStore('navigation', () => {
  const isPane = isOneOf<PaneId>(
    'discovery',
    'executor',
    'parser',
    'devices',
    'gateway',
    'chat',
    'realtime',
    'settings',
  );
  const pane = useRemembered<PaneId>('pane', 'discovery', isPane);
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
