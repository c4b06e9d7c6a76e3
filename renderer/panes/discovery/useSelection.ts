import { computed, shallowRef, watch, type ComputedRef, type Ref } from 'vue';

import type { MethodView, ToolView } from '../../../src-core/api/types.ts';
import { isText, useRemembered } from '../../composables/useRemembered.ts';
import { useTools } from '../../stores/tools.ts';

export interface Selection {
  tool: ComputedRef<ToolView | undefined>;
  /** It is shown as it last was: it is not registered right now. */
  gone: ComputedRef<boolean>;
  method: ComputedRef<MethodView | undefined>;
  choose: (toolId: string, methodName?: string) => void;
}

/**
 * The tool and the method in the detail, remembered. A tool that leaves stays shown until another is chosen; before
 * anything was chosen it is the first of the list.
 */
export function useSelection(first: Ref<ToolView | undefined>): Selection {
  const tools = useTools();
  const toolId = useRemembered('discovery.tool', '', isText);
  const methodName = useRemembered('discovery.method', '', isText);
  const last = shallowRef<ToolView>();

  const present = computed(() => tools.byId.get(toolId.value));
  watch(present, (tool) => (last.value = tool ?? last.value), { immediate: true });
  const tool = computed(() => {
    if (present.value) return present.value;
    return last.value?.id === toolId.value ? last.value : first.value;
  });
  return {
    tool,
    gone: computed(() => tool.value !== undefined && !tools.byId.has(tool.value.id)),
    method: computed(() => {
      const methods = tool.value?.methods ?? [];
      return methods.find((method) => method.name === methodName.value) ?? methods[0];
    }),
    choose(id, name) {
      if (id !== toolId.value) methodName.value = name ?? '';
      else if (name !== undefined) methodName.value = name;
      toolId.value = id;
    },
  };
}
