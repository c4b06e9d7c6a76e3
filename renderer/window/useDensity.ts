import { useMediaQuery } from '@vueuse/core';
import { computed, type Ref } from 'vue';

import { useSettings } from './settingsStore.ts';

/** How close rows are: the user's choice, else by the width of the window. */
export function useDensity(): {
  comfortable: Readonly<Ref<boolean>>;
  /** px of a line in a list. */
  listRow: Readonly<Ref<number>>;
  /** px of a row of two lines in a list. */
  pairRow: Readonly<Ref<number>>;
  /** px of a line in a log. */
  logRow: Readonly<Ref<number>>;
} {
  const settings = useSettings();
  const large = useMediaQuery('(min-width: 1920px)');
  const comfortable = computed(() => {
    const { density } = settings.current;
    return density === 'auto' ? large.value : density === 'comfortable';
  });
  const px = (compact: number, wide: number) => computed(() => (comfortable.value ? wide : compact));
  return { comfortable, listRow: px(30, 36), pairRow: px(44, 52), logRow: px(24, 28) };
}
