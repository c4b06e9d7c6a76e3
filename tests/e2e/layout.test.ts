/** Where things stand in the real window: what was cut, hidden or out of view. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';

import { startApp, type App } from './app.ts';
import { findCutControls } from './cutControls.ts';
import { paneKey } from './paneKeys.ts';

let app: App;
let page: Page;
let problems: string[];

const everything = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const boxOf = async (part: Locator) => {
  const box = await part.boundingBox();
  if (box === null) throw new Error('It is not shown');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
};

beforeAll(async () => {
  app = await startApp();
  ({ page, problems } = await app.openWindow());
});
afterAll(() => app.stop());

test('the device invitation is one line once there are other tools, and the corrected search aligns with the cards', async () => {
  const invite = page.getByRole('main').getByRole('region', { name: 'Devices' });
  const before = await boxOf(invite);
  await page.keyboard.press(paneKey('servers'));
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page
    .getByRole('textbox', { name: 'Configuration' })
    .fill(JSON.stringify({ mcpServers: { everything: { command: process.execPath, args: [everything, 'stdio'] } } }));
  await page.getByRole('button', { name: 'Import 1 server' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Start once' }).click();
  const server = page.getByRole('region', { name: 'everything', exact: true });
  await server.getByText('Ready', { exact: true }).first().waitFor();
  const steps = server.getByRole('list', { name: 'Steps of the start' });
  expect(await steps.isVisible()).toBe(true);
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 853, height: 533 });
  await steps.waitFor({ state: 'hidden' });
  await page.setViewportSize(size);
  await page.keyboard.press(paneKey('discovery'));
  await page.getByRole('option', { name: /everything/ }).click();
  await expect.poll(async () => (await boxOf(invite)).height).toBeLessThan(before.height / 2);
  expect(await findCutControls(page)).toEqual([]);
  await page.getByRole('searchbox').first().fill('ecko');
  const startOf = (part: Locator) =>
    part.evaluate(
      (element) => element.getBoundingClientRect().left + parseFloat(getComputedStyle(element).paddingLeft),
    );
  const corrected = await startOf(page.getByText('No exact match.'));
  expect(corrected).toBe(await startOf(page.locator('.tool-grid .group').first()));
  await page.getByRole('searchbox').first().fill('');
  await page.getByRole('button', { name: 'Offer it in Servers' }).click();
  await server.getByRole('checkbox', { name: 'Chat' }).click();
  await page.keyboard.press(paneKey('discovery'));
  await page.getByText('15 callable by models').waitFor();
  expect(problems).toEqual([]);
});

/** Whether the whole of a part is inside the box that scrolls it, across or down. */
const isInView = (part: Locator): Promise<boolean> =>
  part.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    for (let box = element.parentElement; box !== null; box = box.parentElement) {
      if (getComputedStyle(box).overflow === 'visible') continue;
      const bounds = box.getBoundingClientRect();
      const isAcross = left >= bounds.left - 1 && right <= bounds.right + 1;
      return isAcross && top >= bounds.top - 1 && bottom <= bounds.bottom + 1;
    }
    return true;
  });

