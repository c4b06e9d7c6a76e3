import { computed, type ComputedRef } from 'vue';
import { createI18n, type LocaleMessageValue } from 'vue-i18n';

import { formatCount } from '../ui/format/formatCount.ts';
import { visibleText } from '../ui/format/visibleText.ts';
import type { KeysOf } from './keys.ts';
import { en } from './en/index.ts';

export type Language = 'en' | 'zh';
/** The shape every language has: English is the measure, the compiler holds the others to it. */
export type Messages = typeof en;
export type MessageKey = KeysOf<Messages>;
/** A text by its key. `count` picks the plural form. In the text it replaces `{n}`, with a thousands separator. */
export type Translate = (key: MessageKey, named?: Record<string, string | number>, count?: number) => string;

/** Its own types of the keys, which `MessageKey` repeats, would take 5 s of each type check. */
const messages: Record<string, Record<string, LocaleMessageValue<string>>> = { en };
const { global } = createI18n({ legacy: false, locale: 'en', fallbackLocale: 'en', messages });

/** A text in the window's language, hidden characters in `named` made visible. Reactive in a template or a computed. */
export const t: Translate = (key, named = {}, count) => {
  const visible = Object.fromEntries(
    Object.entries(named).map(([name, value]) => [name, typeof value === 'string' ? visibleText(value) : value]),
  );
  return count === undefined ? global.t(key, visible) : global.t(key, { n: formatCount(count), ...visible }, count);
};

/** The language the window speaks right now. */
export const language: ComputedRef<Language> = computed(() => (global.locale.value === 'zh' ? 'zh' : 'en'));

let wanted: Language = 'en';
let shown: Promise<void> = Promise.resolve();

/** Resolves once the window has the language that was chosen last. Never rejects. */
export const languageShown = (): Promise<void> => shown;

/**
 * Chooses the window's language. The Chinese texts are loaded when they are first needed: until then, and if that fails, English stays. The
 * next choice loads them again.
 */
export function setLanguage(choice: Language | 'system', preferred: readonly string[] = navigator.languages): void {
  const system = preferred
    .find((tag) => /^(zh|en)\b/i.test(tag))
    ?.slice(0, 2)
    .toLowerCase();
  wanted = choice === 'system' ? (system === 'zh' ? 'zh' : 'en') : choice;
  if (wanted === 'en' || global.availableLocales.includes('zh')) return show();
  shown = import('./zh/index.ts').then(
    ({ zh }) => {
      global.setLocaleMessage('zh', zh);
      show();
    },
    () => undefined,
  );
}

/** Shows the chosen language, and states it in the document, for fonts, line breaks and screen readers. */
function show(): void {
  global.locale.value = wanted;
  document.documentElement.lang = wanted === 'zh' ? 'zh-CN' : 'en';
}
