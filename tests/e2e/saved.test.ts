import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';

import { startApp, type App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { findCutControls } from './cutControls.ts';

let app: App;
let page: Page;
let problems: string[];
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwire-saved-')));

beforeAll(async () => {
  cpSync('docs/examples/collection', folder, { recursive: true });
  app = await startApp();
  ({ page, problems } = await app.openWindow());
  await page.getByRole('button', { name: 'Add a virtual device' }).first().click();
  await page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: /esp32/ }).click();
  const methods = page.getByRole('listbox', { name: 'Methods' });
  await methods.getByRole('option', { name: 'self.get_device_status' }).click();
  await page.getByRole('button', { name: /Open in Executor/ }).click();
});

afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('every call is found again, whole, and run again', async () => {
  await page.locator('.run-bar button.run').click();
  await page.getByRole('region', { name: 'Last 10' }).getByRole('listitem').first().waitFor();
  await page.getByRole('button', { name: 'All calls', exact: true }).click();
  const found = page.getByRole('listbox', { name: 'Matching calls' }).getByRole('option');
  await found.first().waitFor();
  await page.getByRole('searchbox', { name: 'Search names, arguments, results' }).fill('audio_SPEAKER');
  await expect.poll(() => found.count()).toBe(1);
  await page.getByRole('tab', { name: 'Schema', exact: true }).click();
  await page.getByRole('tabpanel', { name: 'Schema', exact: true }).getByText('"object"').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await page.getByRole('searchbox', { name: 'Search names, arguments, results' }).fill('nothing is called so');
  await page.getByText('No matching calls.').waitFor();
  await page.getByRole('searchbox', { name: 'Search names, arguments, results' }).fill('');
  await found.first().waitFor();
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('region', { name: 'Last 10' }).getByRole('listitem').nth(1).waitFor();
});

test('a folder is opened, a call saved into it with what it asserts, and all of it run', async () => {
  await page.getByRole('tab', { name: 'Saved' }).click();
  await page.getByRole('button', { name: 'Open a folder' }).click();
  await page.getByRole('textbox', { name: 'Folder' }).fill(folder);
  await page.keyboard.press('Enter');
  const saved = page.getByRole('region', { name: 'Saved' });
  await saved.getByRole('listitem').nth(3).waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  expect(await findCutControls(page)).toEqual([]);

  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'Save this call' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Screen is light');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByRole('textbox', { name: 'JSON path' }).fill('$.screen.theme');
  await dialog.getByRole('status').filter({ hasText: /^met/ }).waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  expect(await findCutControls(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await saved.getByRole('listitem').nth(4).waitFor();
  expect(JSON.parse(readFileSync(join(folder, 'screen-is-light.call.json'), 'utf8'))).toEqual({
    name: 'Screen is light',
    tool: '{{$device}}_self.get_device_status',
    arguments: {},
    assertions: [{ check: 'path', path: '$.screen.theme', op: 'exists' }],
  });

  await page.getByRole('button', { name: /^Run all of/ }).click();
  const run = page.getByRole('dialog', { name: /^Run A board/ });
  await run.getByRole('button', { name: 'Run 5 calls' }).click();
  await run.getByText('5 passed, 0 failed, 0 skipped').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  expect(await findCutControls(page)).toEqual([]);
  await page.keyboard.press('Escape');
});

test('what somebody else changes is seen, and saving over it asks', async () => {
  const saved = page.getByRole('region', { name: 'Saved' });
  const path = join(folder, 'status.call.json');
  await saved.getByRole('button', { name: 'More for Status' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit the saved call' });
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Status');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"Status"', '"Their status"'));
  // What is behind a dialog is hidden from roles, not from the eye.
  await page.getByText('Their status').waitFor();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('My status');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  const asks = page.getByRole('alertdialog', { name: 'The file changed on disk' });
  await asks.waitFor();
  expect(readFileSync(path, 'utf8')).toContain('Their status');
  await asks.getByRole('button', { name: 'Overwrite' }).click();
  await saved.getByText('My status').waitFor();
  expect(readFileSync(path, 'utf8')).toContain('"My status"');
});

test('a saved call that was changed in the form goes back into its file, and a new environment into its own', async () => {
  const saved = page.getByRole('region', { name: 'Saved' });
  const path = join(folder, 'set-the-volume.call.json');
  const before = JSON.parse(readFileSync(path, 'utf8')) as { arguments: { volume: unknown } };
  await saved.getByRole('button', { name: /^Set the volume/ }).click();
  const volume = page.getByRole('spinbutton', { name: /volume/ });
  await expect.poll(() => volume.inputValue()).toBe('40');
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'Save this call' });
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Arguments' }).inputValue()).toContain('{{volume}}');
  expect(await findInaccessible(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await volume.fill('41');
  await page.keyboard.press('Control+s');
  await dialog.getByRole('radio', { name: 'Update “Set the volume”', checked: true }).waitFor();
  await dialog.getByRole('button', { name: 'Update', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ ...before, arguments: { volume: 41 } });

  await saved.getByRole('button', { name: /^More for A board/ }).click();
  await page.getByRole('menuitem', { name: 'Variables and environments' }).click();
  const variables = page.getByRole('dialog', { name: /^Variables of/ });
  await variables.getByRole('button', { name: 'New environment' }).click();
  await page.keyboard.type('loud');
  const json = variables.getByRole('textbox', { name: 'Variables as JSON' });
  await json.fill('{"volume":');
  await variables.getByText('the text ends before the JSON does').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await json.fill('{"volume": 90}');
  await variables.getByRole('button', { name: 'Save', exact: true }).click();
  await variables.waitFor({ state: 'detached' });
  const loud = readFileSync(join(folder, 'environments/loud.json'), 'utf8');
  expect(JSON.parse(loud)).toEqual({ variables: { volume: 90 } });
  expect(problems).toEqual([]);
});
