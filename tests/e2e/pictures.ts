/**
 * `node tests/e2e/pictures.ts`: takes the pictures in docs/ of the real window, one of each pane at least. Needs `npm run build` first.
 * With `--all=FOLDER` it puts all panes there besides, in both languages and themes and in four sizes, to be looked at.
 */
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { startApp } from './app.ts';
import { takeEveryPane } from './everyPane.ts';
import { paneKey } from './paneKeys.ts';

const block = (...fields: string[]): string => `<<<[TOOL_REQUEST]>>>\n${fields.join(',\n')}\n<<<[END_TOOL_REQUEST]>>>`;
const shown = '```\n<<<[TOOL_REQUEST]>>>tool_name:「始」clock_get_time「末」<<<[END_TOOL_REQUEST]>>>\n```';
const result =
  '<<<[TOOL_RESULT]>>>\ntool_name:「始」clock_get_date「末」,\nresult:「始」2026-11-22「末」\n<<<[END_TOOL_RESULT]>>>';
const calls = [
  block('tool_name:「始」directory-tree_listFiles「末」', 'path:「始」.「末」', 'maxDepth:「始」 2 「末」'),
  block('maid:「始」Nova「末」', 'tool_name:「始」self.audio_speaker.set_volume「末」', 'volume:「始」50「末」'),
  block('tool_name:「始」clock_get_date「末」', '时区：「始」Asia/Shanghai「末」'),
];
/** A reply with all that the Parser tells apart: reasoning, calls, code, an echoed result, a mistake. */
const reply = {
  en: [
    `<think>Files first, then the volume.</think>`,
    ...calls.slice(0, 2),
    'A call looks like this:',
    shown,
    result,
    calls[2],
  ],
  zh: [`<think>先看文件，再调音量。</think>`, ...calls.slice(0, 2), '调用写成这样：', shown, result, calls[2]],
};

const { all } = parseArgs({ options: { all: { type: 'string' } } }).values;
const folder = 'docs/pictures';
mkdirSync(folder, { recursive: true });
const app = await startApp();
try {
  const { page } = await app.openWindow({ colorScheme: 'dark', deviceScaleFactor: 1 });
  await page.getByRole('button', { name: 'Close the first call' }).click();
  await page.getByRole('button', { name: 'Add a virtual device' }).first().click();
  const tool = page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: /esp32/ });
  await tool.click();
  const method = 'self.audio_speaker.set_volume';
  await page.getByRole('listbox', { name: 'Methods' }).getByRole('option', { name: method }).click();
  await page.screenshot({ path: `${folder}/discovery.png` });

  await page.getByRole('button', { name: /Open in Executor/ }).click();
  await page.getByRole('spinbutton', { name: /volume/ }).fill('50');
  for (let turn = 0; turn < 5; turn++) {
    await page.getByRole('button', { name: /^Run Ctrl/ }).click();
    await page.getByRole('region', { name: 'Last 10' }).getByRole('listitem').nth(turn).waitFor();
  }
  await page.keyboard.press('Control+j');
  await page.getByRole('listbox', { name: 'Wire exchange' }).getByRole('option').last().click();
  await page.screenshot({ path: `${folder}/executor.png` });

  await page.keyboard.press('Control+4');
  const frames = page.getByRole('listbox', { name: /^Frames of/ });
  await frames
    .getByRole('option', { name: /set_volume/ })
    .last()
    .click();
  await page.screenshot({ path: `${folder}/devices.png` });

  await page.keyboard.press(paneKey('chat'));
  await page.getByRole('button', { name: 'Start a first chat' }).click();
  await page.getByRole('article', { name: /^Call of/ }).waitFor();
  await page.getByRole('button', { name: /^Send/ }).waitFor();
  await page.screenshot({ path: `${folder}/chat.png` });

  await page.keyboard.press(paneKey('realtime'));
  await page.getByRole('button', { name: 'Try it with the scripted model' }).click();
  const spoken = page.getByRole('log', { name: 'Transcript' });
  await spoken.getByText(/The tool answered: /).waitFor({ timeout: 60_000 });
  await spoken.getByRole('button', { name: 'Show on the timeline' }).first().click();
  await page.getByRole('region', { name: 'Item of the timeline' }).getByText('Answered after').waitFor();
  await page.screenshot({ path: `${folder}/realtime.png` });

  await page.keyboard.press(paneKey('gateway'));
  await page.getByRole('button', { name: 'Settings of the gateway' }).click();
  await page.getByRole('spinbutton', { name: 'Port' }).fill('0');
  await page.getByRole('spinbutton', { name: 'Port' }).press('Enter');
  await page.locator('.gateway-setting', { hasText: 'CLOUD_PORT' }).getByText('set here').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('switch', { name: 'LLM gateway' }).click();
  await page.getByText(/Point one at ws:/).waitFor();
  await page.getByRole('button', { name: 'Try it with a test client' }).last().click();
  const messages = page.getByRole('listbox', { name: /^Messages of/ }).getByRole('option');
  await messages.filter({ hasText: 'llm_response' }).filter({ hasText: 'The tool answered' }).waitFor();
  await messages.filter({ hasText: 'tool_callback' }).click();
  await page.getByRole('region', { name: 'Frame', exact: true }).getByText('tool_result').waitFor();
  await page.screenshot({ path: `${folder}/gateway.png` });

  await page.keyboard.press('Control+,');
  await page.getByRole('searchbox').waitFor();
  await page.screenshot({ path: `${folder}/settings.png` });

  for (const [language, locale] of [
    ['en', 'en-US'],
    ['zh', 'zh-CN'],
  ] as const) {
    for (const colorScheme of ['dark', 'light'] as const) {
      const window = await app.openWindow({ colorScheme, locale, deviceScaleFactor: 1 });
      await window.page.keyboard.press('Control+3');
      await window.page.locator('.monaco-editor .view-line').first().waitFor();
      await window.page.locator('.monaco-editor').first().click();
      await window.page.keyboard.insertText(reply[language].join('\n'));
      await window.page.locator('.squiggly-error').first().waitFor();
      await window.page.getByRole('listitem', { name: /set_volume/ }).waitFor();
      await window.page.screenshot({ path: `${folder}/parser-${colorScheme}-${language}.png` });
      await window.page.context().close();
    }
  }

  // The last one: later windows would open with two panes, too.
  await page.evaluate(() => location.assign('#/executor?right=devices'));
  await page.getByRole('listbox', { name: /^Frames of/ }).waitFor();
  await page.screenshot({ path: `${folder}/split.png` });
  if (all !== undefined) await takeEveryPane(app, all);
} finally {
  await app.stop();
}
