/** What waits for the user is one list: a device and a server that ask for approval, and a form of a server, answered there by the keyboard. */
import { mkdirSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';

import { connectScripted } from '../core/features/devices/support/scriptedDevice.ts';
import { startApp, type App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { paneKey } from './paneKeys.ts';

const out = 'tests/.out';
let app: App;
beforeAll(async () => {
  mkdirSync(out, { recursive: true });
  app = await startApp();
});
afterAll(() => app.stop());

const everything = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

async function paste(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page
    .getByRole('textbox', { name: 'Configuration' })
    .fill(JSON.stringify({ mcpServers: { [name]: { command: process.execPath, args: [everything, 'stdio'] } } }));
  await page.getByRole('button', { name: 'Import 1 server' }).click();
}

const focusedRegion = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.closest('[data-region]')?.getAttribute('aria-label'));

/** Whether the buttons of a request stay at the foot of the list, with nothing of the form below them. */
const footInView = (list: Locator): Promise<boolean> =>
  list.locator('footer').evaluate((foot) => {
    const { top, bottom } = foot.closest('.waiting-items')!.getBoundingClientRect();
    const { top: from, bottom: to } = foot.getBoundingClientRect();
    return from >= top && to <= innerHeight && Math.abs(bottom - to) <= 1;
  });

/** Lets a device of the network ask for approval. Returns its connection. */
async function connectDevice(page: Page): ReturnType<typeof connectScripted> {
  await page.keyboard.press(paneKey('devices'));
  await page.getByRole('button', { name: 'Connect a device' }).first().click();
  await page
    .getByRole('dialog', { name: 'Connect a device' })
    .getByRole('radio', { name: 'The local network' })
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Open to the network' }).click();
  await page.getByRole('dialog').getByText(String(ownAddress), { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  const ids = { 'Device-Id': '02:00:00:aa:bb:01', 'Client-Id': 'c-1' };
  const answer = await fetch(`http://${ownAddress}:${new URL(app.served.device.otaUrl).port}/xiaozhi/ota/`, {
    method: 'POST',
    headers: { ...ids, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      application: { version: '2.0.5' },
      board: { type: 'bread-compact-wifi', name: '书房音箱' },
    }),
  });
  const { websocket } = (await answer.json()) as { websocket: { url: string; token: string } };
  const device = await connectScripted(websocket.url, {
    headers: { ...ids, Authorization: `Bearer ${websocket.token}` },
  });
  device.hello();
  return device;
}

test.runIf(ownAddress)('a device, a server and a form wait in one list, and are answered in it', async () => {
  const { page, problems } = await app.openWindow({ locale: 'en-US' });
  const list = page.getByRole('region', { name: 'Items waiting for you' });
  const button = (n: number) => page.getByRole('button', { name: new RegExp(`^${n} waiting for you`) });
  await page.keyboard.press(paneKey('servers'));
  await paste(page, 'everything');
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^(Start once|Connect)$/ })
    .click();
  await page.getByRole('region', { name: 'everything' }).getByText('Ready', { exact: true }).first().waitFor();
  await page.getByRole('option', { name: /trigger-elicitation-request/ }).click();
  await page.getByRole('button', { name: /Open in Executor/ }).click();
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  await button(1).waitFor();
  // F6 goes to the form in the result, then it opens the list; then it goes round the regions, past the result, which has no place for the focus yet.
  await page.keyboard.press('F6');
  await expect.poll(() => focusedRegion(page)).toBe('Result');
  // In the form Esc does not cancel the call, and what was typed is in the list, too; Ctrl+Enter sends it.
  await page.keyboard.insertText('Ada');
  await page.keyboard.press('Escape');
  await page.keyboard.press('F6');
  await expect.poll(() => focusedRegion(page)).toBe('Items waiting for you');
  await expect.poll(() => list.getByRole('textbox', { name: 'name' }).inputValue()).toBe('Ada');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Enter');
  await button(1).waitFor({ state: 'detached' });
  await expect.poll(() => focusedRegion(page)).toBe('Result');
  await page.getByRole('region', { name: 'Result' }).getByText('Ada').first().waitFor();
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  await button(1).waitFor();
  // From another pane, the question has the focus, and neither what is typed nor the key that runs a call reaches the pane.
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Devices' }).click();
  await page.keyboard.press('F6');
  const asked = list.getByRole('textbox', { name: 'name' });
  await expect.poll(() => asked.evaluate((at) => at === document.activeElement)).toBe(true);
  await page.setViewportSize({ width: 853, height: 533 });
  await expect.poll(() => footInView(list)).toBe(true);
  await page.screenshot({ path: `${out}/waiting-853.png` });
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => footInView(list)).toBe(true);
  await page.screenshot({ path: `${out}/waiting-1280.png` });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+2');
  await page.getByRole('region', { name: 'Result' }).getByRole('textbox', { name: 'name' }).waitFor();
  await page.keyboard.press('F6');
  const walk = [];
  for (let n = 0; n < 12; n++) {
    await page.keyboard.press('F6');
    walk.push(await focusedRegion(page));
  }
  expect(walk).toEqual(expect.arrayContaining(['Arguments', 'Last 10', 'Status', 'Panes', 'Items waiting for you']));
  await button(1).click();
  await page.keyboard.press(paneKey('servers'));
  await paste(page, 'second');
  const sheet = page.getByRole('alertdialog', { name: 'Start “second” for the first time?' });
  await sheet.waitFor();
  // Another pane closes the sheet and decides nothing.
  await page.evaluate(() => document.querySelector<HTMLElement>('.rail .place')?.click());
  await sheet.waitFor({ state: 'detached' });
  await button(2).waitFor();
  const device = await connectDevice(page);
  await button(3).waitFor();

  const search = page.getByRole('main').getByRole('searchbox').first();
  await search.focus();
  await page.keyboard.press('F6');
  const items = list.locator('.waiting-items > li');
  await expect.poll(() => items.count()).toBe(3);
  const isOn = (index: number) => items.nth(index).evaluate((at) => at === document.activeElement);
  await expect.poll(() => isOn(2)).toBe(true);
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => isOn(1)).toBe(true);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => isOn(2)).toBe(true);
  await list.getByRole('article', { name: 'Input requested: everything' }).waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await page.screenshot({ path: `${out}/waiting.png` });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 1920, height: 1080 });
  expect(await findInaccessible(page)).toEqual([]);
  await page.screenshot({ path: `${out}/waiting-dark-1920.png` });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await button(3).waitFor();

  await button(3).click();
  await list
    .getByRole('article', { name: /New device/ })
    .getByRole('button', { name: 'Approve' })
    .click();
  await button(2).waitFor();
  await expect.poll(() => list.evaluate((at) => at.contains(document.activeElement))).toBe(true);
  const form = list.getByRole('article', { name: /Input requested/ });
  await form.getByRole('button', { name: 'Decline' }).click();
  await button(1).waitFor();
  await list.getByRole('article', { name: 'Server approval: second' }).getByRole('button', { name: 'Review' }).click();
  await sheet.getByRole('button', { name: /^(Start once|Connect)$/ }).click();
  await button(1).waitFor({ state: 'detached' });
  await page.getByRole('contentinfo').getByText('Servers: 2 of 2 ready').waitFor();
  expect(problems).toEqual([]);
  device.socket.terminate();
  await page.context().close();
});
