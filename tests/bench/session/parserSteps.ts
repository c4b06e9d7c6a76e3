import type { Page } from 'playwright-core';

import type { SessionStep } from './sessionStep.ts';

const block = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」clock_get_date「末」\n<<<[END_TOOL_REQUEST]>>>\n';
const long = `${block}And the model says a little more between two calls, as models do.\n\n`.repeat(100);

/** As a person does: text that is only inserted the editor takes as typed, letter by letter. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('Control+v');
}

/** Texts typed, put in, run, replayed and compared. */
export const parserSteps: readonly SessionStep[] = [
  {
    name: 'typing in the Parser, run all',
    async run({ page }) {
      await page.keyboard.press('Control+3');
      await page.locator('.monaco-editor .view-line').first().waitFor();
      await page.locator('.monaco-editor').first().click();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.keyboard.type('What day is it today? I look.', { delay: 20 });
      await page.keyboard.press('Enter');
      await paste(page, block);
      const calls = page.getByRole('region', { name: 'Calls' });
      await calls.getByRole('listitem', { name: /clock_get_date/ }).waitFor();
      await page.getByRole('button', { name: /Run all/ }).click();
      await page.getByText('[TOOL_RESULT]', { exact: false }).last().waitFor();
    },
  },
  {
    name: 'a text of 100 calls put in, compared between hosts',
    async run({ page }) {
      await page.locator('.monaco-editor').first().click();
      await page.keyboard.press('Control+a');
      await paste(page, long);
      await page.getByRole('region', { name: 'Calls' }).getByText('100', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByRole('region', { name: 'Comparison of hosts' }).getByRole('columnheader').first().waitFor();
      await page.getByRole('button', { name: 'Compare' }).click();
    },
  },
  {
    name: 'a replay',
    async run({ page }) {
      await page.locator('.monaco-editor').first().click();
      await page.keyboard.press('Control+a');
      await paste(page, block.repeat(4));
      const calls = page.getByRole('region', { name: 'Calls' });
      await calls.getByRole('listitem').nth(3).waitFor();
      await calls.getByRole('listitem').nth(4).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Replay' }).click();
      const replay = page.getByRole('group', { name: 'Replay' });
      await replay.getByRole('button', { name: 'Pause' }).click();
      await replay.getByRole('slider').press('Home');
      await calls.getByText('No call yet').waitFor();
      await replay.getByRole('slider').press('End');
      await calls.getByRole('listitem').nth(3).waitFor();
      await replay.getByRole('button', { name: 'Stop the replay' }).click();
      await replay.waitFor({ state: 'detached' });
    },
  },
];
