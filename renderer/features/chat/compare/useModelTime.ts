import { computed, shallowReactive, watch, type ComputedRef } from 'vue';

import type { ChatAssistantEntry } from '../../../../src-core/contract/types.ts';
import { useClient } from '../../../client/useClient.ts';

/** ms that the requests of these steps took together; undefined where none went over a wire, or is not kept any more. */
export function useModelTime(steps: () => readonly ChatAssistantEntry[]): ComputedRef<number | undefined> {
  const client = useClient();
  /** By step; undefined: nothing is known. */
  const times = shallowReactive(new Map<string, number | undefined>());

  async function read(id: string): Promise<void> {
    times.set(id, undefined);
    try {
      const { exchange } = await client.chat.exchange({ id });
      times.set(id, exchange?.durationMs);
    } catch {
      // Only the newest steps are kept: then nothing is known of its time, which is what the table says.
    }
  }

  watch(
    steps,
    (now) => {
      for (const { stepId, state } of now) {
        if (stepId !== undefined && state !== 'streaming' && !times.has(stepId)) void read(stepId);
      }
    },
    { immediate: true },
  );
  return computed(() => {
    const known = steps().flatMap(({ stepId }) => (stepId === undefined ? [] : (times.get(stepId) ?? [])));
    return known.length === 0 ? undefined : known.reduce((sum, ms) => sum + ms, 0);
  });
}
