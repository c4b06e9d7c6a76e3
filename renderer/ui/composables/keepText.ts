import { onScopeDispose, ref, watch, type Ref } from 'vue';

import { useBeforeLeaving } from './useBeforeLeaving.ts';

/** ms from a change until it is stored: a text of megabytes is not written with every letter. */
const storeAfterMs = 300;

export interface KeptText {
  text: Ref<string>;
  /** The text has no room in the storage, so a reload would lose it. */
  isTooLarge: Ref<boolean>;
}

/**
 * A text that survives a reload of this window: it is kept in the session storage, which each window has for itself and which
 * takes about 5 million characters.
 */
export function keepText(key: string): KeptText {
  const text = ref(sessionStorage.getItem(key) ?? '');
  const isTooLarge = ref(false);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function store(): void {
    clearTimeout(timer);
    timer = undefined;
    // An older text must not come back in place of one that has no room.
    sessionStorage.removeItem(key);
    try {
      if (text.value !== '') sessionStorage.setItem(key, text.value);
      isTooLarge.value = false;
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      isTooLarge.value = true;
    }
  }

  watch(text, () => {
    clearTimeout(timer);
    timer = setTimeout(store, storeAfterMs);
  });
  const storeWaiting = () => timer !== undefined && store();
  useBeforeLeaving(storeWaiting);
  onScopeDispose(storeWaiting);
  return { text, isTooLarge };
}
