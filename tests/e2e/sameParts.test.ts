/** Parts that panes have in common look the same in each of them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';

import { startApp, type App } from './app.ts';
import { findCutControls } from './cutControls.ts';
import { paneKey, panes } from './paneKeys.ts';

let app: App;
let page: Page;
let problems: string[];

beforeAll(async () => {
  app = await startApp();
  ({ page, problems } = await app.openWindow());
  await page.getByRole('button', { name: 'Add a virtual device' }).first().click();
  await page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: /esp32/ }).waitFor();
}, 60_000);
afterAll(() => app.stop());

const open = async (pane: (typeof panes)[number]): Promise<void> => {
  await page.keyboard.press(pane === 'settings' ? 'Control+,' : paneKey(pane));
  await page.locator('.pane:visible h1').waitFor({ state: 'attached' });
};

test('every pane’s head has one height, and its search one place and width', async () => {
  const heights = new Set<number>();
  const searches = new Set<string>();
  for (const pane of panes.filter((each) => each !== 'executor')) {
    await open(pane);
    const head = await page.locator('.pane:visible > .head').evaluate((element) => {
      const box = (part: Element | null) => part?.getBoundingClientRect();
      const search = box(element.querySelector('.search'));
      const gap = (search?.left ?? 0) - (box(element.querySelector('h1'))?.right ?? 0);
      return { height: element.clientHeight, search: search && `${gap} before, ${search.width} wide` };
    });
    heights.add(head.height);
    if (head.search !== undefined) searches.add(head.search);
  }
  expect([...heights]).toEqual([43]);
  expect([...searches]).toEqual(['16 before, 240 wide']);
});

test('filters keep their words: at 853 px they have a line of their own', async () => {
  await page.setViewportSize({ width: 853, height: 533 });
  for (const pane of ['discovery', 'devices'] as const) {
    await open(pane);
    const head = page.locator('.pane:visible > .head');
    const lineOf = (part: string): Promise<number> =>
      head
        .locator(part)
        .first()
        .evaluate((element) => element.getBoundingClientRect().top);
    expect(await lineOf('.chips')).toBeGreaterThan(await lineOf('.search'));
    for (const chip of await head.locator('.chip').allInnerTexts()) expect(chip).toMatch(/\p{L}/u);
    expect(await findCutControls(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(problems).toEqual([]);
});

test('the head of what is chosen has one height, a tile, and its state as an icon with a word', async () => {
  const heights = new Set<number>();
  for (const pane of ['discovery', 'devices'] as const) {
    await open(pane);
    const head = page.locator('.pane:visible .detail-head');
    heights.add(await head.evaluate((element) => element.clientHeight));
    expect(await head.locator('.tag.ok').innerText()).toBe('Live');
    expect(await head.locator('.tag.ok svg, .tile svg').count()).toBe(2);
  }
  expect([...heights]).toEqual([57]);
  // What has a button is not in the menu, too.
  await page
    .getByRole('button', { name: /^Actions for|^More/ })
    .last()
    .click();
  await page.getByRole('menu').waitFor();
  expect(await page.getByRole('menuitem', { name: 'Rename' }).count()).toBe(0);
  await page.keyboard.press('Escape');
});
