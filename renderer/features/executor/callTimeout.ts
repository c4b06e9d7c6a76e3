import { computed, ref, watch, type ComputedRef, type Ref } from 'vue';

import { useSettings } from '../../window/settingsStore.ts';

const longestMs = 3_600_000;

/** The source of a call's limit: entered for this call, stored for this tool, or the general one. */
type TimeoutSource = 'call' | 'tool' | 'general';

interface Timeout {
  /** As entered in the run bar, in seconds; if empty, the tool's limit or the general one applies. */
  seconds: Ref<string>;
  /** The limit if nothing is entered, in seconds. */
  standard: ComputedRef<string>;
  source: ComputedRef<TimeoutSource>;
  /** Undefined if the entered text is not a valid limit. */
  ms: ComputedRef<number | undefined>;
  generalMs: ComputedRef<number>;
  /** Stores the current limit for this tool, for all callers. */
  keep: () => void;
  /** Resets the tool to the general limit. */
  reset: () => void;
}

/** The time limit for a call of the tool in front. A limit entered for one tool does not apply to the next one. */
export function useTimeout(toolName: Ref<string>): Timeout {
  const settings = useSettings();
  const seconds = ref('');
  watch(toolName, () => (seconds.value = ''), { flush: 'sync' });

  const generalMs = computed(() => settings.current.toolCallConfig.timeout);
  const own = computed(() => {
    const { toolTimeouts } = settings.current;
    return Object.hasOwn(toolTimeouts, toolName.value) ? toolTimeouts[toolName.value] : undefined;
  });
  const ms = computed(() => {
    if (seconds.value.trim() === '') return own.value ?? generalMs.value;
    const written = Math.round(Number(seconds.value) * 1_000);
    return Number.isFinite(written) && written >= 1 && written <= longestMs ? written : undefined;
  });

  function change(ownMs: number | undefined): void {
    const others = Object.entries(settings.current.toolTimeouts).filter(([name]) => name !== toolName.value);
    const entry: [string, number][] = ownMs === undefined ? [] : [[toolName.value, ownMs]];
    settings.change({ toolTimeouts: Object.fromEntries([...others, ...entry]) });
    seconds.value = '';
  }

  return {
    seconds,
    standard: computed(() => String((own.value ?? generalMs.value) / 1_000)),
    source: computed(() => {
      if (seconds.value.trim() !== '') return 'call';
      return own.value === undefined ? 'general' : 'tool';
    }),
    ms,
    generalMs,
    keep: () => {
      if (ms.value !== undefined) change(ms.value);
    },
    reset: () => change(undefined),
  };
}
