/** Commands that the palette has come to have, each opened from it, and what was removed brought back. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startApp } from './app.ts';
import type { App } from './app.ts';
import { findInaccessible } from './axe.ts';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

/** Asks the palette for something by words, and chooses the line of this name. */
async function choose(page: Page, words: string, name: RegExp | string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(words);
  // The results of the text before stay until those of the new one are found.
  await page.locator('[role="listbox"][aria-busy="false"]').waitFor();
  await page.getByRole('option', { name }).first().click();
}

test('settings, prompt, licences, the gateway and the parser are a command away from anywhere', async () => {
  const { page, problems } = await app.openWindow();
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  await heading('Discovery').waitFor();

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    choose(page, 'export settings', /Export the settings/),
  ]);
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toHaveProperty('settings');
  await Promise.all([page.waitForEvent('filechooser'), choose(page, 'import settings', /Import settings/)]);
  await heading('Settings').waitFor();
  await choose(page, 'licences', /Third-party licences/);
  await page.getByRole('dialog').getByText(/MIT/).first().waitFor();
  await page.keyboard.press('Escape');
  await choose(page, 'prompt', /View the tool prompt/);
  await page
    .getByRole('dialog', { name: /prompt/i })
    .getByText('TOOL_DEFINITION')
    .first()
    .waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await choose(page, 'gateway settings', /Gateway settings/);
  await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  await page.keyboard.press('Escape');
  await Promise.all([page.waitForEvent('filechooser'), choose(page, 'import chat', /Import a chat/)]);
  await heading('Chat').waitFor();
  await choose(page, 'new collection', /New collection/);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  // It listens: the command is there, and says why it has nothing to do.
  await page.keyboard.press('Control+4');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('listening again');
  await page.getByRole('option', { name: /Already listening on port \d+/ }).waitFor();
  // A browser zooms by its own menu.
  await page.getByRole('combobox').fill('zoom');
  await page.getByText('No results for “zoom”.').waitFor();
  await page.keyboard.press('Escape');
  expect(problems).toEqual([]);
  await page.context().close();
});

test('what the chosen device can do is in the palette while it is in view; its log and itself come back', async () => {
  const { page, problems } = await app.openWindow();
  await choose(page, 'virtual device', /^Add a virtual device/);
  await page.keyboard.press('Control+4');
  const frames = page
    .getByRole('listbox', { name: /^Frames of/ })
    .getByRole('option')
    .filter({ hasText: 'hello' })
    .first();
  await frames.waitFor();
  await choose(page, 'disconnect', /^Disconnect/);
  await page.getByText('Disconnected').first().waitFor();

  await choose(page, 'clear log devices', /^Clear log/);
  await frames.waitFor({ state: 'detached' });
  await page.getByText(/^The log of “.*” was emptied$/).waitFor();
  await choose(page, 'undo', /Undo the last removal/);
  await frames.waitFor();

  await choose(page, 'forget', /^Forget/);
  await page.getByText(/was forgotten$/).waitFor();
  await frames.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await frames.waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

test('the settings show what was removed, bring it back, and empty the bin after a question', async () => {
  const { page, problems } = await app.openWindow();
  await choose(page, 'start chat', /Start a chat/);
  await page
    .getByRole('button', { name: /^More for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByText(/^The chat “.*” was removed$/).waitFor();
  await page.keyboard.press('Control+,');
  const list = page.getByRole('list', { name: 'Items in the trash' });
  await list.getByText(/^Chat “/).waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await page.screenshot({ path: join('tests/.out', 'bin.png') });
  await list.getByRole('button', { name: /^Restore Chat/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Chat' }).waitFor();
  await page
    .getByRole('button', { name: /^More for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await choose(page, 'trash', /Empty trash/);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Empty trash' }).click();
  await page.getByText('The trash is empty.').waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a whole collection is run from the palette, by its name', async () => {
  const { page, problems } = await app.openWindow();
  await choose(page, 'new collection', /New collection/);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').first().fill('Lamps');
  await dialog.getByRole('textbox').last().fill(join(app.dataDir, 'lamps'));
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await choose(page, 'clock_get_date', /get_date/);
  await page.getByRole('heading', { level: 1, name: 'get_date' }).waitFor();
  await page.keyboard.press('Control+o');
  await page.getByRole('dialog').getByRole('combobox').fill('clok');
  await page.getByText(/^No exact match\. Results for “clock/).waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await choose(page, 'save call', /^Save the call/);
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+1');
  await choose(page, 'run all lamps', /^Run all of Lamps/);
  await page.getByRole('dialog').getByRole('button', { name: /^Run/ }).waitFor();
  await page.keyboard.press('Escape');
  expect(problems).toEqual([]);
  await page.context().close();
});
