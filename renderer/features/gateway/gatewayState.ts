import { defineStore } from 'pinia';
import { computed } from 'vue';

import type { GatewayState } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { createResource } from '../../client/resource.ts';

/** The LLM gateway as a whole: whether it is on, and what it asks the user; without its clients and sessions. */
export const useGatewayState = defineStore('gatewayState', () => {
  const connection = injectConnection();
  const api = connection.client.gateway;
  const { data, loaded, error, refresh } = createResource<GatewayState | null>({
    connection,
    topics: ['gateway', 'models'],
    initial: null,
    fetch: () => api.state(),
  });

  return {
    state: data,
    loaded,
    error,
    refresh,
    /** Calls of the gateway's model that wait for the user's word. */
    questions: computed(() => data.value?.questions ?? []),
    /** Somebody edits its arguments here, so that it waits longer. */
    attend: (callId: string): Promise<unknown> => api.attend({ callId }),
    async decide(word: Parameters<typeof api.decide>[0]): Promise<void> {
      try {
        await api.decide(word);
      } finally {
        await refresh();
      }
    },
  };
});
