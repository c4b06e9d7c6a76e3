import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

import { useNavigation } from '../../window/navigation.ts';
import { useSettings } from '../../window/settingsStore.ts';

/** A method to load into the Executor, with arguments if there are any. */
interface SandboxLoad {
  /** `toolId_methodName`. */
  qualifiedName: string;
  /** JSON text of the arguments object. If absent, the Executor uses the last arguments of this method. */
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
      // Set together with the pane, so that both are one entry of the browser history.
      settings.remember('executor.tool', request.qualifiedName);
      navigation.open('executor');
    },
  };
});
