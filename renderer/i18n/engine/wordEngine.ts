import { shallowRef } from 'vue';

import { language } from '../index.ts';
import { createWording } from './createWording.ts';

const zh = shallowRef<(text: string) => string>();
let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  const { engineTexts } = await import('./zh/index.ts');
  zh.value = createWording(engineTexts);
}

/** The engine's sentences in the window's language are here; they come when they are first needed. */
export function loadEngineTexts(): Promise<void> {
  return language.value === 'en' ? Promise.resolve() : (loading ??= load());
}

/**
 * What the engine says, in the window's language. The engine speaks English, to a terminal too; what is none of its own
 * sentences (a device's words, a server's) stays as it is. Reactive where it is called in a template or a computed.
 */
export function wordEngine(text: string): string {
  if (language.value === 'en') return text;
  if (zh.value === undefined) void loadEngineTexts();
  return zh.value?.(text) ?? text;
}
