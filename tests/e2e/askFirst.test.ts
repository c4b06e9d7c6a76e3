import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';

import { startApp } from './app.ts';
import type { App } from './app.ts';
import { findInaccessible } from './axe.ts';

let app: App;
let page: Page;
let problems: string[];

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());
afterEach(async () => {
  expect(problems).toEqual([]);
  await page.context().close();
});

describe('asking first, in both languages and themes', () => {
  const words = {
    en: { add: 'Add a virtual device', ask: 'Ask before running', open: /Open in Executor/, settings: 'Settings' },
    zh: { add: '添加虚拟设备', ask: '运行前询问', open: /在“执行”中打开/, settings: '设置' },
  };
  test.each([
    ['en', 'en-US', 'dark'],
    ['zh', 'zh-CN', 'light'],
  ] as const)(
    'is switched on in Discovery, seen in the Executor and listed in Settings (%s)',
    async (language, locale, colorScheme) => {
      const { add, ask, open, settings } = words[language];
      ({ page, problems } = await app.openWindow({ locale, colorScheme }));
      await page.keyboard.press('Control+1');
      const tool = page.getByRole('option', { name: /esp32-s3/ }).first();
      if (language === 'en') await page.getByRole('button', { name: add }).first().click();
      await tool.click();
      const method = language === 'en' ? 'self.screen.set_theme' : 'self.screen.set_brightness';
      await page.getByRole('option', { name: method }).last().click();
      await page.getByRole('switch', { name: ask }).click();
      await page
        .getByRole('status')
        .filter({ hasText: language === 'en' ? 'It is on your list' : '“运行前询问”列表' })
        .waitFor();
      expect(await findInaccessible(page)).toEqual([]);

      await page.getByRole('button', { name: open }).click();
      await page.getByRole('heading', { level: 1, name: method }).waitFor();
      await page.getByRole('switch', { name: ask, checked: true }).waitFor();
      expect(await findInaccessible(page)).toEqual([]);

      await page.getByRole('navigation').getByRole('button', { name: settings }).click();
      const row = page.getByRole('listitem').filter({ hasText: `_${method}` });
      await row.filter({ hasText: '1' }).waitFor();
      expect(await findInaccessible(page)).toEqual([]);
      await row.getByRole('button').click();
      await row.waitFor({ state: 'detached' });
    },
  );
});
