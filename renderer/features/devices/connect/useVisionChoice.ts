import { watchDebounced } from '@vueuse/core';
import { computed, ref, watch, type Ref, type WritableComputedRef } from 'vue';

import type { Settings } from '../../../../src-core/contract/types.ts';
import { useBeforeLeaving } from '../../../ui/composables/useBeforeLeaving.ts';
import { useSettings } from '../../../window/settingsStore.ts';

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
  function saveCanned(): void {
    if (canned.value === vision.value.cannedText) return;
    settings.change({ vision: { ...vision.value, cannedText: canned.value } });
  }
  watchDebounced(canned, saveCanned, { debounce: 600 });
  useBeforeLeaving(saveCanned);
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
