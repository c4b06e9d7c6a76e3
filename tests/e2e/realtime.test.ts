import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';

import { startScriptedRealtimeServer } from '../../src-core/realtime/scripted/startScriptedRealtimeServer.ts';
import type { ScriptedRealtimeServer } from '../../src-core/realtime/scripted/startScriptedRealtimeServer.ts';
import { wavFile } from '../../renderer/features/realtime/audio/wavFile.ts';
import { testUtterance } from '../../renderer/features/realtime/audio/testUtterance.ts';
import { startApp } from './app.ts';
import type { App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { dropFile } from './dropFile.ts';
import { paneKey } from './paneKeys.ts';

const key = 'sk-realtime-0123456789abcdef';
const long = 'This answer is long enough to be interrupted. '.repeat(8);
let app: App;
let server: ScriptedRealtimeServer;
let page: Page;
let problems: string[];

beforeAll(async () => {
  server = await startScriptedRealtimeServer({ dialect: 'openai', key });
  app = await startApp({
    flags: [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      '--autoplay-policy=no-user-gesture-required',
    ],
  });
});
afterAll(async () => {
  await app.stop();
  await server.close();
});

beforeEach(async () => {
  ({ page, problems } = await app.openWindow());
  await page.keyboard.press(paneKey('realtime'));
});
afterEach(async () => {
  expect(problems).toEqual([]);
  await page.context().close();
});

const region = (name: string): Locator => page.getByRole('region', { name, exact: true });
const transcript = (): Locator => page.getByRole('log', { name: 'Transcript' });
const timeline = (): Locator => page.getByRole('listbox', { name: /^Timeline/ });

/** What the scripted model says from now on. */
async function setScript(script: unknown): Promise<void> {
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Settings' }).click();
  const models = region('Realtime models');
  await models.getByRole('button', { name: /^Scripted realtime model/ }).click();
  const write = models.getByRole('button', { name: 'Write your own' });
  await write.or(page.locator('.monaco-editor .view-line').first()).first().waitFor();
  if (await write.isVisible()) await write.click();
  await page.locator('.monaco-editor .view-line').first().click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(JSON.stringify(script));
  await models.getByText('The script is valid.').waitFor();
  await models.getByRole('button', { name: /^Scripted realtime model/ }).focus();
  await models.getByRole('button', { name: 'Reset the script' }).waitFor();
  await page.keyboard.press(paneKey('realtime'));
}

async function connect(options: { byHand?: boolean } = {}): Promise<void> {
  await page.getByRole('button', { name: 'New conversation' }).click();
  if (options.byHand) await page.getByRole('radio', { name: 'Answer manually' }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await transcript().getByText('Connected.', { exact: false }).waitFor();
}

async function write(text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message to the model' }).fill(text);
  await page.keyboard.press('Enter');
}

async function disconnect(): Promise<void> {
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('button', { name: 'Talk again' }).waitFor();
}

describe('the realtime pane', () => {
  test('the first minute: one press, a voice without a microphone, a call, its place in time and its raw events', async () => {
    await page.getByRole('button', { name: 'Try it with the scripted model' }).click();
    await transcript()
      .getByText(/Hello, I am the scripted realtime server/)
      .waitFor();
    const call = transcript().getByRole('article', { name: 'Call of clock_get_time' });
    await call.waitFor({ timeout: 60_000 });
    await transcript()
      .getByText(/The tool answered: \d{4}-/)
      .waitFor();
    await expect.poll(() => transcript().getByText('You', { exact: true }).count()).toBe(2);

    await call.getByRole('button', { name: 'Show on the timeline' }).click();
    await timeline()
      .getByRole('option', { name: /^Tools, clock_get_time, Done/ })
      .waitFor();
    const item = region('Item of the timeline');
    await item.getByText('Answered after').waitFor();
    await item.getByText('"response.', { exact: false }).first().waitFor();
    await timeline().focus();
    await page.keyboard.press('ArrowUp');
    await item.getByRole('heading', { name: 'Voice' }).waitFor();

    await page.getByRole('tab', { name: /^Events/ }).click();
    await page.getByRole('searchbox', { name: 'Search frames' }).fill('session.update');
    await page.getByText(/^\d+ matches/).waitFor();
    await page.getByRole('listbox', { name: 'Wire events' }).getByRole('option').first().click();
    await region('Frame').getByText('"session.update', { exact: false }).first().waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await page.getByRole('tab', { name: /^Timeline/ }).click();
    expect(await findInaccessible(page)).toEqual([]);
    await disconnect();
  });

  test('a sound file is said in real time and heard; Esc interrupts the answer; tools change while connected', async () => {
    await setScript({ turns: [{ heard: 'What is new?', say: long }] });
    await connect();
    const wav = Buffer.from(wavFile(testUtterance(16_000), 16_000));
    await page
      .locator('input[type="file"][accept^="audio"]')
      .setInputFiles({ name: 'hello.wav', mimeType: 'audio/wav', buffer: wav });
    await page.getByRole('progressbar', { name: 'hello.wav' }).waitFor();
    await transcript().getByText('What is new?').waitFor();
    await transcript()
      .getByText(/This answer is long/)
      .waitFor();
    await page.keyboard.press('Escape');
    await transcript()
      .getByText(/^Interrupted/)
      .waitFor();

    await region('Session').getByRole('radio', { name: 'Chosen' }).click();
    await region('Session').getByRole('checkbox', { name: 'get_date' }).uncheck();
    await region('Session').getByRole('button', { name: 'Apply' }).click();
    await region('Session').getByText('Applied.').waitFor();
    await region('Session')
      .getByText(/^\d+ of \d+ methods$/)
      .waitFor();
    await disconnect();
  });

  test('a recording dropped on the window is said in the open conversation', async () => {
    await setScript({ turns: [{ heard: 'Dropped words', say: 'Heard.' }] });
    await connect();
    await dropFile(page, 'note.wav', wavFile(testUtterance(16_000), 16_000));
    await transcript().getByText('Dropped words').waitFor();
    await disconnect();
  });

  test('reports a file that is not audio', async () => {
    await connect();
    const buffer = Buffer.from('this is no sound');
    await page
      .locator('input[type="file"][accept^="audio"]')
      .setInputFiles({ name: 'notes.wav', mimeType: 'audio/wav', buffer });
    await page.getByText('notes.wav is not audio that this browser supports.', { exact: false }).waitFor();
    await disconnect();
  });

  test('a call waits until the user has written its answer', async () => {
    await setScript({ turns: [{ calls: [{ name: 'get_time' }], then: 'You say {{output}}' }] });
    await connect({ byHand: true });
    await write('What time is it?');
    const call = transcript().getByRole('article', { name: 'Call of clock_get_time' });
    await call.getByRole('textbox', { name: 'Answer' }).fill('half past nine');
    await call.getByRole('button', { name: /Send answer/ }).click();
    await transcript().getByText('You say half past nine').waitFor();
    await disconnect();
  });

  test('a tool that asks first asks in whichever pane the user is, with the reason of a no for the model', async () => {
    await page.keyboard.press('Control+1');
    await page.getByRole('option', { name: /Clock/ }).first().click();
    await page
      .getByRole('option', { name: /get_time/ })
      .last()
      .click();
    await page.getByRole('switch', { name: 'Ask before running' }).click();
    await page.keyboard.press(paneKey('realtime'));
    await setScript({ turns: [{ calls: [{ name: 'get_time' }], then: 'You say {{output}}' }] });
    await connect();
    await write('What time is it?');
    await page.keyboard.press('Control+4');
    const question = page.getByRole('alert', { name: 'get_time asks before it runs' });
    await question.getByText('A realtime model calls it on clock.', { exact: false }).waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await question.getByRole('textbox', { name: 'Reason (sent to the caller)' }).fill('it is late');
    await question.getByRole('button', { name: 'Refuse' }).click();
    await question.waitFor({ state: 'detached' });
    await page.keyboard.press(paneKey('realtime'));
    await transcript()
      .getByText(/You say .*it is late/)
      .waitFor();
    await disconnect();
  });

  test('the microphone is heard, and goes off with the pane', async () => {
    // No call that asks first, however much is heard.
    await setScript({ turns: [{ heard: 'Hello', say: 'Good day.' }] });
    await connect();
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await timeline()
      .getByRole('option', { name: /^Your audio/ })
      .first()
      .waitFor();
    await page.keyboard.press('Control+1');
    await page.keyboard.press(paneKey('realtime'));
    await page.getByRole('button', { name: 'Speak', exact: true }).waitFor();
    await disconnect();
  });

  test('a realtime model behind a server is set up in Settings, its key saved, and tested step by step', async () => {
    await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Settings' }).click();
    const models = region('Realtime models');
    await models.getByRole('button', { name: 'Add a realtime model' }).click();
    await page
      .getByRole('menuitem', { name: /^OpenAI Realtime.*api\.openai\.com/ })
      .first()
      .click();
    await models.getByRole('textbox', { name: 'Address' }).fill(server.url);
    await models.getByRole('combobox', { name: 'Model ID', exact: true }).fill('scripted');
    await models.getByLabel('Key', { exact: true }).fill(key);
    await models.getByRole('button', { name: 'Test', exact: true }).click();
    await models.getByText('It took a session with a tool.').waitFor();
    await models.getByText('Key is set.').waitFor();
    await models.getByRole('button', { name: 'Test', exact: true }).click();
    await models.getByText('It took a session with a tool.').waitFor();
    expect(await page.content()).not.toContain(key);
    await models.getByRole('radio', { name: 'Silence' }).click();
    await models.getByRole('spinbutton', { name: 'Threshold (0–1)' }).fill('0.4');
    await models.getByRole('radio', { name: 'On', exact: true }).click();
    await models.getByRole('textbox', { name: 'Language (en, zh)' }).fill('en');
    expect(await findInaccessible(page)).toEqual([]);

    const differences = models.getByRole('textbox', { name: 'Differences from the dialect (JSON)' });
    await differences.fill('{ "events": { "response.creat": "start" } }');
    await differences.press('Tab');
    await models.getByText('"differences.events.response.creat" must be an event of the dialect').waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await differences.fill('{ "headers": { "X-Team": "voice" } }');
    await models.getByRole('button', { name: 'Test', exact: true }).click();
    await models.getByText('It took a session with a tool.').waitFor();
    await page.reload();
    await models.getByRole('button', { name: /^OpenAI Realtime/ }).click();
    await expect
      .poll(async () => JSON.parse(await differences.inputValue()) as unknown)
      .toEqual({ headers: { 'X-Team': 'voice' } });
    await expect.poll(() => models.getByRole('spinbutton', { name: 'Threshold (0–1)' }).inputValue()).toBe('0.4');
  });

  test('in Chinese and light, with nothing that a screen reader misses', async () => {
    const chinese = await app.openWindow({ locale: 'zh-CN', colorScheme: 'light' });
    await chinese.page.keyboard.press(paneKey('realtime'));
    await chinese.page.getByRole('option').first().click();
    expect(await findInaccessible(chinese.page)).toEqual([]);
    await chinese.page.getByRole('button', { name: '新对话' }).click();
    await chinese.page.getByRole('button', { name: '连接', exact: true }).waitFor();
    expect(await findInaccessible(chinese.page)).toEqual([]);
    expect(chinese.problems).toEqual([]);
    await chinese.page.context().close();
  });

  test('further settings go to the server, a refused one is named, and a picture is shown', async () => {
    await setScript({ turns: [{ say: 'I see a picture.' }] });
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByText('More settings').click();
    await page.getByRole('radio', { name: 'Text only' }).click();
    await page.getByRole('radio', { name: 'Semantic' }).click();
    await page.getByRole('spinbutton', { name: 'Temperature' }).fill('0.7');
    await page.getByLabel('More session fields (JSON)').fill('{ "max_output_tokens": ');
    await page
      .getByText('More session fields (JSON): Line 1, column 23: the text ends before the JSON does; add a value.')
      .waitFor();
    // A message under one field leaves the field beside it where it is.
    const speed = page.getByRole('spinbutton', { name: 'Voice speed' });
    const before = await speed.boundingBox();
    await page.getByRole('spinbutton', { name: 'Temperature' }).fill('9');
    await page.getByText('Temperature: A number from 0 to 2.').waitFor();
    expect(await speed.boundingBox()).toEqual(before);
    await page.getByRole('spinbutton', { name: 'Temperature' }).fill('0.7');
    await page.getByLabel('More session fields (JSON)').fill('{ "max_output_tokens": 500 }');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await transcript()
      .getByText(/^The server refused temperature\. The session is set without it\./)
      .waitFor();

    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Show a picture' }).click(),
    ]);
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await chooser.setFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') });
    await transcript()
      .getByText(/^Picture, /)
      .waitFor();
    await write('What is it?');
    await transcript().getByText('I see a picture.').waitFor();
    // It writes, and has no voice.
    await timeline()
      .getByRole('option', { name: /^Responses/ })
      .waitFor();
    expect(
      await timeline()
        .getByRole('option', { name: /^Voice/ })
        .count(),
    ).toBe(0);
    await disconnect();
  });
});
