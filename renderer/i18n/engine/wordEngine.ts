import { shallowRef } from 'vue';

import { language } from '../index.ts';
import { createWording } from './createWording.ts';

const zh = shallowRef<(text: string) => string>();
let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  const { engineTexts } = await import('./zh/index.ts');
  zh.value = createWording(engineTexts);
}

/** Loads the translations of the engine's sentences once, if the window's language needs them. */
export function loadEngineTexts(): Promise<void> {
  return language.value === 'en' ? Promise.resolve() : (loading ??= load());
}

/**
 * Translates an engine text into the window's language. The engine writes English, also to a terminal. Other texts,
 * such as a device's or a server's, stay unchanged. Reactive if called in a template or a computed.
 */
export function wordEngine(text: string): string {
  if (language.value === 'en') return text;
  if (zh.value === undefined) void loadEngineTexts();
  return zh.value?.(text) ?? text;
}
