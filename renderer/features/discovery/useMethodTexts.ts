import { ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import type { MethodTexts, MethodView, ToolView } from '../../../src-core/contract/types.ts';
import { useClient } from '../../client/useClient.ts';
import { useTopic } from '../../client/useTopic.ts';

/** The prompt and the example of the chosen method, fetched while `wanted`, and again when tools or settings change. */
export function useMethodTexts(options: {
  tool: Ref<ToolView | undefined>;
  method: Ref<MethodView | undefined>;
  wanted: Ref<boolean>;
}): { texts: ShallowRef<MethodTexts | undefined>; error: Ref<string | undefined> } {
  const client = useClient();
  const texts = shallowRef<MethodTexts>();
  const error = ref<string>();
  let asked = 0;

  const load = async (): Promise<void> => {
    const toolId = options.tool.value?.id;
    const methodName = options.method.value?.name;
    asked += 1;
    const mine = asked;
    if (!options.wanted.value || toolId === undefined || methodName === undefined) return;
    try {
      const answer = await client.tools.texts({ toolId, methodName });
      if (mine !== asked) return;
      texts.value = answer;
      error.value = undefined;
    } catch (cause) {
      if (mine !== asked) return;
      texts.value = undefined;
      error.value = cause instanceof Error ? cause.message : String(cause);
    }
  };
  watch([() => options.method.value?.qualifiedName, options.wanted], ([name], before) => {
    if (name !== before[0]) {
      texts.value = undefined;
      error.value = undefined;
    }
    void load();
  });
  useTopic(['tools', 'settings'], () => void load());
  return { texts, error };
}
