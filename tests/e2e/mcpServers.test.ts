/** An MCP server in the window: pasted, reviewed, started, called, stopped. The server is a real one, over stdio. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startApp, type App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { paneKey } from './paneKeys.ts';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const everything = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const args = [everything, 'stdio', `--mark-${process.pid}`];
const json = JSON.stringify({ mcpServers: { everything: { command: process.execPath, args } } });
const isRunning = (): boolean =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(` ${args.join(' ')}`);

test('pasted JSON is reviewed whole before anything runs; then its tools are called, and its process ends', async () => {
  const { page, problems } = await app.openWindow({ locale: 'en-US' });
  await page.keyboard.press(paneKey('servers'));
  await page.getByRole('button', { name: 'Paste a configuration' }).click();
  await page.getByRole('textbox', { name: 'Configuration' }).fill(json);
  await page.getByRole('dialog').getByText(args.join(' ')).waitFor();
  await page.getByRole('button', { name: 'Import 1 server' }).click();
  const sheet = page.getByRole('alertdialog', { name: 'Start “everything” for the first time?' });
  await sheet.waitFor();
  for (const part of [process.execPath, ...args]) expect(await sheet.locator('.command').innerText()).toContain(part);
  await expect
    .poll(() => sheet.getByRole('button', { name: /Don’t start/ }).evaluate((at) => at === document.activeElement))
    .toBe(true);
  expect(await findInaccessible(page)).toEqual([]);
  expect(isRunning()).toBe(false);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await sheet.getByRole('button', { name: 'Start once' }).click();
  const detail = page.getByRole('region', { name: 'everything' });
  await detail.getByText('Ready', { exact: true }).first().waitFor();
  expect(isRunning()).toBe(true);
  expect(await findInaccessible(page)).toEqual([]);
  await page.getByRole('contentinfo').getByText('1 of 1 servers ready').waitFor();
  await detail.getByRole('option', { name: /echo/ }).click();
  await detail.getByRole('button', { name: /Open in Executor/ }).click();
  await page.getByRole('textbox', { name: 'message' }).fill('from the window');
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  await page.getByRole('region', { name: 'Result' }).getByText('Echo: from the window').first().waitFor();
  await page.keyboard.press(paneKey('servers'));
  await detail.getByRole('button', { name: 'Stop' }).click();
  await detail.getByText('Stopped', { exact: true }).first().waitFor();
  await expect.poll(isRunning).toBe(false);
  expect(problems).toEqual([]);
  await page.context().close();
});
