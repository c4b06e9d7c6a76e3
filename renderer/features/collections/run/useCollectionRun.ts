import { computed, onScopeDispose, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue';

import type { CallReport, CollectionRunInput } from '../../../../src-core/contract/types.ts';
import type { RunToFollow } from '../../calls/followRun.ts';
import { useClient } from '../../../client/useClient.ts';
import { useRuns } from '../../calls/runsStore.ts';

/** What to run. */
export type RunInput = Omit<CollectionRunInput, 'runId'>;

/** A run of saved calls, followed as it goes. */
export interface CollectionRun {
  reports: ShallowRef<readonly CallReport[]>;
  running: Ref<boolean>;
  /** Why it ended before its end. */
  error: Ref<string | undefined>;
  counts: ComputedRef<Record<CallReport['verdict'], number>>;
  start(input: RunInput): Promise<void>;
  /** Shows a run that this window started before it was reloaded. */
  resume(runId: string): Promise<void>;
  /** Ends the call that runs; the others are not made. */
  stop(): void;
}

/** One run at a time; going away stops it, a reload of the window does not. */
export function useCollectionRun(): CollectionRun {
  const client = useClient();
  const runs = useRuns();
  const reports = shallowRef<readonly CallReport[]>([]);
  const running = ref(false);
  const error = ref<string>();
  let runId = '';

  async function start(input: RunInput): Promise<void> {
    if (running.value) return;
    const id = crypto.randomUUID();
    await follow(id, (options) => client.collections.run({ ...input, runId: id }, options));
  }

  async function follow(id: string, start?: RunToFollow<CallReport>['start']): Promise<void> {
    runId = id;
    running.value = true;
    reports.value = [];
    error.value = undefined;
    const again: RunToFollow<CallReport>['follow'] = (options) => client.collections.follow({ runId }, options);
    try {
      for await (const report of runs.follow(runId, { start, follow: again }))
        reports.value = [...reports.value.filter(({ file }) => file !== report.file), report];
    } catch (cause) {
      error.value = cause instanceof Error ? cause.message : String(cause);
    } finally {
      running.value = false;
    }
  }

  function stop(): void {
    if (!running.value) return;
    runs.cancel(runId).catch((cause: unknown) => {
      error.value = cause instanceof Error ? cause.message : String(cause);
    });
  }
  onScopeDispose(stop);

  return {
    reports,
    running,
    error,
    start,
    stop,
    resume: (id: string) => follow(id),
    counts: computed(() => {
      const counts = { passed: 0, failed: 0, skipped: 0 };
      for (const { verdict } of reports.value) counts[verdict] += 1;
      return counts;
    }),
  };
}
