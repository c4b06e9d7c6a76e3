import { computed, shallowReactive, watch, type ComputedRef } from 'vue';

import type { ChatAssistantEntry } from '../../../../src-core/contract/types.ts';
import { useClient } from '../../../client/useClient.ts';

/** Total ms of the requests of these steps; undefined if none was sent over a wire or if they are no longer kept. */
export function useModelTime(steps: () => readonly ChatAssistantEntry[]): ComputedRef<number | undefined> {
  const client = useClient();
  /** By step; undefined if unknown. */
  const times = shallowReactive(new Map<string, number | undefined>());

  async function read(id: string): Promise<void> {
    times.set(id, undefined);
    try {
      const { exchange } = await client.chat.exchange({ id });
      times.set(id, exchange?.durationMs);
    } catch {
      // Only the newest steps are kept. The time of an older one stays unknown.
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
