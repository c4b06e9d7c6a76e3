/** A reload of the window leaves what it runs running: it is shown again, and ends with its result. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Page } from 'playwright-core';

import { startApp, type App } from './app.ts';
import { findInaccessible } from './axe.ts';

/** Each call waits until the file with its word is there. */
const gate = (folder: string): string => `import { access } from 'node:fs/promises';
const gone = (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
async function opened(word) {
  for (;;) {
    if (await access(${JSON.stringify(folder)} + '/' + word).then(() => true, () => false)) return 'opened ' + word;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
export default { methods: {
  wait: {
    description: 'Waits for a word.', agentCallable: true,
    inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    handler: ({ word }, { signal }) => Promise.race([opened(word), gone(signal)]),
  },
  force: {
    description: 'Breaks the gate.', agentCallable: true, danger: 'Breaks the gate.',
    inputSchema: { type: 'object' }, handler: () => 'broken open',
  },
} };`;

let app: App;
let page: Page;
let problems: string[];
let folder: string;
beforeAll(async () => {
  app = await startApp();
  folder = join(app.dataDir, 'words');
  mkdirSync(folder);
  const modules = join(app.dataDir, 'modules');
  mkdirSync(modules, { recursive: true });
  writeFileSync(join(modules, 'gate.js'), gate(folder));
  ({ page, problems } = await app.openWindow());
});
afterAll(() => app.stop());
beforeEach(() => {
  expect(problems).toEqual([]);
});

const open = (word: string): void => writeFileSync(join(folder, word), '');
const status = () => page.getByRole('contentinfo');

test('a call of the Executor runs on over a reload, and is cancelled after another one', async () => {
  await page.evaluate(() => (location.hash = '#/executor/gate_wait'));
  await page.getByRole('heading', { level: 1, name: 'wait' }).waitFor();
  const result = page.getByRole('region', { name: 'Result' });
  const run = page.getByRole('button', { name: /^Run Ctrl/ });
  await page.getByRole('textbox', { name: 'word' }).fill('first');
  await run.click();
  await status().getByText('1 running').waitFor();
  // It goes on behind another tab, and both tabs are there after the reload.
  await page.getByRole('button', { name: 'Open a tool in a new tab' }).click();
  await page.keyboard.type('gate_force');
  await page.getByRole('option', { name: /force/ }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'force' }).waitFor();
  await page.getByRole('tab', { name: 'wait gate Running' }).waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await page.reload();
  await page.getByRole('tab', { name: 'force gate', selected: true }).waitFor();
  await page.getByRole('tab', { name: 'wait gate Running' }).click();
  await result.getByRole('status').getByText('Running').waitFor();
  await status().getByText('1 running').waitFor();
  await page.keyboard.press('Alt+PageDown');
  await page.keyboard.press('Alt+w');
  await page.getByRole('tab', { name: 'force gate' }).waitFor({ state: 'detached' });
  open('first');
  await result.getByText('opened first').waitFor();

  await page.getByRole('textbox', { name: 'word' }).fill('never');
  await run.click();
  await status().getByText('1 running').waitFor();
  await page.reload();
  await result.getByRole('status').getByText('Running').waitFor();
  await page.getByRole('group', { name: 'Run' }).getByRole('button', { name: 'Cancel' }).click();
  await result.getByText('cancelled', { exact: false }).first().waitFor();
  await status().getByText('1 running').waitFor({ state: 'detached' });
});

test('a run of the Parser goes on over a reload', async () => {
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Parser' }).click();
  await page.locator('.monaco-editor').first().click();
  const block = (word: string): string =>
    `<<<[TOOL_REQUEST]>>>\ntool_name:「始」gate_wait「末」,\nword:「始」${word}「末」\n<<<[END_TOOL_REQUEST]>>>`;
  await page.keyboard.insertText(`${block('one')}\n${block('two')}`);
  const calls = page.getByRole('region', { name: 'Calls' });
  await expect.poll(() => calls.getByRole('listitem', { name: /gate_wait/ }).count()).toBe(2);
  await page.getByRole('button', { name: /^Run all/ }).click();
  await status().getByText('1 running').waitFor();
  await page.reload();
  await status().getByText('1 running').waitFor();
  open('one');
  await calls.getByText('opened one').waitFor();
  await page.reload();
  await calls.getByText('opened one').waitFor();
  await calls.getByText('Running').first().waitFor();
  open('two');
  await calls.getByText('opened two').waitFor();
});

test('a call of the Parser that asks first asks in the reloaded window, whatever pane it shows', async () => {
  await page.locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('<<<[TOOL_REQUEST]>>>\ntool_name:「始」gate_force「末」\n<<<[END_TOOL_REQUEST]>>>');
  const calls = page.getByRole('region', { name: 'Calls' });
  await calls.getByRole('listitem', { name: /gate_force/ }).waitFor();
  await page.getByRole('button', { name: /^Run all/ }).click();
  await calls.getByRole('button', { name: 'Approve' }).first().waitFor();
  await page.keyboard.press('Control+4');
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor();
  await page.reload();
  const question = page.getByRole('article', { name: 'Parser: 1 call waits for you' });
  // F6 once: again, it goes on to the next region, which closes the list.
  await page.getByRole('button', { name: '1 waiting for you' }).waitFor();
  await page.keyboard.press('F6');
  await question.getByText('gate_force').waitFor();
  mkdirSync('tests/.out', { recursive: true });
  await page.screenshot({ path: 'tests/.out/question-of-window.png' });
  expect(await findInaccessible(page)).toEqual([]);
  await question.getByRole('button', { name: 'Approve', exact: true }).click();
  await question.waitFor({ state: 'detached' });
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Parser' }).click();
  await calls.getByText('broken open').waitFor();
});
