import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';

import { startScriptedChatServer } from '../fakes/scriptedChatServer.ts';
import type { ScriptedChatServer } from '../fakes/scriptedChatServer.ts';
import { startApp } from './app.ts';
import type { App } from './app.ts';

const key = 'sk-live-0123456789abcdef';
let app: App;
let server: ScriptedChatServer;
let page: Page;
let problems: string[];
let models: Locator;

beforeAll(async () => {
  server = await startScriptedChatServer({ apiKey: key, models: ['big', 'small'], turns: () => ({ text: 'ready' }) });
  app = await startApp();
});
afterAll(async () => {
  await app.stop();
  await server.close();
});

beforeEach(async () => {
  ({ page, problems } = await app.openWindow());
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Settings' }).click();
  models = page.getByRole('region', { name: 'Models' });
});
afterEach(async () => {
  expect(problems).toEqual([]);
  await page.context().close();
});

describe('the models in Settings', () => {
  test('a model is added from a preset, given its key and tested, step by step', async () => {
    await models.getByRole('button', { name: 'Add a model' }).click();
    await page.getByRole('menuitem', { name: /DeepSeek/ }).click();
    await models.getByRole('textbox', { name: 'Base URL' }).fill(server.baseUrl);
    await models.getByRole('button', { name: 'Test', exact: true }).click();
    const steps = models.getByRole('list', { name: 'Test results' });
    await steps.getByRole('listitem').filter({ hasText: 'Access is allowed' }).getByText('401').waitFor();

    await models.getByLabel('Key', { exact: true }).fill(key);
    await models.getByRole('button', { name: 'Save key' }).click();
    await models.getByText('Key is set.').waitFor();
    await models.getByRole('button', { name: 'Test', exact: true }).click();
    await steps.getByText('The server does not list “deepseek-flash”.').waitFor({ state: 'detached' });
    await steps.getByRole('listitem').filter({ hasText: 'The model replies' }).getByText('ready').waitFor();
    expect(await page.content()).not.toContain(key);
    expect(server.requests.at(-1)!.headers.authorization).toBe(`Bearer ${key}`);

    await models.getByRole('button', { name: 'Load models' }).click();
    await models.getByText('The server lists 2 models.').waitFor();
  });

  test('what is wrong in a script is marked in the text, by the engine and as it is typed', async () => {
    await models.getByRole('button', { name: /^Scripted model/ }).click();
    await page.locator('.monaco-editor .view-line').first().waitFor();
    await page.locator('.monaco-editor').first().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('{ "turns": [{ "text": "a" }, { "when": { "matches": "(" } }] }');
    await models.getByRole('button', { name: /turns\[1\]\.when\.matches/ }).waitFor();
    await page.locator('.squiggly-error').first().waitFor();
    await models.getByRole('button', { name: 'Reset the script' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset the script' }).click();
    await models.getByText('The script is valid.').waitFor();
  });
});
