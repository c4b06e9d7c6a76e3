import { defineStore } from 'pinia';
import { computed } from 'vue';

import type { HostScope, HostsState } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { createResource } from '../../client/resource.ts';

/** The MCP hosts that call our tools, and their calls that ask the user. */
export const useHosts = defineStore('hosts', () => {
  const connection = injectConnection();
  const api = connection.client.hosts;
  const { data, loaded, error, refresh } = createResource<HostsState | null>({
    connection,
    topics: ['hosts', 'tools', 'info'],
    initial: null,
    fetch: () => api.state(),
  });

  async function after<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      await refresh();
    }
  }

  return {
    state: data,
    loaded,
    error,
    hosts: computed(() => data.value?.hosts ?? []),
    questions: computed(() => data.value?.questions ?? []),
    attend: (callId: string): Promise<unknown> => api.attend({ callId }),
    decide: (word: Parameters<typeof api.decide>[0]): Promise<void> => after(api.decide(word).then(() => undefined)),
    create: (host: Parameters<typeof api.create>[0]) => after(api.create(host)),
    change: (id: string, scope: HostScope, finds: boolean) => after(api.change({ id, scope, finds })),
    revoke: (id: string) => after(api.revoke({ id })),
    setOpenToNetwork: (open: boolean) => after(api.setOpenToNetwork({ open })),
    calls: (id: string) => api.calls({ id }),
    tools: (scope: HostScope) => api.tools({ scope }),
    rename: (name: string, to: string) => after(api.rename({ name, to })),
    setAlias: (source: string, alias: string) => after(api.setAlias({ source, alias })),
    connectTexts: (scope: HostScope, finds: boolean) => api.connectTexts({ scope, finds }),
    writeConfig: (config: Parameters<typeof api.writeConfig>[0]) => api.writeConfig(config),
  };
});
