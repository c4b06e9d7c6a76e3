import { defineStore } from 'pinia';
import { computed } from 'vue';

import type { CallRecord } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { createResource } from '../../client/resource.ts';

const historyLimit = 200;
/** ms in which a call that began is in one of the lists. */
const listedAfterMs = 1_000;

/** Calls under way, and the last ones that ended, newest first, of every caller. */
export const useCalls = defineStore('calls', () => {
  const connection = injectConnection();
  const { client } = connection;
  const running = createResource<CallRecord[]>({
    connection,
    topics: ['calls'],
    initial: [],
    fetch: () => client.calls.running(),
  });
  const history = createResource<CallRecord[]>({
    connection,
    topics: ['history'],
    initial: [],
    fetch: () => client.calls.history({ limit: historyLimit }),
  });
  const byId = computed(() => new Map(running.data.value.map((call) => [call.callId, call])));
  const endedById = computed(() => new Map(history.data.value.map((call) => [call.callId, call])));
  return {
    running: running.data,
    history: history.data,
    loaded: history.loaded,
    byId,
    /** Those of `history`, by their ids. */
    endedById,
    /** Whether the call of this id, which began at `at` (epoch ms), may still be under way. */
    mayRun: (callId: string, at: number): boolean =>
      !running.loaded.value ||
      byId.value.has(callId) ||
      (!endedById.value.has(callId) && Date.now() - at < listedAfterMs),
    /** The newest ended call of a method. */
    lastOf: (qualifiedName: string): CallRecord | undefined =>
      history.data.value.find((call) => call.qualifiedName === qualifiedName),
    cancel: (callId: string) => client.calls.cancel({ callId }),
  };
});
