/** Where things stand in the real window: what was cut, hidden or out of view. */
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
}, 60_000);
afterAll(() => app.stop());

test('the invitation of a device is one line beside other tools, and a corrected search stands in line with them', async () => {
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
  await page.keyboard.press(paneKey('discovery'));
  await page.getByRole('option', { name: /everything/ }).click();
  expect((await boxOf(invite)).height).toBeLessThan(before.height / 2);
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
