import { onScopeDispose, ref, type Ref } from 'vue';

import { t } from '../../i18n/index.ts';
import { useToasts } from '../../window/toasts.ts';

const shownMs = 1_600;

/** Copies text to the clipboard; `copied` is true for a moment afterwards. */
export function useCopy(): { copied: Readonly<Ref<boolean>>; copy: (text: string) => Promise<void> } {
  const toasts = useToasts();
  const copied = ref(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  onScopeDispose(() => clearTimeout(timer));
  return {
    copied,
    async copy(text) {
      try {
        await navigator.clipboard.writeText(text);
      } catch (cause) {
        toasts.fail(t('common.copyFailed'), cause);
        return;
      }
      copied.value = true;
      clearTimeout(timer);
      timer = setTimeout(() => (copied.value = false), shownMs);
    },
  };
}
