import { defineStore } from 'pinia';

import type { CallQuestion } from '../../../../src-core/contract/types.ts';
import { injectConnection } from '../../../client/connectionStore.ts';
import { createResource } from '../../../client/resource.ts';

/** The calls of MCP Apps that ask the user. */
export const useApps = defineStore('apps', () => {
  const connection = injectConnection();
  const api = connection.client.apps;
  const { data, refresh } = createResource<CallQuestion[]>({
    connection,
    topics: ['servers'],
    initial: [],
    fetch: () => api.questions(),
  });
  return {
    questions: data,
    attend: (callId: string): Promise<unknown> => api.attend({ callId }),
    decide: (word: Parameters<typeof api.decide>[0]): Promise<void> =>
      api.decide(word).then(refresh, async (cause: unknown) => {
        await refresh();
        throw cause;
      }),
  };
});
