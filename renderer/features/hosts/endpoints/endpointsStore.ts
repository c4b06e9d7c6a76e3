import { defineStore } from 'pinia';

import type { EndpointInfo } from '../../../../src-core/contract/types.ts';
import { injectConnection } from '../../../client/connectionStore.ts';
import { createResource } from '../../../client/resource.ts';

/** Tokens of a list from which on the window warns. xiaozhi.me does not say how many it takes. */
export const longListTokens = 4_000;

/** The MCP endpoints of xiaozhi agents that Toolwire serves tools at. */
export const useEndpoints = defineStore('endpoints', () => {
  const connection = injectConnection();
  const api = connection.client.endpoint;
  const { data, loaded, refresh } = createResource<readonly EndpointInfo[]>({
    connection,
    topics: ['endpoints', 'tools'],
    initial: [],
    fetch: () => api.list(),
  });

  async function after<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      await refresh();
    }
  }

  return {
    list: data,
    loaded,
    tools: () => api.tools(),
    add: (endpoint: Parameters<typeof api.add>[0]) => after(api.add(endpoint)),
    change: (fields: Parameters<typeof api.change>[0]) => after(api.change(fields)),
    connect: (id: string) => after(api.connect({ id })),
    disconnect: (id: string) => after(api.disconnect({ id })),
    remove: (id: string) => after(api.remove({ id })),
  };
});
