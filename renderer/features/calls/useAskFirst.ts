import { computed, type ComputedRef } from 'vue';

import type { MethodView } from '../../../src-core/contract/types.ts';
import { t } from '../../i18n/index.ts';
import { joinSentences } from '../../i18n/joinTexts.ts';
import { useSettings } from '../../window/settingsStore.ts';
import { wordDanger } from './wordDanger.ts';

/** The maximum that the settings accept. */
const maxListed = 200;

/** Whether a call of a method asks first, why, and whether that can be changed here. */
export interface AskFirst {
  asks: ComputedRef<boolean>;
  /** Why it asks, in sentences: first the reason from its source, then the user's list. */
  reason: ComputedRef<string>;
  /** Why it cannot be changed here; `undefined` if it can. */
  fixed: ComputedRef<string | undefined>;
  /** Adds the method's name to the user's list or removes it. */
  set: (asks: boolean) => void;
}

/** Tracks a method. The user's entry for it takes effect immediately, before the engine has saved it. */
export function useAskFirst(
  method: () => Pick<MethodView, 'qualifiedName' | 'danger' | 'asksFirst'> | undefined,
): AskFirst {
  const settings = useSettings();
  const list = computed(() => settings.current.dangerousTools);
  const name = computed(() => method()?.qualifiedName ?? '');
  const builtIn = computed(() => {
    const danger = method()?.asksFirst?.builtIn;
    return danger === undefined ? undefined : wordDanger(danger);
  });
  const listed = computed(() => list.value.includes(name.value));
  /** The pattern that matches it together with others. */
  const pattern = computed(() =>
    method()?.asksFirst?.patterns.find((each) => each !== name.value && list.value.includes(each)),
  );
  const byList = computed(() => {
    if (pattern.value !== undefined) return t('executor.askFirst.pattern', { pattern: pattern.value });
    return listed.value ? t('executor.askFirst.listed') : undefined;
  });

  return {
    asks: computed(() => builtIn.value !== undefined || byList.value !== undefined),
    reason: computed(() => joinSentences([builtIn.value ?? '', byList.value ?? ''])),
    fixed: computed(() => {
      if (builtIn.value !== undefined) return t('executor.askFirst.fixedBuiltIn');
      if (pattern.value !== undefined) return t('executor.askFirst.fixedPattern', { pattern: pattern.value });
      return !listed.value && list.value.length >= maxListed
        ? t('executor.askFirst.full', { n: maxListed })
        : undefined;
    }),
    set(asks) {
      const others = list.value.filter((each) => each !== name.value);
      settings.change({ dangerousTools: asks ? [...others, name.value] : others });
    },
  };
}
