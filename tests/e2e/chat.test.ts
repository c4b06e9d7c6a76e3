import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';

import { startScriptedChatServer } from '../fakes/scriptedChatServer.ts';
import type { ScriptedChatServer } from '../fakes/scriptedChatServer.ts';
import { chatFileOf, replyOf } from '../helpers/largeChatFiles.ts';
import { startApp } from './app.ts';
import type { App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { paneKey } from './paneKeys.ts';

let app: App;
let server: ScriptedChatServer;
let page: Page;
let problems: string[];
let conversation: Locator;

beforeAll(async () => {
  server = await startScriptedChatServer({ models: ['big'], turns: () => ({ text: 'Hello from the server.' }) });
  app = await startApp();
});
afterAll(async () => {
  await app.stop();
  await server.close();
});

beforeEach(async () => {
  ({ page, problems } = await app.openWindow());
  await page.keyboard.press(paneKey('chat'));
  conversation = page.getByRole('region', { name: 'Conversation' });
});
afterEach(async () => {
  expect(problems).toEqual([]);
  await page.context().close();
});

const call = (): Locator => conversation.getByRole('article', { name: /^Call of/ });

async function newChat(): Promise<void> {
  await page.getByRole('button', { name: 'New chat', exact: true }).click();
  await conversation.getByRole('heading', { name: 'New chat' }).waitFor();
}

async function say(text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  // Until a turn has ended there is the button that stops it.
  await conversation.getByRole('button', { name: /^Send/ }).waitFor();
  await page.keyboard.press('Enter');
}

/** What the scripted model says from now on. */
async function setScript(script: unknown): Promise<void> {
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Settings' }).click();
  const models = page.getByRole('region', { name: 'Models' });
  await models.getByRole('button', { name: /^Scripted model/ }).click();
  await page.locator('.monaco-editor .view-line').first().click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(JSON.stringify(script));
  await models.getByText('The script is valid.').waitFor();
  await page.keyboard.press(paneKey('chat'));
}

describe('the chat pane', () => {
  test('the first minute: one press, a call, its answer; the inspector has what was asked; a reload keeps all', async () => {
    await page.getByRole('button', { name: 'Start a chat' }).click();
    await conversation.getByText(/The tool answered: \d{4}-/).waitFor();
    expect(await call().count()).toBe(1);
    await call().getByText('OK').waitFor();
    const inspector = page.getByRole('region', { name: 'Inspector' });
    await inspector.getByText('TOOL_RESULT').first().waitFor();
    await inspector.getByRole('tab', { name: 'Request' }).click();
    await inspector.getByRole('treeitem', { name: /What time is it/ }).waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.fill('not sent yet');
    await page.reload();
    await conversation.getByText(/The tool answered: \d{4}-/).waitFor();
    await call().getByText('OK').waitFor();
    await expect.poll(() => message.inputValue()).toBe('not sent yet');
    await message.fill('');
  });

  test('a call that waits runs with changed arguments, and is refused with a reason', async () => {
    await setScript({
      turns: [
        { when: { role: 'tool' }, text: 'It said: {{last_message}}' },
        {
          when: { role: 'user' },
          text: 'I look.',
          toolCalls: [{ name: 'listFiles', arguments: { path: '.', maxDepth: 3 } }],
        },
      ],
    });
    await newChat();
    await conversation.getByRole('radio', { name: 'Manual' }).click();
    await conversation.getByRole('combobox', { name: 'Protocol' }).click();
    await page.getByRole('option', { name: /Native/ }).click();
    await say('What is there?');
    await call().getByRole('button', { name: 'Edit arguments' }).click();
    await call().getByRole('radio', { name: 'JSON' }).click();
    const text = call().getByRole('textbox', { name: 'Arguments as JSON' });
    await text.fill('{"path": ".", "maxDepth": 4096}');
    await call()
      .getByText(/4096 is above the maximum, 32\./)
      .waitFor();
    await call().getByRole('button', { name: 'Use 32' }).click();
    expect(await findInaccessible(page)).toEqual([]);
    await call().getByRole('button', { name: 'Approve with these' }).click();
    await call().getByText('Changed by you').waitFor();
    await conversation
      .getByText(/It said:/)
      .first()
      .waitFor();

    const messages = conversation.getByRole('region', { name: 'Messages' });
    const fromFoot = (): Promise<number> =>
      messages.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
    // A click may have scrolled up, to a button that was covered.
    await messages.press('End');
    await expect.poll(() => messages.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
    const composer = page.getByRole('textbox', { name: 'Message' });
    await composer.fill('line\n'.repeat(9));
    await expect.poll(fromFoot).toBeLessThan(2);
    await composer.fill('');
    await say('And now?');
    await call().last().getByRole('button', { name: 'Refuse' }).click();
    await call().last().getByRole('textbox', { name: 'Reason, for the model' }).fill('Not that folder');
    await page.keyboard.press('Enter');
    await conversation.getByText(/It said:.*Not that folder/).waitFor();
    await call().last().getByText('Refused', { exact: true }).waitFor();

    await say('Once more?');
    const approve = call().nth(2).getByRole('button', { name: 'Approve', exact: true });
    await approve.waitFor();
    await page.getByRole('button', { name: /^1 waiting for you/ }).waitFor();
    // F6 goes to the call in view, not to the list of what waits.
    await page.keyboard.press('F6');
    await expect.poll(() => approve.evaluate((at) => at === document.activeElement)).toBe(true);
    expect(await page.getByRole('region', { name: 'Items waiting for you' }).locator('li').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Message' }).press('Escape');
    await conversation.getByText('You stopped the turn.').waitFor();
    await call().nth(2).getByText('Cancelled', { exact: true }).waitFor();
    await conversation.getByRole('button', { name: 'Resume' }).waitFor();
  });

  test('a chat goes to a file and comes back from it', async () => {
    await setScript({ turns: [{ text: 'Noted.' }] });
    await newChat();
    await say('Remember the lamp');
    await conversation.getByText('Noted.').waitFor();
    const more = conversation.getByRole('button', { name: 'More for “Remember the lamp”' });
    await more.click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('Remember-the-lamp.toolwire-chat.json');
    const path = await file.path();
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ format: 'toolwire-chat' });
    await more.click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('grid', { name: 'Chats' }).getByText('Remember the lamp').waitFor({ state: 'detached' });
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Import', exact: true }).click(),
    ]);
    await chooser.setFiles(path);
    await page.getByRole('grid', { name: 'Chats' }).getByText('Remember the lamp').waitFor();
    await conversation.getByText('Noted.').waitFor();
  });

  test('a chat of long replies opens at its foot; earlier ones come on the way up and move nothing', async () => {
    const text = Array.from({ length: 60 }, (_, at) => `# Part ${at}\n\nThe lamp is **on**.\n\n- a\n- b\n\n`).join('');
    const file = chatFileOf(Array.from({ length: 30 }, (_, at) => replyOf(at, { text, args: { at } })));
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Import', exact: true }).click(),
    ]);
    // From the first frame with the last reply on: how far the view is from the foot, and whether parts are still to come.
    const recording = page.evaluate(async () => {
      const seen: { fromFoot: number; isBusy: boolean }[] = [];
      while (seen.at(-1)?.isBusy !== false && seen.length < 2_000) {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const host = document.querySelector('[aria-label="Messages"]');
        if (!host?.textContent.includes('Part 59')) continue;
        const fromFoot = Math.round(host.scrollHeight - host.scrollTop - host.clientHeight);
        seen.push({ fromFoot, isBusy: host.querySelector('[aria-busy="true"]') !== null });
      }
      return seen;
    });
    await chooser.setFiles({
      name: 'long.toolwire-chat.json',
      mimeType: 'application/json',
      buffer: Buffer.from(file),
    });
    const frames = await recording;
    const messages = conversation.getByRole('region', { name: 'Messages' });
    expect(frames.length).toBeGreaterThan(2);
    expect(frames.at(-1)).toEqual({ fromFoot: 0, isBusy: false });
    expect(Math.max(...frames.map(({ fromFoot }) => Math.abs(fromFoot)))).toBe(0);
    const steps = messages.getByRole('article', { name: /^Test, step/ });
    const drawn = await steps.count();
    expect(drawn).toBeGreaterThan(5);
    expect(drawn).toBeLessThan(15);
    expect(await messages.locator('.model-step .markdown > *').count()).toBe(drawn * 180);
    // At the top: how far the first reply of before is from its place, in each frame until all that is wanted is drawn.
    const moves = await messages.evaluate(async (host) => {
      host.scrollTop = 0;
      const first = host.querySelector('li');
      const place = first?.getBoundingClientRect().top ?? NaN;
      const seen: number[] = [];
      do {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        seen.push(Math.abs((first?.getBoundingClientRect().top ?? NaN) - place));
      } while (host.querySelector('[aria-busy="true"]') !== null && seen.length < 2_000);
      return seen;
    });
    expect(Math.max(...moves)).toBeLessThan(2);
    const more = await steps.count();
    expect(more).toBeGreaterThan(drawn);
    expect(more).toBeLessThan(30);
    await messages.focus();
    while ((await steps.count()) < 30) await page.keyboard.press('Home');
    await expect.poll(() => messages.locator('.model-step .markdown > *').count()).toBe(30 * 180);
    await page.keyboard.press('End');
    await expect
      .poll(() => messages.evaluate((host) => host.scrollHeight - host.scrollTop - host.clientHeight))
      .toBeLessThan(2);
  });

  test('one message is run again by another model, side by side', async () => {
    await setScript({ turns: [{ text: 'Hello from the script.' }] });
    await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Settings' }).click();
    const models = page.getByRole('region', { name: 'Models' });
    await models.getByRole('button', { name: 'Add a model' }).click();
    await page.getByRole('menuitem', { name: /vLLM/ }).click();
    await models.getByRole('textbox', { name: 'Base URL' }).fill(server.baseUrl);
    await models.getByRole('textbox', { name: 'Name' }).fill('Local');
    await models.getByRole('combobox', { name: 'Model ID' }).fill('big');
    await page.keyboard.press(paneKey('chat'));
    await newChat();
    await conversation.getByRole('combobox', { name: 'Model' }).click();
    await page.getByRole('option', { name: 'Add a model…' }).click();
    await expect.poll(() => page.url()).toMatch(/#\/settings\/models$/);
    await page.getByRole('menuitem', { name: /vLLM/ }).waitFor();
    await page.keyboard.press(paneKey('chat'));
    await page.getByRole('menuitem', { name: /vLLM/ }).waitFor({ state: 'detached' });
    await conversation.getByRole('combobox', { name: 'Model' }).click();
    await page.getByRole('option', { name: /Scripted model/ }).click();
    await say('Greet me');
    await conversation.getByText('Hello from the script.').waitFor();
    await conversation.getByRole('button', { name: 'Run again, side by side' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Model' }).click();
    await page.getByRole('option', { name: /Local/ }).click();
    await dialog.getByRole('button', { name: 'Run side by side' }).click();
    const both = page.getByRole('region', { name: 'Side by side' });
    await both.getByRole('list', { name: 'First run' }).getByText('Hello from the script.').waitFor();
    await both.getByRole('list', { name: 'Run again' }).getByText('Hello from the server.').waitFor();
    await both.getByRole('row', { name: /^Model .*Scripted model.*Local/ }).waitFor();
    await both.locator('mark', { hasText: 'server' }).waitFor();
    expect(await findInaccessible(page)).toEqual([]);

    await both.getByRole('button', { name: 'Open chat' }).last().click();
    const inspector = page.getByRole('region', { name: 'Inspector' });
    await inspector.getByRole('tab', { name: 'Answer' }).click();
    await inspector.getByText('Status 200').waitFor();
    expect(server.requests.length).toBeGreaterThan(0);
  });
});
