import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type * as i18n from '../../../renderer/i18n/index.ts';

/** A window that has not been in Chinese yet. */
let window: Pick<typeof i18n, 'language' | 'languageShown' | 'setLanguage' | 't'>;
beforeEach(async () => {
  vi.resetModules();
  window = await import('../../../renderer/i18n/index.ts');
});
afterEach(() => window.setLanguage('en'));

const page = document.documentElement;

test('Chinese is shown once its texts are loaded', async () => {
  window.setLanguage('zh');
  expect([window.language.value, page.lang]).toEqual(['en', 'en']);
  await window.languageShown();
  expect([window.language.value, page.lang]).toEqual(['zh', 'zh-CN']);
  expect(window.t('settings.title')).toBe('设置');
});

test('a language that is chosen while Chinese loads stays', async () => {
  window.setLanguage('zh');
  window.setLanguage('en');
  await window.languageShown();
  expect([window.language.value, page.lang]).toEqual(['en', 'en']);
});

test('the language of the system is the first that the window has', async () => {
  window.setLanguage('system', ['fr-FR', 'zh-Hant-TW', 'en-GB']);
  await window.languageShown();
  expect(window.language.value).toBe('zh');
  window.setLanguage('system', ['fr-FR']);
  expect(window.language.value).toBe('en');
});

test('English stays if the Chinese texts cannot be loaded, and the next choice loads them again', async () => {
  vi.doMock('../../../renderer/i18n/zh/index.ts', () => Promise.reject(new Error('offline')));
  window.setLanguage('zh');
  await window.languageShown();
  expect(window.language.value).toBe('en');
  vi.doUnmock('../../../renderer/i18n/zh/index.ts');
  window.setLanguage('zh');
  await window.languageShown();
  expect(window.language.value).toBe('zh');
});
