import { defineStore } from 'pinia';
import { computed } from 'vue';

import type { CallQuestion, ClusterInfo } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { createResource } from '../../client/resource.ts';
import { wordEngine } from '../../i18n/engine/wordEngine.ts';
import { nameFields } from './nameFields.ts';

/** The cluster that this Toolwire belongs to, its nodes, and what they ask about devices of this one. */
export const useCluster = defineStore('cluster', () => {
  const connection = injectConnection();
  const { data } = createResource<ClusterInfo>({
    connection,
    topics: ['cluster'],
    initial: { nodes: [] },
    fetch: () => connection.client.cluster.info(),
  });
  const questions = createResource<CallQuestion[]>({
    connection,
    topics: ['cluster'],
    initial: [],
    fetch: () => connection.client.cluster.questions(),
  });
  /** In the window's language. */
  const problem = computed(() => {
    const { problem: text, isFixed } = data.value.joined ?? {};
    if (text === undefined) return undefined;
    return isFixed ? wordEngine(text) : nameFields(wordEngine(text));
  });
  return {
    info: data,
    problem,
    /** Why the broker is not reached; undefined if it is, or if this Toolwire belongs to no cluster. */
    trouble: computed(() => (data.value.joined?.isConnected === false ? problem.value : undefined)),
    questions: questions.data,
    attend: (callId: string): Promise<unknown> => connection.client.cluster.attend({ callId }),
    async decide(decision: Parameters<typeof connection.client.cluster.decide>[0]): Promise<void> {
      try {
        await connection.client.cluster.decide(decision);
      } finally {
        await questions.refresh();
      }
    },
  };
});
