import { computed, onScopeDispose, shallowRef, watch, type ComputedRef, type Ref } from 'vue';

export interface LateSearch<T> {
  /** What the text finds. While the user types, it is still that of an earlier text. */
  search: ComputedRef<T>;
  /** The text that found it. */
  text: ComputedRef<string>;
  /** Searches for the typed text now: a key that acts on what is found must not act on that of an earlier text. */
  settle: () => void;
}

/**
 * Searches for a typed text in a task of its own, and shows what it finds in the next task: with 32,000 methods, typing,
 * searching and rendering in one task would block the window. A further key cancels a search that is not shown yet.
 */
export function useLateSearch<T>(typed: Readonly<Ref<string>>, find: (text: string) => T): LateSearch<T> {
  const searched = shallowRef(typed.value);
  const isLate = shallowRef(false);
  const found = computed(() => ({ text: searched.value, result: find(searched.value) }));
  const shown = computed<typeof found.value>((before) => (isLate.value && before ? before : found.value));
  let task: ReturnType<typeof setTimeout> | undefined;

  function settle(): void {
    clearTimeout(task);
    searched.value = typed.value;
    isLate.value = false;
  }
  function searchAhead(): void {
    searched.value = typed.value;
    // It is kept until `settle` shows it.
    void found.value;
    task = setTimeout(settle);
  }
  watch(
    typed,
    () => {
      clearTimeout(task);
      isLate.value = true;
      task = setTimeout(searchAhead);
    },
    { flush: 'sync' },
  );
  onScopeDispose(() => clearTimeout(task));
  return { search: computed(() => shown.value.result), text: computed(() => shown.value.text), settle };
}
