import { watchDebounced } from '@vueuse/core';
import { computed, ref, watch, type Ref, type WritableComputedRef } from 'vue';

import type { Settings } from '../../src-core/api/types.ts';
import { useSettings } from '../stores/settings.ts';

type Answer = Settings['vision']['answer'];

/** Who answers a device's question about a picture, and the answer set beforehand, saved when the typing stops. */
export function useVisionChoice(): { answer: WritableComputedRef<Answer | undefined>; canned: Ref<string> } {
  const settings = useSettings();
  const vision = computed(() => settings.current.vision);
  const canned = ref(vision.value.cannedText);
  watch(
    () => vision.value.cannedText,
    (saved) => (canned.value = saved),
  );
  watchDebounced(
    canned,
    (written) => {
      if (written !== vision.value.cannedText) settings.change({ vision: { ...vision.value, cannedText: written } });
    },
    { debounce: 600 },
  );
  return {
    canned,
    answer: computed({
      get: () => vision.value.answer,
      // At once: the next picture may come any moment.
      set: (chosen) => {
        settings.change({ vision: { ...vision.value, answer: chosen ?? 'model' } });
        void settings.flush();
      },
    }),
  };
}
