import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

import { useNavigation } from '../../window/navigation.ts';
import { useSettings } from '../../window/settingsStore.ts';

/** A method to put into the Executor, with arguments where there are any. */
interface SandboxLoad {
  /** `toolId_methodName`. */
  qualifiedName: string;
  /** JSON text of the arguments object; without it the Executor starts from what it last had for this method. */
  argsJson?: string | undefined;
}

/** Hands a method over to the Executor. The pane watches `requested`; each load is a new object. */
export const useSandbox = defineStore('sandbox', () => {
  const navigation = useNavigation();
  const settings = useSettings();
  const requested = shallowRef<SandboxLoad | null>(null);
  return {
    requested,
    load(request: SandboxLoad): void {
      requested.value = { ...request };
      // Together with the pane, so that both are one step of the page's history.
      settings.remember('executor.tool', request.qualifiedName);
      navigation.open('executor');
    },
  };
});
