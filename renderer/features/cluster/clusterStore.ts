import { defineStore } from 'pinia';

import type { ClusterInfo } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { createResource } from '../../client/resource.ts';

/** The cluster that this Toolwire belongs to, and its nodes. */
export const useCluster = defineStore('cluster', () => {
  const connection = injectConnection();
  const { data } = createResource<ClusterInfo>({
    connection,
    topics: ['cluster'],
    initial: { nodes: [] },
    fetch: () => connection.client.cluster.info(),
  });
  return { info: data };
});
