import { computed, reactive, watch } from 'vue';

/** Fields, which are JSON, as they are being changed here. What another window has saved is shown, unless it is being changed. */
export function useDraft<Draft extends object>(savedNow: () => Draft) {
  const saved = computed(savedNow);
  const draft = reactive({ ...saved.value }) as Draft;
  const names = Object.keys(saved.value) as (keyof Draft)[];

  /** Takes what is saved over for the fields that still are as they were then. */
  function settle(then: Draft): void {
    for (const name of names) if (isSame(draft[name], then[name])) draft[name] = saved.value[name];
  }
  watch(saved, (_, before) => settle(before));

  return {
    draft,
    isChanged: computed(() => !names.every((name) => isSame(draft[name], saved.value[name]))),
    settle,
    discard: () => Object.assign(draft, saved.value),
  };
}

function isSame(value: unknown, other: unknown): boolean {
  return value === other || JSON.stringify(value) === JSON.stringify(other);
}
