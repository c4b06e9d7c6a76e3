import { computed, inject, onScopeDispose, provide, shallowReactive, useId, watchEffect } from 'vue';
import type { ComputedRef, InjectionKey, Ref } from 'vue';

import { matchScore, queryWords } from '../../ui/search/matchWords.ts';

/** What a part needs from its container: the search words, and whether all parts of the container are visible. */
interface Around {
  words: Readonly<Ref<readonly string[]>>;
  wholly: Readonly<Ref<boolean>>;
  /** Whether each part is visible. */
  parts: Map<string, boolean>;
}

const aroundKey: InjectionKey<Around> = Symbol('setting search');

/** Searches all settings in this component. `isFound`: whether a section matches; `found` is false if none does. */
export function provideSettingSearch(query: Readonly<Ref<string>>): {
  found: ComputedRef<boolean>;
  isFound: (section: string) => boolean;
} {
  const parts = shallowReactive(new Map<string, boolean>());
  const words = computed(() => queryWords(query.value));
  provide(aroundKey, { words, wholly: computed(() => false), parts });
  return {
    found: computed(() => words.value.length === 0 || [...parts.values()].includes(true)),
    isFound: (section) => parts.get(section) !== false,
  };
}

/**
 * Whether a section or a row of the settings is visible: if nothing is searched for, or if its text, its section or one
 * of its rows matches. Without a surrounding search it is always visible. `id`: the name of a section.
 */
export function useFoundSetting(text: () => string, id = useId()): ComputedRef<boolean> {
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

  provide(aroundKey, { words: around.words, wholly, parts });
  watchEffect(() => void around.parts.set(id, found.value));
  onScopeDispose(() => around.parts.delete(id));
  return found;
}
