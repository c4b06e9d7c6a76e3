import { defineStore } from 'pinia';
import { shallowRef, watch } from 'vue';

import { useNavigation, type PaneId } from './navigation.ts';

/** A file on its way to the pane that can read it. */
interface Dropped {
  pane: PaneId;
  file: File;
}

/** Hands files that were dropped on the window to their panes; a pane that is not loaded yet takes them when it is. */
export const useDroppedFiles = defineStore('droppedFiles', () => {
  const navigation = useNavigation();
  const waiting = shallowRef<readonly Dropped[]>([]);

  return {
    give(pane: PaneId, file: File): void {
      waiting.value = [...waiting.value, { pane, file }];
      navigation.open(pane);
    },
    /** Gives `pane` what was dropped for it, now and as long as the calling component lives. */
    onGiven(pane: PaneId, take: (files: File[]) => void): void {
      watch(
        waiting,
        (all) => {
          const files = all.filter((one) => one.pane === pane).map(({ file }) => file);
          if (files.length === 0) return;
          waiting.value = all.filter((one) => one.pane !== pane);
          take(files);
        },
        { immediate: true },
      );
    },
  };
});
