import { shallowRef } from 'vue';

import { language } from '../index.ts';
import { createWording } from './createWording.ts';

const zh = shallowRef<(text: string) => string>();
let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  try {
    const { engineTexts } = await import('./zh/index.ts');
    zh.value = createWording(engineTexts);
  } catch {
    // The texts stay English until the next one loads them.
    loading = undefined;
  }
}

/** Loads the translations of the engine's sentences once, if the window's language needs them. Never rejects. */
export function loadEngineTexts(): Promise<void> {
  return language.value === 'en' ? Promise.resolve() : (loading ??= load());
}

const unchanged = (text: string): string => text;

/** The current translation: another function after a change of the language or once its texts are loaded. Reactive. */
export function engineWording(): (text: string) => string {
  if (language.value === 'en') return unchanged;
  if (zh.value === undefined) void loadEngineTexts();
  return zh.value ?? unchanged;
}

/**
 * Translates an engine text into the window's language. The engine writes English, also to a terminal. Other texts,
 * such as a device's or a server's, stay unchanged. Reactive if called in a template or a computed.
 */
export const wordEngine = (text: string): string => engineWording()(text);
