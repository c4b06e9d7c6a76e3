import { computed, watch, type ComputedRef } from 'vue';

import type { ToolErrorInfo } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { createResource } from '../../client/resource.ts';

/** Why no method has a name, in the engine's words. */
interface MissingTool {
  error: ToolErrorInfo;
  /** The device or client whose tool it was, and when it left, in epoch ms of this window's clock. */
  left?: { source: string; at: number };
}

/** Asks the engine why `name()` is not registered, and again whenever the tools change. An empty name is not asked for. */
export function useMissingTool(name: () => string): ComputedRef<MissingTool | undefined> {
  const connection = injectConnection();
  const { data, refresh } = createResource<{ toolName: string; missing?: MissingTool | undefined }>({
    connection,
    topics: ['tools'],
    initial: { toolName: '' },
    async fetch() {
      const toolName = name();
      if (toolName === '') return { toolName };
      const { error } = await connection.client.tools.missing({ toolName });
      return { toolName, missing: error && missingTool(error) };
    },
  });
  watch(name, (toolName) => void (toolName === '' || refresh()));
  return computed(() => (data.value.toolName === name() ? data.value.missing : undefined));
}

function missingTool(error: ToolErrorInfo): MissingTool {
  const { device, leftMs } = error.details ?? {};
  if (typeof device !== 'string' || typeof leftMs !== 'number') return { error };
  return { error, left: { source: device, at: Date.now() - leftMs } };
}
