/** A call that a real server works on as a task: in the tab Tasks, answered, ended, cancelled. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';

import { startApp, type App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { paneKey } from './paneKeys.ts';

const out = 'tests/.out';
const everything = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
let app: App;
beforeAll(async () => {
  mkdirSync(out, { recursive: true });
  app = await startApp();
});
afterAll(() => app.stop());

/** Runs the tool, and opens the tab with its task. */
async function research(page: Page, topic: string): Promise<void> {
  await page.keyboard.press(paneKey('servers'));
  await page.getByRole('tab', { name: 'Tools' }).click();
  await page.getByRole('option', { name: /simulate-research-query/ }).click();
  await page.getByRole('button', { name: /Open in Executor/ }).click();
  await page.getByRole('textbox', { name: 'topic' }).fill(topic);
  await page.getByRole('radiogroup', { name: 'ambiguous' }).getByRole('radio', { name: 'true' }).click();
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  await page
    .getByRole('group', { name: 'Task and questions of the call' })
    .getByText(/Task: /)
    .waitFor();
  await page.keyboard.press(paneKey('servers'));
  await page.getByRole('tab', { name: /^Tasks/ }).click();
}

test('a task is listed, asks its question, ends, and can be cancelled', async () => {
  const { page, problems } = await app.openWindow({ locale: 'en-US' });
  await page.keyboard.press(paneKey('servers'));
  await page.getByRole('button', { name: 'Paste a configuration' }).click();
  await page
    .getByRole('textbox', { name: 'Configuration' })
    .fill(JSON.stringify({ mcpServers: { everything: { command: process.execPath, args: [everything] } } }));
  await page.getByRole('button', { name: 'Import 1 server' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^(Start once|Connect)$/ })
    .click();
  const detail = page.getByRole('region', { name: 'everything' });
  await detail.getByText('Ready', { exact: true }).first().waitFor();
  await detail.getByRole('tab', { name: /^Tasks/ }).click();
  await detail.getByText('No call of this server runs as a task.').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await page.screenshot({ path: `${out}/tasks-empty.png` });

  await research(page, 'snakes');
  const task = detail.getByRole('listitem').filter({ hasText: 'simulate-research-query' });
  await task.getByText('waits for an answer').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await page.screenshot({ path: `${out}/tasks-asks.png` });
  await page.getByRole('contentinfo').getByText('waits for an answer').waitFor();
  await page.keyboard.press(paneKey('executor'));
  const form = page.getByRole('region', { name: 'Result' }).getByRole('article', { name: /^Input requested/ });
  await form.waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await page.screenshot({ path: `${out}/executor-asks.png` });
  await form.getByRole('combobox').first().click();
  await page.getByRole('option').first().click();
  await form.getByRole('button', { name: 'Send' }).click();
  await form.waitFor({ state: 'detached' });
  const steps = page.getByRole('group', { name: 'Task and questions of the call' });
  await steps.getByText('Task: completed').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await page.screenshot({ path: `${out}/tasks-done.png` });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.screenshot({ path: `${out}/tasks-done-dark-1920.png` });

  await research(page, 'boas');
  await task.getByRole('button', { name: 'Cancel' }).click();
  await detail.getByText('No call of this server runs as a task.').waitFor();
  await page.keyboard.press(paneKey('executor'));
  await steps.getByText('Task: cancelled').waitFor();
  await page.screenshot({ path: `${out}/tasks-cancelled.png` });
  expect(problems).toEqual([]);
  await page.context().close();
});
