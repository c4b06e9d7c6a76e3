import type { Page } from 'playwright-core';

import { startApp } from '../e2e/app.ts';
import { writeOddSchemas } from '../e2e/oddSchemas.ts';
import { watchTasks } from './watchTasks.ts';

const fields = 500;
/** ms that the middle key may take longer than in the plain page: three frames, which nobody feels. */
const bound = 50;

const schema = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: fields }, (_, at) => [`field${String(at)}`, { type: 'string', maxLength: 200 }]),
  ),
  required: Array.from({ length: fields }, (_, at) => `field${String(at)}`),
};
const values = Object.fromEntries(
  Array.from({ length: fields }, (_, at) => [`field${String(at)}`, `value ${String(at)}`]),
);

/** Types in a form of 500 fields that all have a value and are all drawn, and in a page that is one plain input: the floor. */
export async function run(): Promise<{ title: string; rows: Record<string, string | number>[]; pass: boolean }> {
  const app = await startApp();
  try {
    writeOddSchemas(app.dataDir, { many: schema });
    const { page } = await app.openWindow();
    await openForm(page);
    const form = await watchTyping(page, '[data-field="field250"] input');
    await page.goto('data:text/html,<input id="one">');
    const floor = await watchTyping(page, '#one');
    const rows = [
      { typing: 'one plain text field (the floor)', ...floor },
      { typing: `a form of ${String(fields)} fields`, ...form },
    ];
    return {
      title: `Typing in a form of ${String(fields)} fields (the middle key within ${String(bound)} ms of the floor)`,
      rows,
      pass: form['middle, ms'] - floor['middle, ms'] <= bound,
    };
  } finally {
    await app.stop();
  }
}

async function openForm(page: Page): Promise<void> {
  await page.keyboard.press('Control+2');
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Choose a tool/ })
    .click();
  await page.getByRole('dialog').getByRole('combobox').fill('shop_many');
  await page.getByRole('dialog').getByRole('option').filter({ hasText: 'many' }).first().click();
  await page.getByRole('radio', { name: 'JSON' }).click();
  await page.locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  // The editor closes the brace by itself.
  await page.keyboard.type('{');
  await page.keyboard.insertText(JSON.stringify(values).slice(1, -1));
  await page.getByRole('radio', { name: 'Form' }).click();
  for (let drawn = 100; drawn < fields; drawn += 100) {
    await page.getByRole('button', { name: /more fields$/ }).click();
  }
  await page.locator(`[data-field="field${String(fields - 1)}"] input`).waitFor();
}

/** From each key to the frame that shows it, in the page's own clock; and the longest task of the page's thread meanwhile. */
async function watchTyping(
  page: Page,
  selector: string,
): Promise<{ 'middle, ms': number; 'longest, ms': number; 'longest task, ms of processor': number }> {
  await page.locator(selector).click();
  await page.evaluate(() => {
    const record = window as unknown as { keys: number[] };
    record.keys = [];
    addEventListener(
      'keydown',
      () => {
        const start = performance.now();
        requestAnimationFrame(() => setTimeout(() => record.keys.push(performance.now() - start)));
      },
      true,
    );
  });
  const watch = await watchTasks(page);
  const tasks = await watch('typing', async () => {
    await page.keyboard.type('A sentence is typed at a steady pace.', { delay: 60 });
    await page.waitForTimeout(500);
  });
  if (!(await page.locator(selector).inputValue()).includes('steady pace.')) throw new Error('Nothing was typed.');
  const keys = await page.evaluate(() => (window as unknown as { keys: number[] }).keys);
  const sorted = keys.toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) * 10) / 10;
  const task = 'longest task, ms of processor';
  return { 'middle, ms': at(0.5), 'longest, ms': at(1), [task]: tasks[task] };
}
