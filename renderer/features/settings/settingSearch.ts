import { computed, inject, onScopeDispose, provide, shallowReactive, useId, watchEffect } from 'vue';
import type { ComputedRef, InjectionKey, Ref } from 'vue';

import { findCorrecting, type Search } from '../../ui/search/correctWords.ts';
import { foldText, hasWords, queryWords } from '../../ui/search/matchWords.ts';
import { useLateSearch, type LateSearch } from '../../ui/search/useLateSearch.ts';

/** What a part needs from its container: the search words, and whether all parts of the container are visible. */
interface Around {
  /** As returned by `foldText`. */
  words: Readonly<Ref<readonly string[]>>;
  wholly: Readonly<Ref<boolean>>;
  /** The text of each part of the pane, as returned by `foldText`. */
  texts: Map<string, Readonly<Ref<string>>>;
  /** Whether each part is visible. */
  parts: Map<string, boolean>;
}

const aroundKey: InjectionKey<Around> = Symbol('setting search');

/** Searches all settings in this component; mistyped words are corrected if nothing matches. `isFound`: whether a section matches. */
export function provideSettingSearch(
  query: Readonly<Ref<string>>,
): Omit<LateSearch<Search<unknown>>, 'settle'> & { isFound: (section: string) => boolean } {
  const parts = shallowReactive(new Map<string, boolean>());
  const texts = shallowReactive(new Map<string, Readonly<Ref<string>>>());
  const { search, text } = useLateSearch(query, (typed) => {
    const all = [...texts.values()].map(({ value }) => value);
    return findCorrecting(queryWords(typed).map(foldText), {
      find: (words) => all.filter((each) => hasAll(each, words)),
      texts: () => all.map((each) => ({ names: each.split('_'), about: '' })),
    });
  });
  provide(aroundKey, { words: computed(() => search.value.words), wholly: computed(() => false), texts, parts });
  return { search, text, isFound: (section) => parts.get(section) !== false };
}

/** `hasWords` of what is folded: there are many texts. */
const hasAll = (text: string, words: readonly string[]): boolean => words.every((word) => text.includes(word));

/** The CSS order of a section: 1 if its title has the words of the search, before those that have them in a text. */
export function useSectionOrder(title: () => string): ComputedRef<number> {
  const words = inject(aroundKey, undefined)?.words;
  return computed(() => (words !== undefined && words.value.length > 0 && hasWords(title(), words.value) ? 1 : 2));
}

/**
 * Whether a section or a row of the settings is visible: if nothing is searched for, or if its text, its section or one
 * of its rows matches. Without a surrounding search it is always visible. `id`: the name of a section.
 */
export function useFoundSetting(text: () => string, id = useId()): ComputedRef<boolean> {
  const around = inject(aroundKey, undefined);
  const parts = shallowReactive(new Map<string, boolean>());
  const folded = computed(() => foldText(text()));
  const wholly = computed(
    () =>
      around === undefined ||
      around.words.value.length === 0 ||
      around.wholly.value ||
      hasAll(folded.value, around.words.value),
  );
  const found = computed(() => wholly.value || [...parts.values()].includes(true));
  if (around === undefined) return found;

  const { words, texts } = around;
  texts.set(id, folded);
  provide(aroundKey, { words, wholly, texts, parts });
  watchEffect(() => void around.parts.set(id, found.value));
  onScopeDispose(() => {
    texts.delete(id);
    around.parts.delete(id);
  });
  return found;
}
