import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

/** What is open over the Executor. `save` without a file saves what is in the form. */
export type MemoryDialog =
  | { kind: 'all' }
  | { kind: 'save'; folder?: string; file?: string }
  | { kind: 'folder'; make: boolean }
  | { kind: 'variables'; folder: string }
  | { kind: 'run'; folder: string; only?: string[] };

/** Which dialog of the calls that are kept is open; at most one. */
export const useMemory = defineStore('executor.memory', () => {
  const dialog = shallowRef<MemoryDialog>();
  return {
    dialog,
    open(next: MemoryDialog): void {
      dialog.value = next;
    },
    close(): void {
      dialog.value = undefined;
    },
  };
});
