import type { Page } from 'playwright-core';

import type { SessionStep } from './sessionStep.ts';

/** A module whose tools answer as the steps need it. */
export const labModule = `let readings = 0;
export default { methods: {
  reading: { description: 'Reads the lamp.', handler() { readings += 1; return { id: 7, level: readings % 100, note: 'it is ' + readings }; } },
  big: { description: 'About 1 MB of rows.', handler: () => Array.from({ length: 9000 }, (_, id) => ({
    id, name: 'row ' + id, on: id % 3 === 0, level: id / 7, note: 'needle-' + (id % 997) + ' 说明', tags: ['a', 'b'] })) },
} };`;

async function open(page: Page, name: string): Promise<void> {
  await page.evaluate((to) => (location.hash = to), `#/executor/lab_${name}`);
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

/** Runs what is open and waits until the newest call in the list is another one. */
async function run(page: Page): Promise<void> {
  await page.keyboard.press('Control+Enter');
  await page.getByRole('region', { name: 'Result' }).getByRole('status').getByText('OK').waitFor();
}

/** Calls by hand: one, a series, a big answer, two compared, all of them searched. */
export const executorSteps: readonly SessionStep[] = [
  {
    name: 'ten calls by hand',
    async run({ page }) {
      await open(page, 'reading');
      for (let call = 0; call < 10; call++) await run(page);
    },
  },
  {
    name: 'a series of 200 calls, 4 at once',
    async run({ page }) {
      await page.keyboard.press('Control+Shift+Enter');
      const dialog = page.getByRole('dialog', { name: 'Repeat the call' });
      await dialog.getByRole('spinbutton').first().fill('200');
      await dialog.getByRole('spinbutton').last().fill('4');
      await page.keyboard.press('Enter');
      await page.getByText(/of 200 calls, 4 at once/).waitFor();
      // Done, and succeeded.
      await page.getByRole('region', { name: 'Result' }).getByText('200', { exact: true }).nth(1).waitFor();
    },
  },
  {
    name: 'two results compared',
    async run({ page }) {
      // A series is folded into one row, which is not compared.
      await page.getByRole('button', { name: 'Compare this result' }).first().press('Enter');
      await page.getByRole('button', { name: 'Compare with the chosen result' }).first().press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Compare results' });
      await dialog
        .getByText(/changed/)
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'all calls searched',
    async run({ page }) {
      await page.getByRole('button', { name: 'All calls' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'All calls' });
      const search = dialog.getByRole('searchbox', { name: 'Search names, arguments, results' });
      await dialog.getByRole('option').first().waitFor();
      await search.fill('nothing is called so');
      await dialog.getByText('No matching calls.').waitFor();
      await search.fill('reading');
      await dialog.getByRole('option').nth(1).click();
      await search.fill('');
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'a result of 1 MB as tree, table and text',
    async run({ page }) {
      await open(page, 'big');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('tab', { name: 'Tree' }).click();
      await page.locator('.json-tree .json-row').first().waitFor();
      await page.getByRole('searchbox', { name: 'Search the result' }).fill('needle-996');
      await page.getByText(/^1 of [1-9]/).waitFor();
      await page.getByRole('tab', { name: 'Table' }).click();
      await page.getByRole('columnheader', { name: 'level' }).waitFor();
      await page.getByRole('tab', { name: 'Raw' }).click();
      await page.locator('.code-line').first().waitFor();
      await page.getByRole('tab', { name: 'Tree' }).click();
    },
  },
  {
    name: 'arguments as JSON in the editor, and back',
    async run({ page }) {
      await page.evaluate(() => (location.hash = '#/executor/directory-tree_listFiles'));
      await page.getByRole('heading', { level: 1, name: 'directory-tree_listFiles' }).waitFor();
      await page.getByRole('radio', { name: 'JSON' }).click();
      await page.locator('.monaco-editor').first().click();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('{"path": ".", "maxDepth": 4096}');
      const form = page.getByRole('region', { name: 'Arguments' });
      await form.getByText('1 problem').waitFor();
      await page.getByRole('radio', { name: 'Form' }).click();
      await form.getByText(/4096 is above the maximum, 32\./).waitFor();
      await form.getByRole('button', { name: 'Use 32' }).click();
      await form.getByText('valid', { exact: true }).waitFor();
    },
  },
];
