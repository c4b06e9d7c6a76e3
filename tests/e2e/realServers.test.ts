/** Servers that other people wrote, in the window: their tools are called through our form. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';

import { startApp, type App } from './app.ts';
import { paneKey } from './paneKeys.ts';
import { runCall } from './runCall.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolwire-real-servers-'));
let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true });
});

/** Imports a server of node_modules and starts it, as the user does. Returns its detail. */
async function start(
  page: Page,
  { name, program, args = [], env = {} }: { name: string; program: string; args?: string[]; env?: object },
): Promise<Locator> {
  const command = { command: process.execPath, args: [join(process.cwd(), 'node_modules', program), ...args], env };
  await page.keyboard.press(paneKey('servers'));
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('textbox', { name: 'Configuration' }).fill(JSON.stringify({ mcpServers: { [name]: command } }));
  await page.getByRole('button', { name: 'Import 1 server' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^(Start once|Connect)$/ })
    .click();
  const detail = page.getByRole('region', { name, exact: true });
  await detail.getByText('Ready', { exact: true }).first().waitFor();
  return detail;
}

/** Opens a tool of the server whose detail is shown. Returns the form. */
async function openTool(page: Page, detail: Locator, tool: RegExp): Promise<Locator> {
  await page.keyboard.press(paneKey('servers'));
  await detail.getByRole('option', { name: tool }).click();
  await detail.getByRole('button', { name: /Open in Executor/ }).click();
  return page.getByRole('region', { name: 'Arguments' });
}

async function run(page: Page): Promise<string> {
  const result = await runCall(page);
  await result.getByRole('status').getByText('OK').waitFor();
  await result.getByRole('tab', { name: 'Raw' }).click();
  return (await result.getByRole('tabpanel').innerText()).replaceAll(/\s*\n\s*/g, '');
}

test('server-memory stores a graph that is typed into the form, and returns it', async () => {
  const { page, problems } = await app.openWindow({ locale: 'en-US' });
  const file = join(folder, 'memory.jsonl');
  const detail = await start(page, {
    name: 'memory',
    program: '@modelcontextprotocol/server-memory/dist/index.js',
    env: { MEMORY_FILE_PATH: file },
  });
  let form = await openTool(page, detail, /create_entities/);
  for (const [at, name, seen] of [
    [1, 'Ada', '写了第一个程序'],
    [2, 'Engine', 'Has 25,000 parts'],
  ] as const) {
    await form.getByRole('button', { name: 'Add an item: entities', exact: true }).click();
    const entity = form.getByRole('group', { name: `entities ${at}`, exact: true });
    await entity.getByRole('textbox', { name: 'name', exact: true }).fill(name);
    await entity.getByRole('textbox', { name: 'entityType', exact: true }).fill('thing');
    await entity.getByRole('button', { name: 'Add an item: observations', exact: true }).click();
    await entity.getByRole('textbox', { name: 'observations 1', exact: true }).fill(seen);
  }
  expect(await run(page)).toContain('写了第一个程序');

  form = await openTool(page, detail, /create_relations/);
  await form.getByRole('button', { name: 'Add an item: relations', exact: true }).click();
  const relation = form.getByRole('group', { name: 'relations 1', exact: true });
  for (const [name, value] of [
    ['from', 'Ada'],
    ['to', 'Engine'],
    ['relationType', 'programs'],
  ] as const)
    await relation.getByRole('textbox', { name, exact: true }).fill(value);
  await run(page);

  await openTool(page, detail, /read_graph/);
  const graph = await run(page);
  for (const part of ['Ada', '写了第一个程序', 'Has 25,000 parts', 'programs']) expect(graph).toContain(part);
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(3);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('server-sequential-thinking gets the optional arguments that are sent, and no others', async () => {
  const { page, problems } = await app.openWindow({ locale: 'en-US' });
  const detail = await start(page, {
    name: 'thinking',
    program: '@modelcontextprotocol/server-sequential-thinking/dist/index.js',
  });
  const form = await openTool(page, detail, /sequentialthinking/);
  await form.getByRole('textbox', { name: 'thought', exact: true }).fill('Another way');
  await form.getByRole('spinbutton', { name: 'thoughtNumber', exact: true }).fill('2');
  await form.getByRole('spinbutton', { name: 'totalThoughts', exact: true }).fill('3');
  await form.getByRole('button', { name: '5 optional arguments not set' }).click();
  for (const [name, value] of [
    ['branchFromThought', '1'],
    ['branchId', 'b'],
  ] as const) {
    await form.getByRole('button', { name: `Set value: ${name}`, exact: true }).click();
    await form.getByRole(name === 'branchId' ? 'textbox' : 'spinbutton', { name, exact: true }).fill(value);
  }
  const next = form.getByRole('group', { name: 'nextThoughtNeeded', exact: true });
  await next.getByRole('radio', { name: 'boolean' }).click();
  await next.getByRole('radio', { name: 'true' }).click();
  const answer = await run(page);
  expect(answer).toMatch(/nextThoughtNeeded\\?"?:\s*true/);
  expect(answer).toMatch(/"?branches\\?"?:\s*\[\s*\\?"b\\?"/);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('@playwright/mcp lists its tools without a browser', async () => {
  const { page, problems } = await app.openWindow({ locale: 'en-US' });
  const browsers = join(folder, 'browsers');
  const detail = await start(page, {
    name: 'browser',
    program: '@playwright/mcp/cli.js',
    args: ['--headless'],
    env: { PLAYWRIGHT_BROWSERS_PATH: browsers },
  });
  await detail
    .getByRole('option', { name: /browser_take_screenshot|browser_click/ })
    .first()
    .waitFor();
  expect(existsSync(browsers)).toBe(false);
  expect(problems).toEqual([]);
  await page.context().close();
});
