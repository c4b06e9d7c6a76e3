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
  // The locator fails if there are two.
  await page.locator('.btn.primary').waitFor();
  await page.getByRole('button', { name: 'Add a virtual device' }).first().click();
  await page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: /esp32/ }).waitFor();
});
afterAll(() => app.stop());

const open = async (pane: (typeof panes)[number]): Promise<void> => {
  await page.keyboard.press(pane === 'settings' ? 'Control+,' : paneKey(pane));
  // The pane before stays until this one's code is there.
  await page.locator(`[data-half="${pane}"] .pane:visible h1`).waitFor({ state: 'attached' });
};

test('digits have one width, and hyphens their own', async () => {
  const widths = await page.evaluate(async () => {
    await document.fonts.ready;
    const widthOf = (text: string): number => {
      const span = document.body.appendChild(Object.assign(document.createElement('span'), { textContent: text }));
      const { width } = span.getBoundingClientRect();
      span.remove();
      return width / text.length;
    };
    return { one: widthOf('1111111111'), eight: widthOf('8888888888'), hyphen: widthOf('----------') };
  });
  expect(widths.one).toBeCloseTo(widths.eight, 1);
  expect(widths.hyphen).toBeLessThan(widths.eight * 0.85);
});

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
    await expect.poll(() => head.locator('.tag.ok svg, .tile svg').count()).toBe(2);
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

test('a list in which nothing is found offers the way back', async () => {
  await open('devices');
  const search = page.locator('.pane:visible > .head').getByRole('searchbox');
  await search.fill('zzzz');
  await page.getByText('No devices match “zzzz”.').waitFor();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect.poll(() => search.inputValue()).toBe('');
  await page.getByRole('button', { name: /^Disconnected/ }).click();
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  await page.getByRole('grid').getByText('esp32-s3-box').first().waitFor();
});

test('a dialog’s Cancel has a border, and its first field is 16 px below the description', async () => {
  await open('servers');
  await page.getByRole('button', { name: 'Add a server' }).first().click();
  const dialog = page.getByRole('dialog');
  const cancel = dialog.getByRole('button', { name: 'Cancel' });
  expect(await cancel.evaluate((element) => element.classList.contains('secondary'))).toBe(true);
  const content = dialog.locator('.description + .content');
  expect(await content.evaluate((element) => getComputedStyle(element).paddingTop)).toBe('16px');
  await page.keyboard.press('Escape');
});

test('only one button of a pane is the blue one', async () => {
  for (const pane of panes) {
    await open(pane);
    expect(
      await page.locator('.pane:visible .btn.primary:not([aria-disabled="true"], [disabled])').count(),
      pane,
    ).toBeLessThanOrEqual(1);
  }
});

test('rows of two lines have one height, and a service that listens has the icon and word of a state', async () => {
  await open('gateway');
  const row = page.locator('.pane:visible .list-row').first();
  expect((await row.boundingBox())?.height).toBe(44);
  await open('hosts');
  expect(await page.locator('.pane:visible .address-line .tag.ok svg').count()).toBe(1);
});