test('tabs of the Executor show the whole method and source, and the one in front stays in view', async () => {
  const server = page.getByRole('region', { name: 'everything', exact: true });
  for (const name of ['echo', 'get-env', 'get-sum', 'get-annotated-message', 'trigger-long-running-operation']) {
    await page.keyboard.press(paneKey('servers'));
    await server.getByRole('option', { name: new RegExp(`^${name}`) }).click();
    await server.getByRole('button', { name: /Open in Executor/ }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByRole('button', { name: 'Open a tool in a new tab' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  const tabs = page.getByRole('tablist', { name: 'Tabs' });
  await expect.poll(() => tabs.getByRole('tab').count()).toBe(5);
  const cut = await tabs
    .locator('.cut-start')
    .evaluateAll((all) =>
      all.filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.textContent),
    );
  expect(cut).toEqual([]);
  const front = tabs.locator('[aria-selected="true"]');
  await expect.poll(() => isInView(front)).toBe(true);
  await page.setViewportSize({ width: 960, height: 700 });
  await expect.poll(() => isInView(front)).toBe(true);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('of a form that a server asks for, nothing shows below the buttons, and a field in focus stands above them', async () => {
  const server = page.getByRole('region', { name: 'everything', exact: true });
  await page.keyboard.press(paneKey('servers'));
  await server.getByRole('option', { name: /^trigger-elicitation-request/ }).click();
  await server.getByRole('button', { name: /Open in Executor/ }).click();
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  const form = page.getByRole('region', { name: 'Result' }).getByRole('article');
  await form.getByRole('button', { name: /^Send/ }).waitFor();
  const foot = form.locator('footer');
  await expect
    .poll(async () => (await boxOf(page.locator('.questions'))).bottom - (await boxOf(foot)).bottom)
    .toBeLessThan(4);
  for (const field of await form.locator('.body :is(input, textarea)').all()) {
    await field.focus();
    await expect.poll(async () => (await boxOf(field)).bottom - (await boxOf(foot)).y).toBeLessThanOrEqual(0);
  }
  await form.getByRole('button', { name: 'Decline' }).click();
});

test('an added device is in view, its wire keeps its room, and goes to its top when it is sorted', async () => {
  await page.keyboard.press(paneKey('devices'));
  await page.getByRole('main').getByRole('button', { name: 'Add a virtual device' }).last().click();
  const grid = page.getByRole('grid', { name: 'Devices' });
  await grid.and(page.locator('[aria-rowcount="2"]')).waitFor();
  for (let rows = 3; rows <= 12; rows++) {
    await page.getByRole('button', { name: 'Add a virtual device' }).click();
    await page.getByRole('menuitem').first().click();
    await grid.and(page.locator(`[aria-rowcount="${rows}"]`)).waitFor();
  }
  await expect.poll(() => isInView(grid.locator('[aria-selected="true"]'))).toBe(true);
  await page.setViewportSize({ width: 1280, height: 600 });
  const frames = page.getByRole('listbox', { name: /^Frames of/ });
  await frames.getByRole('option').nth(5).waitFor();
  await expect.poll(() => frames.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  await page.locator('.log-column').getByRole('button', { name: 'Size' }).click();
  await expect.poll(() => frames.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  await page.screenshot({ path: 'tests/.out/layout-devices.png' });
  await expect.poll(async () => (await boxOf(page.locator('.log-rows').first())).height).toBeGreaterThan(80);
  expect(problems).toEqual([]);
});

test('the chosen tool of Discovery stays in view between cards and rows', async () => {
  await page.keyboard.press(paneKey('discovery'));
  const list = page.getByRole('listbox', { name: 'Tools' });
  const chosen = list.locator('[aria-selected="true"]');
  await list.focus();
  await page.keyboard.press('End');
  await expect.poll(() => isInView(chosen)).toBe(true);
  const name = await chosen.textContent();
  for (const layout of ['rows', 'cards']) {
    await page.getByRole('button', { name: `Show as ${layout}` }).click();
    await expect.poll(() => isInView(chosen)).toBe(true);
    expect(await chosen.textContent()).toContain(name!.slice(0, 5));
  }
});

test('the buttons above a result stand in one line in the narrowest window', async () => {
  await page.setViewportSize({ width: 853, height: 533 });
  mkdirSync(join(app.dataDir, 'modules'), { recursive: true });
  const read =
    "read: { description: 'Reads the lamp.', inputSchema: { type: 'object', properties: { a: {} } }, handler: () => ({ id: 7 }) }";
  writeFileSync(join(app.dataDir, 'modules', 'lamp.js'), `export default { methods: { ${read} } };`);
  await page.evaluate(() => (location.hash = '#/executor/lamp_read'));
  await page.getByText('Reads the lamp.').waitFor();
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  const result = page.getByRole('region', { name: 'Result' });
  const bar = result.locator('.bar').first();
  await bar.getByRole('button', { name: 'Copy path' }).waitFor();
  const tops = await bar.locator('.btn').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  expect(await findCutControls(page)).toEqual([]);
});

test('all shortcuts are in view at 1280×800, in columns of equal height', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const content = dialog.locator('.content');
  await content.waitFor();
  expect(await content.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
  const rows = await dialog.locator('dl > div').evaluateAll((all) => all.map((row) => row.getBoundingClientRect()));
  const ends = [...new Set(rows.map(({ x }) => x))].map((x) =>
    Math.max(...rows.filter((row) => row.x === x).map(({ bottom }) => bottom)),
  );
  expect(ends).toHaveLength(3);
  expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(120);
});
