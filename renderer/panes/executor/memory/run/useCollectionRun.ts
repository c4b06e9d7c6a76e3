import { computed, onScopeDispose, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue';

import type { CallReport } from '../../../../../src-core/api/types.ts';
import { useClient } from '../../../../composables/useClient.ts';

/** What to run. */
export interface RunInput {
  folder: string;
  environment?: string;
  only?: string[];
  bail: boolean;
  confirmed: boolean;
}

/** A run of saved calls, followed as it goes. */
export interface CollectionRun {
  reports: ShallowRef<readonly CallReport[]>;
  running: Ref<boolean>;
  /** Why it ended before its end. */
  error: Ref<string | undefined>;
  counts: ComputedRef<Record<CallReport['verdict'], number>>;
  start(input: RunInput): Promise<void>;
  /** Ends the call that runs; the others are not made. */
  stop(): void;
}

/** One run at a time; going away stops it. */
export function useCollectionRun(): CollectionRun {
  const client = useClient();
  const reports = shallowRef<readonly CallReport[]>([]);
  const running = ref(false);
  const error = ref<string>();
  let ending: AbortController | undefined;

  async function start(input: RunInput): Promise<void> {
    if (running.value) return;
    const turn = new AbortController();
    ending = turn;
    running.value = true;
    reports.value = [];
    error.value = undefined;
    try {
      for await (const report of await client.collections.run(input, { signal: turn.signal }))
        reports.value = [...reports.value, report];
    } catch (cause) {
      if (!turn.signal.aborted) error.value = cause instanceof Error ? cause.message : String(cause);
    } finally {
      running.value = false;
    }
  }
  onScopeDispose(() => ending?.abort());

  return {
    ...{ reports, running, error, start },
    counts: computed(() => {
      const counts = { passed: 0, failed: 0, skipped: 0 };
      for (const { verdict } of reports.value) counts[verdict] += 1;
      return counts;
    }),
    stop: () => ending?.abort(),
  };
}
