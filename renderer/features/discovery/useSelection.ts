import { computed, shallowRef, watch, type ComputedRef, type Ref } from 'vue';

import type { MethodView, ToolView } from '../../../src-core/contract/types.ts';
import { isText, useRemembered } from '../../window/useRemembered.ts';
import { useTools } from './toolsStore.ts';
import type { ToolEntry } from './toolGroups.ts';

export interface SelectionOptions {
  /** The tools of the list, in its order. */
  listed: Ref<readonly ToolEntry[]>;
  /** A search or a filter leaves tools or methods out. */
  narrowed: Ref<boolean>;
  /** Ends the search and the filters: a link or another pane asks for a tool that they leave out. */
  showAll: () => void;
}

export interface Selection {
  tool: ComputedRef<ToolView | undefined>;
  /** It is shown as it last was: it is not registered right now. */
  gone: ComputedRef<boolean>;
  /** Of its methods those that are listed. */
  methods: ComputedRef<readonly MethodView[]>;
  method: ComputedRef<MethodView | undefined>;
  choose: (toolId: string, methodName?: string) => void;
}

/**
 * The tool and the method in the detail, remembered. It is always one that is listed: if a search or a filter leaves the chosen one
 * out, the first that is listed is shown, and the chosen one again afterwards. A tool that leaves stays shown until another is chosen.
 */
export function useSelection({ listed, narrowed, showAll }: SelectionOptions): Selection {
  const tools = useTools();
  const toolId = useRemembered('discovery.tool', '', isText);
  const methodName = useRemembered('discovery.method', '', isText);
  const last = shallowRef<ToolView>();

  const present = computed(() => tools.byId.get(toolId.value));
  watch(present, (tool) => (last.value = tool ?? last.value), { immediate: true });
  const chosen = computed(() => present.value ?? (last.value?.id === toolId.value ? last.value : undefined));
  const entry = computed(() => listed.value.find(({ tool }) => tool.id === toolId.value) ?? listed.value[0]);
  watch(toolId, (id) => {
    if (tools.byId.has(id) && !listed.value.some(({ tool: each }) => each.id === id)) showAll();
  });
  const tool = computed(() => (narrowed.value ? entry.value?.tool : (chosen.value ?? entry.value?.tool)));
  const methods = computed(() => {
    const isListed = entry.value !== undefined && entry.value.tool.id === tool.value?.id;
    return (isListed ? entry.value?.methods : tool.value?.methods) ?? [];
  });
  return {
    tool,
    methods,
    gone: computed(() => tool.value !== undefined && !tools.byId.has(tool.value.id)),
    method: computed(() => methods.value.find((method) => method.name === methodName.value) ?? methods.value[0]),
    choose(id, name) {
      if (id !== toolId.value) methodName.value = name ?? '';
      else if (name !== undefined) methodName.value = name;
      toolId.value = id;
    },
  };
}
