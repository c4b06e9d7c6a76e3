/**
 * Every pane and overlay in both themes and both languages, with nothing in them and at work: WCAG 2.2 AA by axe, and no cut
 * control in three sizes of window.
 */
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';

import { startApp } from './app.ts';
import type { App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { findCutControls } from './cutControls.ts';
import { paneKey } from './paneKeys.ts';

const out = 'tests/.out';
/** Each theme and each language once: contrast depends on the theme alone, names and sizes on the language alone. */
const looks = [
  { locale: 'en-US', colorScheme: 'light' },
  { locale: 'zh-CN', colorScheme: 'dark' },
] as const;

let app: App;
beforeAll(async () => {
  mkdirSync(out, { recursive: true });
  app = await startApp();
});
afterAll(() => app.stop());

/** Goes through every pane and overlay, and gathers what axe finds in each, and which controls are cut. */
async function walk(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  const check = async (where: string): Promise<void> => {
    const faults = [
      ...(await findInaccessible(page)).map((line) => `${where}: ${line}`),
      ...(await findCutControls(page)).map((line) => `${where}, ${line}`),
    ];
    if (faults.length > 0) await page.screenshot({ path: `${out}/axe-${name}-${where}.png` });
    found.push(...faults);
  };
  const rail = page.getByRole('navigation').first().getByRole('button');
  const count = await rail.count();
  for (let at = 0; at < count; at++) {
    await rail.nth(at).click();
    const main = page.getByRole('main');
    // The pane before stays until this one's code is there.
    await expect.poll(() => rail.nth(at).getAttribute('aria-current')).toBe('page');
    await main.locator('h1').first().waitFor({ state: 'attached' });
    // What is still being fetched stands as a skeleton.
    await expect.poll(() => main.locator('.skeleton').count()).toBe(0);
    await check((await rail.nth(at).locator('.word').innerText()).toLowerCase());
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await check('palette');
  await page.keyboard.press('Escape');
  await page.locator('.title-bar .end').getByRole('button').last().click();
  await page.getByRole('dialog').waitFor();
  await check('shortcuts');
  return found;
}

/** A device, a call with its frames, a parsed reply, a chat, a gateway with a client. */
async function putToWork(page: Page): Promise<void> {
  await page.keyboard.press('Control+1');
  await page.getByRole('button', { name: 'Add a virtual device' }).first().click();
  const main = page.getByRole('main');
  await main.getByRole('option', { name: /esp32/ }).first().click();
  await page
    .getByRole('listbox', { name: 'Methods' })
    .getByRole('option', { name: 'self.audio_speaker.set_volume' })
    .click();
  await page.getByRole('button', { name: /Open in Executor/ }).click();
  await page.getByRole('spinbutton', { name: /volume/ }).fill('50');
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  await page.getByRole('region', { name: 'Result' }).getByRole('status').getByText('OK').waitFor();
  await page.keyboard.press('Control+j');
  await page.getByRole('listbox', { name: 'Wire' }).getByRole('option').last().click();

  await page.keyboard.press('Control+3');
  await page.locator('.monaco-editor .view-line').first().waitFor();
  await page.locator('.monaco-editor').first().click();
  await page.keyboard.insertText(
    '<<<[TOOL_REQUEST]>>>\ntool_name:「始」clock_get_date「末」\n<<<[END_TOOL_REQUEST]>>>\n<<<[TOOL_REQUEST]>>>',
  );
  await page.getByRole('listitem', { name: /get_date/ }).waitFor();

  await page.keyboard.press('Control+4');
  await page
    .getByRole('listbox', { name: /^Frames of/ })
    .getByRole('option', { name: /set_volume/ })
    .last()
    .click();

  await page.keyboard.press(paneKey('gateway'));
  await page.getByRole('button', { name: 'Gateway settings' }).click();
  await page.getByRole('spinbutton', { name: 'Port' }).fill('0');
  await page.getByRole('spinbutton', { name: 'Port' }).press('Enter');
  await page.locator('.gateway-setting', { hasText: 'CLOUD_PORT' }).getByText('set here').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('switch', { name: 'LLM gateway' }).click();
  await page.getByRole('button', { name: 'Try it with a test client' }).last().click();
  await page
    .getByRole('listbox', { name: /^Messages of/ })
    .getByRole('option', { name: /llm_response/ })
    .last()
    .waitFor();

  await page.keyboard.press(paneKey('chat'));
  await page.getByRole('button', { name: 'Start a chat' }).click();
  await page.getByRole('article', { name: /^Call of/ }).waitFor();
  await page.getByRole('button', { name: /^Send/ }).waitFor();
}

for (const look of looks) {
  const name = `${look.locale}-${look.colorScheme}`;
  test(`with nothing in it, ${name}`, async () => {
    const { page, problems } = await app.openWindow(look);
    expect(await walk(page, `empty-${name}`)).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  });
}

test('it is put to work', async () => {
  const { page, problems } = await app.openWindow();
  await putToWork(page);
  expect(problems).toEqual([]);
  await page.context().close();
});

for (const look of looks) {
  const name = `${look.locale}-${look.colorScheme}`;
  test(`at work, ${name}`, async () => {
    const { page, problems } = await app.openWindow(look);
    expect(await walk(page, `work-${name}`)).toEqual([]);
    expect(problems).toEqual([]);
    await page.context().close();
  });
}
