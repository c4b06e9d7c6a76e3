import { nextTick } from 'vue';

import { indentJson } from '../../ui/forms/json/indentJson.ts';
import { useNavigation } from '../../window/navigation.ts';
import { useExecutor } from '../executor/executorStore.ts';

/** Opens a call in the Executor, which runs it again once its tool is connected; and whether it waits to do that. */
export function useRunWhenBack() {
  const executor = useExecutor();
  const navigation = useNavigation();
  return {
    async runWhenBack({ qualifiedName, argsJson }: { qualifiedName: string; argsJson: string }): Promise<void> {
      executor.open(qualifiedName, indentJson(argsJson));
      navigation.open('executor');
      // The Executor waits for no tool that was in front before.
      await nextTick();
      executor.waiting = {};
    },
    isWaitingFor: (toolName: string): boolean => executor.waiting !== undefined && executor.toolName === toolName,
    stopWaiting: (): void => void (executor.waiting = undefined),
  };
}
