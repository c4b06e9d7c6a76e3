import { defineStore } from 'pinia';
import { computed } from 'vue';

import { injectConnection } from '../../client/connectionStore.ts';
import { createResource } from '../../client/resource.ts';
import { useSettings } from '../../window/settingsStore.ts';
import { toolTexts } from './searchTools.ts';
import { createToolCopy, wordMethod, wordTool, type ToolMethod } from './toolCopy.ts';

export type { ToolMethod } from './toolCopy.ts';

/** Every tool that is registered right now, whatever its source. */
export const useTools = defineStore('tools', () => {
  const connection = injectConnection();
  const settings = useSettings();
  const copy = createToolCopy();
  let since: string | undefined;
  const { data, loaded, error } = createResource({
    connection,
    topics: ['tools'],
    initial: copy.now(),
    async fetch() {
      for (let more = true; more;) {
        const changes = await connection.client.tools.changes({ since });
        copy.take(changes);
        // Folded a few hundred methods at a time: all of a thousand devices would block the first search for 200 ms.
        for (const tool of changes.tools) toolTexts(wordTool(tool));
        since = changes.at;
        more = changes.more;
      }
      return copy.now();
    },
  });

  const methods = computed(() => [...data.value.byQualifiedName.values()].map(wordMethod));
  const list = computed(() => data.value.list.map(wordTool));
  return {
    list,
    loaded,
    error,
    byId: computed(() => new Map(list.value.map((tool) => [tool.id, tool]))),
    methodCount: computed(() => data.value.byQualifiedName.size),
    /** Every method, in no order to rely on. */
    methods: (): ToolMethod[] => methods.value,
    /** The method called `toolId_methodName`, while it is registered. */
    find(qualifiedName: string): ToolMethod | undefined {
      const found = data.value.byQualifiedName.get(qualifiedName);
      return found && wordMethod(found);
    },
    /** Tools of devices that have disconnected since the window opened, as they were last. */
    departed: computed(() => data.value.departed),
    /** A method of such a tool. */
    findDeparted(qualifiedName: string): ToolMethod | undefined {
      for (const tool of data.value.departed) {
        const method = tool.methods.find((each) => each.qualifiedName === qualifiedName);
        if (method !== undefined) return { tool, method };
      }
      return undefined;
    },
    /** Offers the tool to models, or keeps it from them. */
    setEnabled(toolId: string, enabled: boolean): void {
      const config = settings.current.toolCallConfig;
      settings.change({ toolCallConfig: { ...config, toolToggles: { ...config.toolToggles, [toolId]: enabled } } });
    },
  };
});
