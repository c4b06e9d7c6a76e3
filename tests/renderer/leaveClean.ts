/**
 * The files of the renderer project share one DOM in each worker, because loading jsdom and Vue takes longer than most
 * files. After each file, this removes what the file left: components, modules with their state, timers, and the page.
 */
import { config, disableAutoUnmount, enableAutoUnmount } from '@vue/test-utils';
import { afterAll, vi } from 'vitest';

import { languageShown, setLanguage } from '../../renderer/i18n/index.ts';
import { editorLoaderKey } from '../../renderer/ui/editor/loadMonaco.ts';

// The Chinese texts are loaded: tests choose a language and read it at once.
setLanguage('zh');
await languageShown();
setLanguage('en');

// Hooks run in reverse order: components are unmounted first.
afterAll(async () => {
  // The engine's sentences in Chinese load when they are first needed; a load that is cut off fails the run.
  await import('../../renderer/i18n/engine/zh/index.ts');
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
  history.replaceState(null, '', '/');
  localStorage.clear();
  sessionStorage.clear();
  document.head.replaceChildren();
  document.body.replaceChildren();
  for (const element of [document.documentElement, document.body]) {
    for (const { name } of [...element.attributes]) element.removeAttribute(name);
  }
});

// Monaco cannot run in jsdom: the text area stays, unless a test provides an editor of its own.
Object.assign(config.global.provide, { [editorLoaderKey]: () => new Promise(() => undefined) });

disableAutoUnmount();
enableAutoUnmount(afterAll);
