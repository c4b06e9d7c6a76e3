import { useMediaQuery } from '@vueuse/core';
import { computed, inject, type Ref } from 'vue';

import { paneHostKey } from '../../window/paneHost.ts';

/** px of a pane beside the rail in a window of 1,100 and of 1,600. */
const narrowUnder = 1_028;
const wideFrom = 1_416;

/**
 * Under 1,100 px of window a pane's right region becomes a drawer; from 1,600 px on, regions grow. What stands in a half
 * of the window goes by the width of its half.
 */
export function useLayout(): { narrow: Readonly<Ref<boolean>>; wide: Readonly<Ref<boolean>> } {
  const host = inject(paneHostKey, undefined);
  if (host === undefined)
    return { narrow: useMediaQuery('(max-width: 1099px)'), wide: useMediaQuery('(min-width: 1600px)') };
  const { width } = host;
  return { narrow: computed(() => width.value < narrowUnder), wide: computed(() => width.value >= wideFrom) };
}
