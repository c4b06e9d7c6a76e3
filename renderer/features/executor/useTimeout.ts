import { computed, ref, watch, type ComputedRef, type Ref } from 'vue';

import { useSettings } from '../../window/settingsStore.ts';

const longestMs = 3_600_000;

/** Whose limit a call gets: written for this call, kept for this tool, or the one for all tools. */
export type TimeoutSource = 'call' | 'tool' | 'general';

export interface Timeout {
  /** As written in the run bar, in seconds; empty takes the tool's own or the general one. */
  seconds: Ref<string>;
  /** What holds where nothing is written, in seconds. */
  standard: ComputedRef<string>;
  source: ComputedRef<TimeoutSource>;
  /** Undefined where what is written is no time that a call can have. */
  ms: ComputedRef<number | undefined>;
  generalMs: ComputedRef<number>;
  /** Keeps the limit as it stands for this tool, whoever calls it. */
  keep: () => void;
  /** Gives the tool the general one again. */
  reset: () => void;
}

/** The time that a call of the tool in front may take. What was written for one tool is not for the next. */
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
