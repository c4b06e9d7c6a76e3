import { defineStore } from 'pinia';
import { shallowRef, watch } from 'vue';

import { t } from '../../i18n/index.ts';
import { useRuns } from '../calls/runsStore.ts';
import { useToasts } from '../../window/toasts.ts';
import { useExecutor } from '../executor/executorStore.ts';

/** What is open over the Executor. `save` without a file saves what is in the form; `asserts` becomes an assertion of it. */
type MemoryDialog =
  | { kind: 'all' }
  | { kind: 'compare'; calls: [string, string] }
  | { kind: 'save'; folder?: string; file?: string; asserts?: { path: string; json: string } }
  | { kind: 'folder'; make: boolean }
  | { kind: 'variables'; folder: string }
  /** `runId` of a run that goes on. */
  | { kind: 'run'; folder: string; only?: string[] | undefined; runId?: string };

/** Which dialog of the calls that are kept is open, at most one, and what is chosen for one. */
export const useMemory = defineStore('executor.memory', () => {
  const dialog = shallowRef<MemoryDialog>();
  /** The call that was chosen to be compared; the next one that is opens both. */
  const toCompare = shallowRef<string>();
  const executor = useExecutor();
  // The list of another tool does not show which one was chosen.
  watch(
    () => executor.toolName,
    () => (toCompare.value = undefined),
  );
  /** The run that this window started before it was reloaded is shown again. */
  async function resume(): Promise<void> {
    const [run] = await useRuns().ofBefore('collection');
    if (run === undefined) return;
    const { folder, only } = run.input;
    dialog.value = { kind: 'run', folder, only, runId: run.id };
  }
  resume().catch((cause: unknown) => useToasts().fail(t('executor.result.notResumed'), cause));

  return {
    dialog,
    toCompare,
    open(next: MemoryDialog): void {
      dialog.value = next;
    },
    /** Chooses a call to be compared, unless another one is `shown`; the second one opens both, the same one again takes the choice back. */
    compare(callId: string, shown?: string): void {
      const first = toCompare.value ?? (shown === callId ? undefined : shown);
      toCompare.value = first === undefined ? callId : undefined;
      if (first !== undefined && first !== callId) dialog.value = { kind: 'compare', calls: [first, callId] };
    },
    /** What the button to compare a call does next. */
    compareWord(callId: string, shown = callId): string {
      if (toCompare.value === undefined) return t(`saved.compare.${shown === callId ? 'choose' : 'withShown'}`);
      return t(toCompare.value === callId ? 'saved.compare.chosen' : 'saved.compare.withChosen');
    },
    close(): void {
      dialog.value = undefined;
    },
  };
});
