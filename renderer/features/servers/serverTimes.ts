import { computed } from 'vue';

import { useCalls } from '../calls/callsStore.ts';
import { percentile } from '../executor/result/percentile.ts';

interface CallTimes {
  /** Calls that have ended, failed ones included. */
  count: number;
  /** Durations of those that succeeded, ms; undefined if none did. */
  p50: number | undefined;
  p95: number | undefined;
}

/** How long the last calls of servers and of their tools took: among the newest 200 calls of all tools. */
export function useServerTimes() {
  const calls = useCalls();
  const times = computed(() => {
    const ended = new Map<string, { count: number; durations: number[] }>();
    for (const { toolId, qualifiedName, result } of calls.history) {
      for (const key of [`server:${toolId}`, `tool:${qualifiedName}`]) {
        const entry = ended.get(key) ?? { count: 0, durations: [] };
        ended.set(key, entry);
        entry.count += 1;
        if (result?.status === 'success') entry.durations.push(result.durationMs);
      }
    }
    return new Map(
      [...ended].map(([key, { count, durations }]): [string, CallTimes] => [
        key,
        { count, p50: percentile(durations, 0.5), p95: percentile(durations, 0.95) },
      ]),
    );
  });
  return {
    ofServer: (registryId: string): CallTimes | undefined => times.value.get(`server:${registryId}`),
    ofTool: (qualifiedName: string): CallTimes | undefined => times.value.get(`tool:${qualifiedName}`),
  };
}
