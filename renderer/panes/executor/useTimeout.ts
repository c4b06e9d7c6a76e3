import { computed, ref, type ComputedRef, type Ref } from 'vue';

import { useSettings } from '../../stores/settings.ts';

const longestMs = 3_600_000;

/** The time a call may take, as it is written in the run bar, in seconds. Empty is the setting's own. */
export function useTimeout(): {
  seconds: Ref<string>;
  standard: ComputedRef<string>;
  ms: ComputedRef<number | undefined>;
} {
  const settings = useSettings();
  const seconds = ref('');
  return {
    seconds,
    standard: computed(() => String(settings.current.toolCallConfig.timeout / 1_000)),
    /** Undefined where what is written is no time that a call can have. */
    ms: computed(() => {
      if (seconds.value.trim() === '') return settings.current.toolCallConfig.timeout;
      const ms = Math.round(Number(seconds.value) * 1_000);
      return Number.isFinite(ms) && ms >= 1 && ms <= longestMs ? ms : undefined;
    }),
  };
}
