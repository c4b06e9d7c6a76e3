import { shallowRef, watch, type ShallowRef } from 'vue';

import { usePictures } from './picturesStore.ts';

/** A picture's address for an `<img>`: `undefined` until it is loaded, `null` if it cannot be shown. */
export function usePictureUrl(id: () => string): ShallowRef<string | null | undefined> {
  const pictures = usePictures();
  const url = shallowRef<string | null>();
  watch(
    id,
    async (wanted) => {
      url.value = undefined;
      // A picture that cannot be fetched is treated as one that cannot be shown. Its details are shown beside it.
      const found = await pictures.urlOf(wanted).catch(() => undefined);
      if (wanted === id()) url.value = found ?? null;
    },
    { immediate: true },
  );
  return url;
}
