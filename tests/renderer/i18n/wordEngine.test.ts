import { expect, it, onTestFinished, vi } from 'vitest';

import { loadEngineTexts, wordEngine } from '../../../renderer/i18n/engine/wordEngine.ts';
import { setLanguage } from '../../../renderer/i18n/index.ts';

const broken = vi.hoisted(() => ({ times: 1 }));
vi.mock(import('../../../renderer/i18n/engine/zh/index.ts'), async (load) => {
  const { engineTexts } = await load();
  return {
    get engineTexts() {
      broken.times -= 1;
      if (broken.times >= 0) throw new Error('Failed to fetch the chunk');
      return engineTexts;
    },
  };
});

it('leaves texts in English if the translations cannot be loaded, and loads them again later', async () => {
  onTestFinished(() => setLanguage('en'));
  setLanguage('zh');
  const text = 'Invalid input';
  await expect(loadEngineTexts()).resolves.toBeUndefined();
  expect(broken.times).toBe(0);
  expect(wordEngine(text)).toBe(text);
  await loadEngineTexts();
  expect(wordEngine(text)).toMatch(/\p{Script=Han}/u);
});
