import { defineStore } from 'pinia';
import { computed, watch } from 'vue';

import { injectConnection } from '../../client/connectionStore.ts';
import { loadEngineTexts } from '../../i18n/engine/wordEngine.ts';
import { language } from '../../i18n/index.ts';
import { createResource } from '../../client/resource.ts';
import { useSettings } from '../../window/settingsStore.ts';
import { toolTexts } from './searchTools.ts';
import { createToolCopy, wordBuiltin, type ToolMethod } from './toolCopy.ts';

export type { ToolMethod } from './toolCopy.ts';

/** Every tool that is registered right now, whatever its source. */
export const useTools = defineStore('tools', () => {
  const connection = injectConnection();
  const settings = useSettings();
  const copy = createToolCopy();
  let since: string | undefined;
  const { data, loaded, error, refresh } = createResource({
    connection,
    topics: ['tools'],
    initial: copy.now(),
    async fetch() {
      await loadEngineTexts();
      for (let more = true; more;) {
        const answer = await connection.client.tools.changes({ since });
        const changes = { ...answer, tools: answer.tools.map(wordBuiltin) };
        copy.take(changes);
        // Folded a few hundred methods at a time: all of a thousand devices would block the first search for 200 ms.
        changes.tools.forEach(toolTexts);
        since = changes.at;
        more = changes.more;
      }
      return copy.now();
    },
  });

  watch(language, () => {
    since = undefined;
    void refresh();
  });

  return {
    list: computed(() => data.value.list),
    loaded,
    error,
    byId: computed(() => data.value.byId),
    methodCount: computed(() => data.value.byQualifiedName.size),
    /** Every method, in no order to rely on. */
    methods: (): ToolMethod[] => [...data.value.byQualifiedName.values()],
    /** The method called `toolId_methodName`, while it is registered. */
    find: (qualifiedName: string): ToolMethod | undefined => data.value.byQualifiedName.get(qualifiedName),
    /** Offers the tool to models, or keeps it from them. */
    setEnabled(toolId: string, enabled: boolean): void {
      const config = settings.current.toolCallConfig;
      settings.change({ toolCallConfig: { ...config, toolToggles: { ...config.toolToggles, [toolId]: enabled } } });
    },
  };
});
