import type { Page } from 'playwright-core';

import { watchTasks } from '../watchTasks.ts';

/** Opens the dialog of all calls and searches in it; the longest task of the page's thread meanwhile, in ms of processor. */
export async function searchHistory(page: Page, link: string): Promise<number> {
  await page.goto(link);
  await page.getByRole('navigation', { name: 'Panes' }).waitFor();
  await page.evaluate(() => (location.hash = '#/executor/clock_get_date'));
  await page.getByRole('heading', { level: 1, name: 'get_date' }).waitFor();
  const watch = await watchTasks(page);
  const row = await watch('search', async () => {
    await page.getByRole('button', { name: 'All calls', exact: true }).first().click();
    const dialog = page.getByRole('dialog', { name: 'All calls' });
    await dialog.getByRole('option').nth(5).waitFor();
    const search = dialog.getByRole('searchbox', { name: 'Search names, arguments, results' });
    await search.pressSequentially('run 777', { delay: 50 });
    await dialog
      .getByRole('option', { name: /run 777/ })
      .first()
      .waitFor();
    await search.fill('nothing is called so');
    await dialog.getByText('No matching calls.').waitFor();
    await search.fill('');
    await dialog.getByRole('option').nth(5).waitFor();
  });
  return row['longest task, ms of processor'];
}
