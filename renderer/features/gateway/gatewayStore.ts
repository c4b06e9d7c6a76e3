import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';

import type { GatewayConnectionInfo, GatewaySessionInfo } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { useGatewayState } from './gatewayState.ts';
import { createResource } from '../../client/resource.ts';

/** Clients that have left and are still listed. */
const keptAfterLeaving = 20;

/** The LLM gateway: its switch, its clients and its sessions. */
export const useGateway = defineStore('gateway', () => {
  const connection = injectConnection();
  const api = connection.client.gateway;
  const on = { connection, topics: ['gateway', 'models'] as const };
  const whole = useGatewayState();
  const connections = createResource<GatewayConnectionInfo[]>({
    ...on,
    initial: [],
    fetch: () => api.connections(),
  });
  const sessions = createResource<GatewaySessionInfo[]>({ ...on, initial: [], fetch: () => api.sessions() });
  const resources = [connections, sessions] as const;

  /** The last to leave first. */
  const left = shallowRef<readonly GatewayConnectionInfo[]>([]);
  watch(connections.data, (now, before) => {
    const here = new Set(now.map(({ id }) => id));
    const gone = before.filter(({ id }) => !here.has(id)).reverse();
    left.value = [...gone, ...left.value.filter(({ id }) => !here.has(id))].slice(0, keptAfterLeaving);
  });

  /** It was switched on for the test client only, and not by the user since. */
  const isOnForTest = ref(false);
  const isClosed = computed(() => whole.state?.listening === false);
  watch(isClosed, () => (isOnForTest.value = false));

  const refresh = async (): Promise<void> => {
    await Promise.all([whole, ...resources].map((each) => each.refresh()));
  };

  /** Does something to the gateway, and resolves once the window shows what came of it. */
  async function after<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      await refresh();
    }
  }

  return {
    state: computed(() => whole.state),
    connections: connections.data,
    sessions: sessions.data,
    left,
    loaded: computed(() => whole.loaded && resources.every((each) => each.loaded.value)),
    error: computed(
      () => whole.error ?? resources.map((each) => each.error.value).find((error) => error !== undefined),
    ),
    isOnForTest,
    setEnabled(enabled: boolean) {
      isOnForTest.value = false;
      return after(api.setEnabled({ enabled }));
    },
    configure: (change: Parameters<typeof api.configure>[0]) => after(api.configure(change)),
    disconnect: (id: string) => after(api.disconnect({ id })),
    endSession: (id: string) => after(api.endSession({ id })),
    openTestClient: () => after(api.openTestClient()),
    closeTestClient: () => after(api.closeTestClient()),
    setTestTools: (tools: Parameters<typeof api.setTestTools>[0]['tools']) => after(api.setTestTools({ tools })),
  };
});
