import { defineStore } from 'pinia';
import { computed } from 'vue';

import type { MethodView, ToolView } from '../../src-core/api/types.ts';
import { injectConnection } from './connection.ts';
import { createResource } from './resource.ts';
import { useSettings } from './settings.ts';

/** A method with the tool it belongs to. */
export interface ToolMethod {
  tool: ToolView;
  method: MethodView;
}

/** Every tool that is registered right now, whatever its source. */
export const useTools = defineStore('tools', () => {
  const connection = injectConnection();
  const settings = useSettings();
  const {
    data: list,
    loaded,
    error,
  } = createResource<ToolView[]>({
    connection,
    topics: ['tools', 'settings'],
    initial: [],
    fetch: () => connection.client.tools.list(),
  });

  const byId = computed(() => new Map(list.value.map((tool) => [tool.id, tool])));
  const byQualifiedName = computed(() => {
    const methods = list.value.flatMap((tool) => tool.methods.map((method) => ({ tool, method })));
    return new Map(methods.map((entry) => [entry.method.qualifiedName, entry]));
  });

  return {
    list,
    loaded,
    error,
    byId,
    byQualifiedName,
    methodCount: computed(() => byQualifiedName.value.size),
    /** The method called `toolId_methodName`, while it is registered. */
    find: (qualifiedName: string): ToolMethod | undefined => byQualifiedName.value.get(qualifiedName),
    /** Offers the tool to models, or keeps it from them. */
    setEnabled(toolId: string, enabled: boolean): void {
      const config = settings.current.toolCallConfig;
      settings.change({ toolCallConfig: { ...config, toolToggles: { ...config.toolToggles, [toolId]: enabled } } });
    },
  };
});
