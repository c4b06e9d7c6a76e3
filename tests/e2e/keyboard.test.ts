/** The whole first use by keyboard alone, with the focus in sight at every step and back where it was after each dialog. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';

import { startApp } from './app.ts';
import type { App } from './app.ts';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

/** Tabs on until it has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let tabs = 0; tabs < 120; tabs++) {
    if (await target.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await seen(page, target);
}

/** It has the focus, it is on the screen, and a ring or a caret says so. */
async function seen(page: Page, target: Locator): Promise<void> {
  await expect.poll(() => target.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await target.evaluate((element) => element.matches(':focus-visible'))).toBe(true);
  const top = async (): Promise<number> => (await target.boundingBox())?.y ?? -1;
  await expect.poll(top).toBeGreaterThanOrEqual(0);
  await expect.poll(top).toBeLessThan(page.viewportSize()!.height);
}

function paneOfFocus(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-half]')?.dataset['half']);
}

test('by keyboard alone: tour, device, tool, form, run, wire, parser, a saved call and its run', async () => {
  const { page, problems } = await app.openWindow();
  const press = (keys: string): Promise<void> => page.keyboard.press(keys);
  const main = page.getByRole('main');
  const tour = page.getByRole('region', { name: 'Your first call' });
  await tabTo(page, tour.getByRole('button', { name: 'Add a virtual device' }));
  await press('Enter');
  await tabTo(page, tour.getByRole('button', { name: /^Open .*self\./ }));
  await press('Enter');
  await page.getByRole('heading', { level: 1, name: 'self.' }).waitFor();

  await press('Control+o');
  const picker = page.getByRole('dialog', { name: 'Choose a tool' });
  await seen(page, picker.getByRole('combobox'));
  await page.keyboard.type('set_volume');
  await press('Enter');
  await page.getByRole('heading', { level: 1, name: 'set_volume' }).waitFor();
  const volume = main.getByRole('spinbutton', { name: /volume/ });
  await tabTo(page, volume);
  await page.keyboard.type('50');
  await press('Control+Enter');
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByRole('status').getByText('OK').waitFor();
  await seen(page, volume);

  await press('Control+j');
  await page.getByRole('listbox', { name: 'Wire' }).waitFor();
  await press('Control+j');
  await seen(page, volume);

  await press('Control+s');
  const save = page.getByRole('dialog', { name: 'Save this call' });
  await save.waitFor();
  await press('Escape');
  await save.waitFor({ state: 'detached' });
  await seen(page, volume);

  // A pane has its focus again, whatever brings it to the front.
  await press('Control+1');
  await expect.poll(() => paneOfFocus(page)).toBe('discovery');
  await press('Control+2');
  await seen(page, volume);
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await press('Escape');
  await press('Control+k');
  await page.keyboard.type('discovery');
  await press('Enter');
  await expect.poll(() => paneOfFocus(page)).toBe('discovery');
  await press('Control+2');
  await seen(page, volume);

  await press('Control+k');
  await page.keyboard.type('new collection');
  await press('Enter');
  const folder = page.getByRole('dialog', { name: 'New collection' });
  await folder.waitFor();
  await tabTo(page, folder.getByRole('textbox', { name: 'Folder' }));
  await page.keyboard.type(join(app.dataDir, 'calls'));
  await tabTo(page, folder.getByRole('textbox', { name: 'Name' }));
  await page.keyboard.type('Mine');
  await press('Enter');
  await folder.waitFor({ state: 'detached' });
  await press('Control+s');
  await tabTo(page, save.getByRole('textbox', { name: 'Name', exact: true }));
  await press('Control+a');
  await page.keyboard.type('half loud');
  await tabTo(page, save.getByRole('button', { name: 'Save', exact: true }));
  await press('Enter');
  await save.waitFor({ state: 'detached' });
  await press('Control+k');
  await page.keyboard.type('half loud');
  await page.getByRole('option', { name: /half loud/ }).waitFor();
  await press('Enter');
  const run = page.getByRole('dialog', { name: /^Run/ });
  await tabTo(page, run.getByRole('button', { name: /^Run 1 call/ }));
  await press('Enter');
  await run.getByText('1 passed').waitFor();
  await press('Escape');
  await run.waitFor({ state: 'detached' });

  await press('Control+3');
  await page.getByRole('heading', { level: 1, name: 'Parser' }).waitFor({ state: 'attached' });
  await page.locator('.monaco-editor .view-line').first().waitFor();
  for (
    let tabs = 0;
    tabs < 60 && !(await page.evaluate(() => document.activeElement?.closest('.monaco-editor')));
    tabs++
  )
    await press('Tab');
  await page.keyboard.insertText(
    '<<<[TOOL_REQUEST]>>>\ntool_name:「始」clock_get_date「末」\n<<<[END_TOOL_REQUEST]>>>',
  );
  await page.getByRole('listitem', { name: /get_date/ }).waitFor();
  await press('Control+Enter');
  await main
    .getByText(/\d{4}-\d\d-\d\d/)
    .first()
    .waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});
