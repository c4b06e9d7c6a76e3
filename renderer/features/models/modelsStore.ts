import { defineStore } from 'pinia';
import { computed } from 'vue';

import type { ModelList } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { createResource } from '../../client/resource.ts';

/** Chat models that are set up, the scripted one first. */
export const useModels = defineStore('models', () => {
  const connection = injectConnection();
  const { client } = connection;
  const { data, loaded, error, refresh } = createResource<ModelList>({
    connection,
    topics: ['models'],
    initial: { models: [], keyStorage: 'file' },
    fetch: () => client.models.list(),
  });

  return {
    list: computed(() => data.value.models),
    keyStorage: computed(() => data.value.keyStorage),
    byId: computed(() => new Map(data.value.models.map((model) => [model.id, model]))),
    loaded,
    error,
    refresh,
  };
});
