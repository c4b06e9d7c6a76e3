/** Signing in at a protected MCP server in the window: the page is opened by a click, and the browser returns to Toolwire. */
import { mkdirSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { serveProtected } from '../core/mcp/protectedServer.ts';
import { startApp, type App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { paneKey } from './paneKeys.ts';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

const pictures = process.env['TOOLWIRE_PICTURES'];

/** Writes pictures of the pane if the variable names a folder. */
async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of [
      [1280, 800],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: `${pictures}/${name}-${colorScheme}-${width}.png` });
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Imports a server and starts it once. */
async function addServer(page: Page, name: string, url: string, words: Words): Promise<Locator> {
  await page.keyboard.press(paneKey('servers'));
  await page.getByRole('button', { name: words.importing, exact: true }).first().click();
  const json = JSON.stringify({ mcpServers: { [name]: { type: 'http', url } } });
  await page.getByRole('dialog').getByRole('textbox').fill(json);
  await page.getByRole('dialog').getByRole('button', { name: words.run }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: words.once }).click();
  const detail = page.getByRole('region', { name, exact: true });
  await detail.getByText(words.needs, { exact: true }).first().waitFor();
  return detail;
}

interface Words {
  importing: string;
  run: RegExp;
  once: RegExp;
  needs: string;
}
const english = { importing: 'Import', run: /^Import 1/, once: /^Connect$/, needs: 'Needs sign-in' };
const chinese = { importing: '导入', run: /导入 1/, once: /^连接$/, needs: '需要登录' };

/** Clicks on the button of the card, as the user does. Returns the text of the page at which the browser ends. */
async function signIn(page: Page, detail: Locator, open: RegExp): Promise<string> {
  const [popup] = await Promise.all([
    page.context().waitForEvent('page'),
    detail.getByRole('button', { name: open }).click(),
  ]);
  await popup.waitForURL(/\/callback\?/);
  const text = await popup.locator('body').innerText();
  await popup.close();
  return text;
}

test('the user signs in, a token that is no longer good asks again, and the user signs out', async () => {
  const server = await serveProtected({ refreshes: false });
  const { page, problems } = await app.openWindow({ locale: 'en-US' });
  const detail = await addServer(page, 'protected', server.url, english);
  await detail.getByText('Register', { exact: false }).first().waitFor();
  await detail.getByText(`${server.origin}/authorize`, { exact: false }).first().waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await picture(page, 'waiting-en');
  expect(await signIn(page, detail, /^Open 127/)).toContain('You can close this page');
  await detail.getByText('Ready', { exact: true }).first().waitFor();
  await detail.getByRole('tab', { name: 'Sign-in' }).click();
  await detail.getByText('Signed in', { exact: true }).waitFor();
  const steps = detail.getByRole('list', { name: 'Steps of the sign-in' });
  await expect.poll(() => steps.getByRole('listitem').count()).toBe(7);
  expect(await steps.innerText()).not.toContain('of-the-test');
  expect(await findInaccessible(page)).toEqual([]);
  await picture(page, 'signed-in-en');

  server.tokens.clear();
  await detail.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Refresh lists' }).click();
  await detail.getByText('Needs sign-in', { exact: true }).first().waitFor();
  await signIn(page, detail, /^Open 127/);
  await detail.getByText('Ready', { exact: true }).first().waitFor();

  await detail.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await detail.getByText('Stopped', { exact: true }).first().waitFor();
  await detail.getByText('Not signed in', { exact: true }).waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a sign-in that fails says which step and what to change, and works once that is changed', async () => {
  const server = await serveProtected({ metadata: { registration_endpoint: undefined } });
  const { page, problems } = await app.openWindow({ locale: 'en-US' });
  const detail = await addServer(page, 'closed', server.url, english);
  await detail.getByRole('tab', { name: 'Sign-in' }).click();
  const failed = detail.getByRole('listitem').filter({ hasText: 'Registration of the client' });
  await failed.getByText('Register a client there, and enter its id in the sign-in of the server.').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await picture(page, 'failed-en');
  await detail.getByRole('button', { name: 'Edit sign-in' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Client credentials' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter the ID of the client.').waitFor();
  await dialog.getByRole('radio', { name: 'Custom' }).click();
  await dialog.getByRole('textbox', { name: 'Client ID' }).fill('mine');
  await dialog.getByRole('combobox', { name: 'Authentication' }).click();
  await page.getByRole('option', { name: /client_secret_post/ }).click();
  await dialog.getByRole('textbox', { name: 'Client secret' }).fill('secret-of-the-test');
  await dialog.getByRole('textbox', { name: 'Extra scopes' }).fill('files:read');
  expect(await findInaccessible(page)).toEqual([]);
  await picture(page, 'form-en');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await detail.getByText('client_id: mine').waitFor();
  await signIn(page, detail, /^Open 127/);
  await detail.getByText('Ready', { exact: true }).first().waitFor();
  const { body } = server.requests.find(({ path }) => path === '/token')!;
  expect([body?.get('client_secret'), server.tokens.values().next().value]).toEqual([
    'secret-of-the-test',
    'files:read',
  ]);
  expect(await page.locator('body').innerText()).not.toContain('secret-of-the-test');
  expect(problems).toEqual([]);
  await page.context().close();
});

test('the steps and their remedies are in the language of the window', async () => {
  const server = await serveProtected({
    refuseToken: () => Response.json({ error: 'invalid_client' }, { status: 401 }),
  });
  const { page, problems } = await app.openWindow({ locale: 'zh-CN' });
  const detail = await addServer(page, 'chinese', server.url, chinese);
  await detail.getByRole('tab', { name: '登录' }).click();
  await picture(page, 'waiting-zh');
  await signIn(page, detail, /127/);
  await detail.getByText('不接受此客户端').first().waitFor();
  await picture(page, 'failed-zh');
  await detail.getByRole('button', { name: '编辑登录设置' }).click();
  await page.getByRole('dialog').getByRole('radio', { name: '自定义' }).click();
  await picture(page, 'form-zh');
  expect(problems).toEqual([]);
  await page.context().close();
});
