import type { SessionStep } from './sessionStep.ts';

/** The window itself: panes, the palette, dialogs, settings. */
export const windowSteps: readonly SessionStep[] = [
  {
    name: 'every pane, five times',
    async run({ page }) {
      for (let times = 0; times < 5; times++) {
        for (const key of ['1', '2', '3', '4', '5', '6', '7', '8', '9', ',']) {
          await page.keyboard.press(`Control+${key}`);
          await page.getByRole('main').getByRole('heading', { level: 1 }).first().waitFor();
        }
      }
    },
  },
  {
    name: 'the palette and the sheet of shortcuts, ten times',
    async run({ page }) {
      for (let times = 0; times < 10; times++) {
        await page.keyboard.press('Control+k');
        await page.keyboard.type('get_time');
        await page.getByRole('dialog').getByRole('option').first().waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
        await page.getByRole('dialog').waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    },
  },
  {
    name: 'settings searched, the theme changed and changed back',
    async run({ page }) {
      await page.keyboard.press('Control+,');
      const main = page.getByRole('main');
      const search = main.getByRole('searchbox');
      await search.fill('in parallel');
      await main.getByRole('heading', { name: 'Tool calling' }).waitFor();
      await search.fill('');
      for (const theme of ['Light', 'Dark']) {
        await main.getByRole('radio', { name: theme }).click();
        await page.waitForFunction(
          (wanted) => document.documentElement.dataset['theme'] === wanted,
          theme.toLowerCase(),
        );
      }
    },
  },
  {
    name: 'Discovery searched and scrolled',
    async run({ page }) {
      await page.keyboard.press('Control+1');
      await page.getByRole('searchbox').fill('get_');
      const tools = page.getByRole('listbox', { name: 'Tools' });
      await tools.getByRole('option', { name: 'get_time' }).first().click();
      await page.getByRole('listbox', { name: 'Methods' }).getByRole('option').first().click();
      await page.getByRole('searchbox').fill('');
      await tools.getByRole('option').nth(1).waitFor();
    },
  },
];
