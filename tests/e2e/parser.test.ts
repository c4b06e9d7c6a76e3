import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';

import { startApp } from './app.ts';
import type { App } from './app.ts';
import { untilKnown } from './untilKnown.ts';

let app: App;
let page: Page;
let problems: string[];
let calls: Locator;
let problemList: Locator;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

beforeEach(async () => {
  ({ page, problems } = await app.openWindow({ permissions: ['clipboard-read', 'clipboard-write'] }));
  calls = page.getByRole('region', { name: 'Calls' });
  problemList = page.getByRole('region', { name: 'Problems' });
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Parser' }).click();
});
afterEach(async () => {
  expect(problems).toEqual([]);
  await page.context().close();
});

/** As the clock tool writes it. */
function localDate(): string {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
}

/** Opens one of the pane's own examples. */
async function example(name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.locator('.monaco-editor .view-line').first().waitFor();
}

describe('the Parser', () => {
  test('the editor has its own texts in the language that is chosen later', async () => {
    await example('Two calls');
    const say = async (query: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(query);
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
    };
    const fixes = async (): Promise<void> => {
      await page.locator('.monaco-editor .view-line').first().click();
      await page.keyboard.press('Control+.');
    };
    await fixes();
    await page.getByText('No code actions available').first().waitFor();
    await say('>中文');
    await page.getByRole('navigation', { name: '面板' }).waitFor();
    await fixes();
    await page.getByText('没有可用的代码操作').first().waitFor();
    await say('>English');
    await page.getByRole('navigation', { name: 'Panes' }).waitFor();
    await fixes();
    await page.getByText('No code actions available').first().waitFor();
  });

  test('a problem leads to its place, and its fix makes the call', async () => {
    await example('Four common mistakes');
    await expect.poll(() => problemList.getByRole('listitem').count()).toBe(4);
    await page.locator('.squiggly-error').first().waitFor();
    await expect.poll(() => calls.getByRole('listitem', { name: /^Not run: / }).count()).toBe(4);
    await expect.poll(() => calls.getByRole('listitem').count()).toBe(4);
    // In a text that cannot be changed, too.
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('slider').press('End');
    await page.locator('.squiggly-error').first().waitFor();
    await page.getByRole('button', { name: 'Stop the replay' }).click();
    await page.getByRole('button', { name: 'Next problem' }).click();
    await page.keyboard.press('Control+.');
    const label = page.locator('.action-widget .title').filter({ hasText: 'Replace “：”' });
    await label.waitFor();
    expect(await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    await page.keyboard.press('Escape');
    await problemList.getByRole('button', { name: 'Replace “：”' }).click();
    await expect.poll(() => problemList.getByRole('listitem').count()).toBe(3);
    await calls.getByRole('listitem', { name: '1. clock_get_time' }).waitFor();
  });

  test('a problem shows two lines of its reason, and a long fix below them, in a narrow list', async () => {
    await page.locator('.monaco-editor').first().click();
    await page.keyboard.insertText(
      '《《《[TOOL_REQUEST]》》》\ntool_name:「始」clock_get_time「末」\n《《《[END_TOOL_REQUEST]》》》\n',
    );
    await page.getByRole('button', { name: 'Compare' }).click();
    const problem = problemList.getByRole('listitem').first();
    const boxOf = async (part: string) => (await problem.locator(part).boundingBox())!;
    await expect
      .poll(async () => {
        const [row, words, fix] = [await boxOf('.words'), await boxOf('.words > p'), await boxOf('.words > .link')];
        return [words.width - row.width, words.height, fix.y >= words.y + words.height];
      })
      .toEqual([0, 40, true]);
    await page.getByRole('button', { name: 'Compare' }).click();
  });

  test('run all goes through the real cycle and shows the result text', async () => {
    await page.locator('.monaco-editor').first().click();
    const block = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」clock_get_date「末」\n<<<[END_TOOL_REQUEST]>>>\n';
    const before = localDate();
    await page.keyboard.insertText(`Today?\n${block}`);
    await calls.getByRole('listitem', { name: /clock_get_date/ }).waitFor();
    await page.getByRole('button', { name: /Run all/ }).click();
    await page.getByText('[TOOL_RESULT]', { exact: false }).last().waitFor();
    const text = await page.getByRole('main').textContent();
    expect([before, localDate()].some((date) => text?.includes(date))).toBe(true);
  });

  test('a call is loaded into the Executor with its arguments converted', async () => {
    await page.locator('.monaco-editor').first().click();
    await page.keyboard.insertText(
      '<<<[TOOL_REQUEST]>>>\ntool_name:「始」directory-tree_listFiles「末」\nmaxDepth:「始」 7 「末」\n<<<[END_TOOL_REQUEST]>>>',
    );
    const call = calls.getByRole('listitem').first();
    await call.getByRole('row', { name: /maxDepth.*converted/ }).waitFor();
    await call.getByRole('button', { name: 'Open in Executor' }).click();
    await page.getByRole('heading', { level: 1, name: 'directory-tree_listFiles' }).waitFor();
    await expect.poll(() => page.getByRole('spinbutton', { name: /maxDepth/ }).inputValue()).toBe('7');
  });

  test('compare shows what each host would do, and where they differ', async () => {
    await example('Four common mistakes');
    await page.getByRole('button', { name: 'Compare' }).click();
    const table = page.getByRole('region', { name: 'Comparison of hosts' });
    await table.getByRole('columnheader', { name: /AIO Hub/ }).waitFor();
    await expect.poll(() => table.getByRole('columnheader').count()).toBe(5);
    await table
      .getByRole('cell', { name: /^differs/ })
      .first()
      .waitFor();
  });

  test('a replay shows when each call becomes known', async () => {
    await example('Two calls and prose');
    await expect.poll(() => calls.getByRole('listitem').count()).toBe(2);
    await page.getByRole('button', { name: 'Replay' }).click();
    const replay = page.getByRole('group', { name: 'Replay' });
    await replay.getByRole('button', { name: 'Pause' }).click();
    await replay.getByRole('slider').press('Home');
    await expect.poll(() => calls.getByRole('listitem').count()).toBe(0);
    await calls.getByText('No call yet').waitFor();
    const nextCall = replay.getByRole('button', { name: 'Next call' });
    for (const count of [1, 2]) {
      await nextCall.click();
      await expect.poll(() => calls.getByRole('listitem').count()).toBe(count);
    }
    await expect.poll(() => nextCall.isDisabled()).toBe(true);
    await replay.getByRole('slider').press('End');
    await expect.poll(() => calls.getByRole('listitem').count()).toBe(2);
    await replay.getByRole('button', { name: 'Stop the replay' }).click();
    await replay.waitFor({ state: 'detached' });
  });

  test('the outline lists the blocks, those that are not run too', async () => {
    await example('Four common mistakes');
    await page.locator('.squiggly-error').first().waitFor();
    await page.locator('.monaco-editor').first().click();
    await page.keyboard.press('Control+Shift+o');
    await page.locator('.quick-input-list').getByText('(not run)').first().waitFor();
  });

  test('each line of a call that is not run has a bar, also without a block', async () => {
    await example('Two calls and prose');
    await page.locator('.monaco-editor').first().click();
    await page.keyboard.press('Control+A');
    const misspelt = '<<[TOOL_REQUEST]>>\ntool_name:「始」clock_get_time「末」\n<<[END_TOOL_REQUEST]>>';
    const call = misspelt.replaceAll('<<', '<<<').replaceAll('>>', '>>>');
    await page.keyboard.insertText(`${call}\n<tool_call>{"name":"a_b","arguments":{}}</tool_call>\n\n${misspelt}\n`);
    await expect.poll(() => page.locator('.vcp-not-run').count()).toBe(4);
    await problemList.getByText('Call in another protocol').waitFor();
    // A call that is only warned of has the colour of its card.
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(`<think>\nNo:\n${call}\n</think>`);
    await expect.poll(() => page.locator('.vcp-warned').count()).toBe(3);
  });

  test('values are completed from the schema, and a dangerous call asks before it runs', async () => {
    mkdirSync(join(app.dataDir, 'modules'), { recursive: true });
    writeFileSync(
      join(app.dataDir, 'modules', 'lamp.js'),
      `export default { name: 'Lamp', methods: { set: {
         description: 'Sets the lamp', agentCallable: true, danger: 'It may burn.',
         inputSchema: { type: 'object', properties: { mode: { enum: ['warm', 'cold'] } }, required: ['mode'] },
         handler: ({ mode }) => 'now ' + mode } } };`,
    );
    await untilKnown(page, 'lamp_set');
    await page.locator('.monaco-editor').first().click();
    await page.keyboard.insertText('<<<[TOOL_REQUEST]>>>\ntool_name:「始」lamp_set「末」,\nmode:「始」');
    await page.keyboard.press('Control+Space');
    await page.locator('.suggest-widget').getByText('cold').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.insertText('cold「末」\n<<<[END_TOOL_REQUEST]>>>');
    const call = calls.getByRole('listitem', { name: /lamp_set/ });
    await call.getByRole('button', { name: 'Run' }).click();
    await page.getByText('It may burn.').first().waitFor();
    await page.locator('.monaco-editor').first().click();
    await page.keyboard.type('x');
    await page.locator('.monaco-editor-overlaymessage').getByText('or press Esc to cancel, to edit the text').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.monaco-editor-overlaymessage').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor({ state: 'detached' });
    await call.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await call.getByText('now cold').first().waitFor();
  });

  test('lines wrap, but not those of a text of very many characters', async () => {
    const lines = page.locator('.monaco-editor .view-line');
    /** Resolves with whether the focused control took it. */
    const paste = (text: string, keysMeanwhile = 0): Promise<boolean> =>
      page.evaluate(
        async ([pasted, keys]) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData('text/plain', pasted);
          const options = { bubbles: true, cancelable: true };
          const focused = document.activeElement;
          const event = new ClipboardEvent('paste', { clipboardData, ...options });
          focused?.dispatchEvent(event);
          for (let key = 0; key < keys; key += 1) {
            await new Promise((resolve) => setTimeout(resolve));
            focused?.dispatchEvent(
              new KeyboardEvent('keydown', { key: 'Home', code: 'Home', keyCode: 36, ...options }),
            );
          }
          return event.defaultPrevented;
        },
        [text, keysMeanwhile] as const,
      );
    const replace = async (text: string, keysMeanwhile = 0): Promise<void> => {
      await page.locator('.monaco-editor').first().click();
      await page.keyboard.press('Control+a');
      expect(await paste(text, keysMeanwhile)).toBe(true);
    };
    await replace('<<<[TOOL_REQUEST]>>>\ntool_name:「始」clock_get_date「末」\n<<<[END_TOOL_REQUEST]>>>\n');
    await page.locator('.vcp-run').first().waitFor();
    // While the new text is read, nothing marks it as a call that runs.
    const barsMeanwhile = page.evaluate(async () => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      new MutationObserver(() => {
        if (document.body.textContent.includes('Parsing…')) resolve(undefined);
      }).observe(document.body, { childList: true, subtree: true });
      await promise;
      await new Promise(requestAnimationFrame);
      return document.querySelectorAll('.vcp-run').length;
    });
    // A caret that moves between the parts of a long text does not divide it into several steps to undo.
    await replace(`${'word '.repeat(120_000)}\nlast`, 3);
    expect(await barsMeanwhile).toBe(0);
    await calls.getByText('No call in this text').waitFor();
    await expect.poll(() => lines.count()).toBe(2);
    // A long text is inserted in parts: it is one step to undo, and the caret is after it.
    await page.keyboard.type(' line');
    await expect.poll(() => lines.last().textContent()).toMatch(/^last\sline$/);
    await page.keyboard.press('Control+z');
    await expect.poll(() => lines.last().textContent()).toBe('last');
    await page.keyboard.press('Control+z');
    await page.locator('.vcp-run').first().waitFor();
    await expect.poll(() => lines.first().textContent()).toBe('<<<[TOOL_REQUEST]>>>');
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => lines.count()).toBe(2);
    await page.keyboard.press('Control+f');
    await page.getByRole('textbox', { name: 'Find' }).waitFor();
    expect(await paste('word '.repeat(120_000))).toBe(false);
    await page.keyboard.press('Escape');
    await replace('word '.repeat(200));
    await expect.poll(() => lines.count()).toBeGreaterThan(5);
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open a file' }).click();
    const buffer = Buffer.from('word '.repeat(120_000));
    await (await chooser).setFiles({ name: 'long.txt', mimeType: 'text/plain', buffer });
    await expect.poll(() => lines.count()).toBe(1);
    // The menu's Paste is handled alike.
    const pasted = page.evaluate(
      async (text) => {
        await navigator.clipboard.writeText(text);
        const { promise, resolve } = Promise.withResolvers<ClipboardEvent>();
        window.addEventListener('paste', resolve, { capture: true, once: true });
        return (await promise).clipboardData?.getData('text/plain').length;
      },
      `first\n${'word '.repeat(120_000)}`,
    );
    await page.locator('.monaco-editor').first().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Shift+F10');
    // Monaco's menu ignores a click right after it has opened.
    await page.getByRole('menuitem', { name: 'Paste' }).click({ delay: 500 });
    expect(await pasted).toBe(600_006);
    await expect.poll(() => lines.first().textContent()).toBe('first');
    await page.keyboard.press('Control+z');
    await expect.poll(() => lines.count()).toBe(1);
  });

  test('tool names are completed from what is registered right now', async () => {
    await page.locator('.monaco-editor').first().click();
    await page.keyboard.insertText('<<<[TOOL_REQUEST]>>>\ntool_name:「始」clock_');
    await page.keyboard.press('Control+Space');
    await page.locator('.suggest-widget').getByText('clock_get_date').first().waitFor();
  });
});
