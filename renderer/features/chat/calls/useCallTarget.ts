import { computed, type ComputedRef } from 'vue';

import type { ChatCall } from '../../../../src-core/contract/types.ts';
import { useSettings } from '../../../window/settingsStore.ts';
import { useTools, type ToolMethod } from '../../discovery/toolsStore.ts';
import { useChatContext } from '../chatContext.ts';

/** The method a call means, while it is registered, and the ms it is given. */
export function useCallTarget(call: () => ChatCall): {
  target: ComputedRef<ToolMethod | undefined>;
  limitMs: ComputedRef<number>;
} {
  const tools = useTools();
  const settings = useSettings();
  const { session } = useChatContext();
  const name = computed(() => call().qualifiedName ?? '');
  return {
    target: computed(() => tools.find(name.value)),
    limitMs: computed(() => {
      const { toolTimeouts, toolCallConfig } = settings.current;
      const own = Object.hasOwn(toolTimeouts, name.value) ? toolTimeouts[name.value] : undefined;
      return own ?? session.value?.options.config.timeout ?? toolCallConfig.timeout;
    }),
  };
}
