import { useMediaQuery } from '@vueuse/core';
import { computed, type Ref } from 'vue';

import { useSettings } from './settingsStore.ts';

/** How close rows are: the user's choice, else by the width of the window. */
export function useDensity(): {
  comfortable: Readonly<Ref<boolean>>;
  /** px of a line in a list. */
  listRow: Readonly<Ref<number>>;
} {
  const settings = useSettings();
  const large = useMediaQuery('(min-width: 1920px)');
  const comfortable = computed(() => {
    const { density } = settings.current;
    return density === 'auto' ? large.value : density === 'comfortable';
  });
  return { comfortable, listRow: computed(() => (comfortable.value ? 36 : 30)) };
}
