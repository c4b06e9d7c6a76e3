import { ref, type Ref } from 'vue';

import { inputField } from '../ui/format/inputField.ts';
import { useToasts } from './toasts.ts';

/**
 * `attempt` runs what the user asked for, and resolves to its result. If it fails, a notice says why, and it resolves to undefined. Its
 * title is the given one, or names the action. `busy` is set meanwhile. There is no notice if `isSaid` returns true: the pane already shows the reason.
 */
export function useAttempt(
  title: (action: string) => string,
  isSaid?: () => boolean,
): { busy: Ref<boolean>; attempt: <T>(work: () => Promise<T>, action?: string) => Promise<T | undefined> } {
  const toasts = useToasts();
  const busy = ref(false);
  return {
    busy,
    async attempt(work, action = '') {
      busy.value = true;
      try {
        return await work();
      } catch (cause) {
        if (isSaid?.() !== true) toasts.fail(title(action), cause);
        return undefined;
      } finally {
        busy.value = false;
      }
    },
  };
}

/**
 * For a form: `save` runs its work unless it runs already, and resolves to whether it succeeded. `failed` says why the last one, or
 * the loading of what the form shows (`load`), did not; `field` is the field that the engine rejected.
 */
export function useSaving(): {
  busy: Ref<boolean>;
  failed: Ref<string | undefined>;
  field: Ref<string | undefined>;
  load: (work: () => Promise<void>) => Promise<void>;
  save: (work: () => Promise<unknown>) => Promise<boolean>;
} {
  const busy = ref(false);
  const failed = ref<string>();
  const field = ref<string>();
  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (cause) {
      failed.value = cause instanceof Error ? cause.message : String(cause);
      field.value = inputField(cause);
      return false;
    }
  }
  return {
    busy,
    failed,
    field,
    load: async (work) => void (await attempt(work)),
    async save(work) {
      if (busy.value) return false;
      busy.value = true;
      failed.value = undefined;
      const isSaved = await attempt(work);
      busy.value = false;
      return isSaved;
    },
  };
}
