import { useEventListener } from '@vueuse/core';
import { onBeforeUnmount, onDeactivated, watch, type Ref } from 'vue';

import { t } from '../../../i18n/index.ts';
import { useBeforeLeaving } from '../../../ui/composables/useBeforeLeaving.ts';
import { useToasts } from '../../../window/toasts.ts';

/** A form that has no button *Save*. */
interface SavedAsWritten {
  element: Readonly<Ref<HTMLElement | null | undefined>>;
  /** Changes with each change of the form. */
  written: () => unknown;
  /** Saves what is not saved yet. Resolves with false if that is not valid. */
  save: () => Promise<boolean>;
  /** The name of the model, for the notice. */
  name: () => string;
}

/** Saves a text when its field loses the focus, any other change at once, and all of the form when it is left; then a notice says if it is not valid. */
export function saveAsWritten({ element, written, save, name }: SavedAsWritten): void {
  const toasts = useToasts();
  const isTyping = (): boolean => {
    const focused = document.activeElement;
    return element.value?.contains(focused) === true && focused?.matches('input, textarea, .monaco-editor *') === true;
  };
  async function leave(): Promise<void> {
    const label = name();
    if (!(await save())) toasts.show({ kind: 'warn', title: t('models.notSaved', { name: label }) });
  }
  watch(written, () => void (isTyping() || save()));
  useEventListener(element, 'focusout', save);
  onDeactivated(leave);
  onBeforeUnmount(leave);
  useBeforeLeaving(save);
}
