/** Two panes beside each other: opened, resized, gone between, folded, closed, remembered; by keys alone as well. */
import { mkdirSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startApp } from './app.ts';
import type { App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { paneKey } from './paneKeys.ts';

const out = 'tests/.out';
let app: App;
beforeAll(async () => {
  mkdirSync(out, { recursive: true });
  app = await startApp();
});
afterAll(() => app.stop());

const half = (page: Page, pane: string) => page.locator(`[data-half="${pane}"]`);
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const hasFocus = (part: Locator): Promise<void> =>
  expect.poll(() => part.evaluate((element) => element.contains(document.activeElement))).toBe(true);
/** A window at a place of its own: a new one begins where the last one was. */
async function openAt(place: string): Promise<{ page: Page; problems: string[] }> {
  const window = await app.openWindow();
  await window.page.goto(`${window.page.url().replace(/#.*/, '')}#/${place}`);
  return window;
}
const widthOf = async (page: Page, pane: string): Promise<number> => (await half(page, pane).boundingBox())?.width ?? 0;

test('a call in one half is seen on its wire in the other, without going anywhere', async () => {
  const { page, problems } = await openAt('discovery');
  await page.keyboard.press('Control+Shift+D');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('device_status');
  // It may come after others have been listed, of which Enter would take the first.
  await page.getByRole('option', { name: /^Device esp32.*self\.get_device_status/ }).click();
  await heading(page, 'self.get_device_status').waitFor();
  await page
    .getByRole('navigation', { name: 'Panes' })
    .getByRole('button', { name: /^Devices/ })
    .click({ modifiers: ['Alt'] });
  await heading(page, 'Devices').waitFor();
  await half(page, 'executor')
    .getByRole('button', { name: /^Run Ctrl/ })
    .click();
  await page.getByRole('region', { name: 'Result' }).getByRole('status').getByText('OK').waitFor();
  await page
    .getByRole('listbox', { name: /^Frames of/ })
    .getByRole('option', { name: /get_device_status/ })
    .waitFor();
  await expect.poll(() => page.url()).toMatch(/#\/executor\/.*\?right=devices/);
  expect(await findInaccessible(page)).toEqual([]);
  await page.screenshot({ path: `${out}/halves.png` });
  expect(problems).toEqual([]);
  await page.context().close();
});

test('the focus says which half the keys of a pane go to', async () => {
  const { page, problems } = await openAt('discovery?right=chat');
  const search = (pane: string) => half(page, pane).getByRole('searchbox');
  await search('chat').waitFor();
  await page.keyboard.press(paneKey('chat'));
  await page.keyboard.press('/');
  await hasFocus(search('chat'));
  // What is the other half's comes to the front there, with the focus where it was in it.
  await page.keyboard.press('Control+1');
  await page.keyboard.press('/');
  await hasFocus(search('discovery'));
  await page.keyboard.press('Control+F6');
  await hasFocus(search('chat'));
  await expect.poll(() => page.url()).toMatch(/#\/chat\?left=discovery/);
  // Another pane takes the half that is in front.
  await page.keyboard.press('Control+3');
  await heading(page, 'Parser').waitFor();
  await heading(page, 'Discovery').waitFor();
  await hasFocus(half(page, 'parser'));
  expect(problems).toEqual([]);
  await page.context().close();
});

test('by keys alone: split, opened beside, made wider, folded, closed; remembered when the window comes again', async () => {
  const { page, problems } = await openAt('discovery');
  await expect.poll(() => page.locator('.half').count()).toBe(1);
  await page.keyboard.press('Control+\\');
  await expect.poll(() => page.locator('.half').count()).toBe(2);
  await page.keyboard.press('Control+1');
  const rail = page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: /^Devices/ });
  await rail.focus();
  await page.keyboard.press('Alt+Enter');
  await heading(page, 'Devices').waitFor();
  const shown = await page.locator('.half').evaluateAll((all) => all.map((one) => one.getAttribute('data-half')));
  expect(shown).toEqual(['discovery', 'devices']);

  const opened = page.waitForEvent('websocket');
  await page.reload();
  const wire = await opened;
  const kept = () => wire.waitForEvent('framesent', ({ payload }) => String(payload).includes('split.halves'));
  await heading(page, 'Devices').waitFor();
  const line = page.getByRole('separator', { name: 'Width of the left pane' });
  const before = await widthOf(page, 'discovery');
  await line.focus();
  const first = kept();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => widthOf(page, 'discovery')).toBe(before + 64);
  await first;
  const box = await line.boundingBox();
  await page.mouse.move(box?.x ?? 0, 300);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) - 90, 300, { steps: 4 });
  const second = kept();
  await page.mouse.up();
  await expect.poll(() => widthOf(page, 'discovery')).toBe(before - 26);
  await second;
  await page.reload();
  await expect.poll(() => widthOf(page, 'discovery')).toBe(before - 26);

  // Where two have no room, one is seen and the other is a tab.
  await page.setViewportSize({ width: 1000, height: 640 });
  await expect.poll(() => page.locator('.half').count()).toBe(1);
  await heading(page, 'Devices').waitFor();
  await page.screenshot({ path: `${out}/halves-folded.png` });
  await page.locator('.half-bar').getByRole('button', { name: 'Discovery' }).focus();
  await page.keyboard.press('Enter');
  await heading(page, 'Discovery').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await heading(page, 'Devices').waitFor();

  await page.keyboard.press('Control+4');
  await page.keyboard.press('Control+\\');
  await expect.poll(() => page.locator('.half').count()).toBe(1);
  await heading(page, 'Devices').waitFor();
  await expect.poll(() => page.locator('.half-bar').count()).toBe(0);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a pane keeps what it holds when it is beside another, and when the other goes', async () => {
  const { page, problems } = await openAt('discovery');
  await expect.poll(() => page.locator('.half').count()).toBe(1);
  await page.getByRole('searchbox').fill('clock');
  await page.keyboard.press('Control+\\');
  await page.keyboard.press(paneKey('chat'));
  await heading(page, 'Chat').waitFor();
  await expect.poll(() => half(page, 'discovery').getByRole('searchbox').inputValue()).toBe('clock');
  await page.getByRole('button', { name: 'Close Chat' }).click();
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('clock');
  expect(problems).toEqual([]);
  await page.context().close();
});
