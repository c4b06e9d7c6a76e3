import { computed, inject, onScopeDispose, provide, shallowReactive, useId, watchEffect } from 'vue';
import type { ComputedRef, InjectionKey, Ref } from 'vue';

import { matchScore, queryWords } from '../../ui/search/matchWords.ts';

/** What a part asks of what it stands in: the words searched for, and whether all in it are to be seen. */
interface Around {
  words: Readonly<Ref<readonly string[]>>;
  wholly: Readonly<Ref<boolean>>;
  /** By part: whether it is to be seen. */
  parts: Map<string, boolean>;
}

const aroundKey: InjectionKey<Around> = Symbol('setting search');

/** Searches all settings under this component; `found` is false where none answers. */
export function provideSettingSearch(query: Readonly<Ref<string>>): { found: ComputedRef<boolean> } {
  const parts = shallowReactive(new Map<string, boolean>());
  const words = computed(() => queryWords(query.value));
  provide(aroundKey, { words, wholly: computed(() => false), parts });
  return { found: computed(() => words.value.length === 0 || [...parts.values()].includes(true)) };
}

/**
 * Whether a section or a row of the settings is to be seen: nothing is searched for, its own words answer, the section
 * it stands in answers, or a row in it does. Outside a search it always is.
 */
export function useFoundSetting(text: () => string): ComputedRef<boolean> {
  const around = inject(aroundKey, undefined);
  const parts = shallowReactive(new Map<string, boolean>());
  const wholly = computed(
    () =>
      around === undefined ||
      around.words.value.length === 0 ||
      around.wholly.value ||
      matchScore(text(), around.words.value) > 0,
  );
  const found = computed(() => wholly.value || [...parts.values()].includes(true));
  if (around === undefined) return found;

  const id = useId();
  provide(aroundKey, { words: around.words, wholly, parts });
  watchEffect(() => void around.parts.set(id, found.value));
  onScopeDispose(() => around.parts.delete(id));
  return found;
}
