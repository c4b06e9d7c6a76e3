import { useMediaQuery } from '@vueuse/core';

/** Under 1,100 px a pane's right region becomes a drawer; from 1,600 px on, regions grow. */
export function useLayout() {
  return { narrow: useMediaQuery('(max-width: 1099px)'), wide: useMediaQuery('(min-width: 1600px)') };
}
