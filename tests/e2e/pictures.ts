/**
 * `node tests/e2e/pictures.ts`: takes the pictures in docs/ of the real window, one of each pane at least, and the animation of the first
 * minute. Needs `npm run build` first, and `img2webp` (Debian: webp).
 * With `--all=FOLDER` it puts all panes there besides, in both languages and themes and in four sizes, to be looked at.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';

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
const reply = [
  `<think>Files first, then the volume.</think>`,
  ...calls.slice(0, 2),
  'A call looks like this:',
  shown,
  result,
  calls[2],
].join('\n');

/** Pictures of the animation, each with how many ms it is shown. */
const frames: { path: string; ms: number }[] = [];
const temporary = mkdtempSync(join(tmpdir(), 'toolwire-pictures-'));

function animate(page: Page): (ms: number) => Promise<void> {
  return async (ms) => {
    const path = join(temporary, `${frames.length}.png`);
    await page.screenshot({ path });
    frames.push({ path, ms });
  };
}

function saveAnimation(path: string): void {
  const inputs = frames.flatMap((frame) => ['-d', String(frame.ms), frame.path]);
  execFileSync('img2webp', ['-loop', '0', '-lossy', '-q', '80', ...inputs, '-o', path]);
}

const { all } = parseArgs({ options: { all: { type: 'string' } } }).values;
const folder = 'docs/pictures';
mkdirSync(folder, { recursive: true });
const app = await startApp();
try {
  const { page } = await app.openWindow({ colorScheme: 'dark', deviceScaleFactor: 1 });
  await page.getByRole('button', { name: 'Hide the tour' }).click();
  const shot = animate(page);
  await shot(1_500);
  await page.getByRole('button', { name: 'Add a virtual device' }).first().click();
  const tool = page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: /esp32/ });
  await tool.click();
  const method = 'self.audio_speaker.set_volume';
  await page.getByRole('listbox', { name: 'Methods' }).getByRole('option', { name: method }).click();
  await shot(2_500);
  await page.screenshot({ path: `${folder}/discovery.png` });

  await page.getByRole('button', { name: /Open in Executor/ }).click();
  await shot(1_500);
  await page.getByRole('spinbutton', { name: /volume/ }).fill('50');
  await shot(1_500);
  for (let turn = 0; turn < 5; turn++) {
    await page.getByRole('button', { name: /^Run Ctrl/ }).click();
    await page.getByRole('region', { name: 'Last 10' }).getByRole('listitem').nth(turn).waitFor();
    if (turn === 0) await shot(2_500);
  }
  await page.keyboard.press('Control+j');
  await page.getByRole('listbox', { name: 'Wire' }).getByRole('option').last().click();
  await shot(3_500);
  await page.screenshot({ path: `${folder}/executor.png` });

  await page.keyboard.press('Control+4');
  const frames = page.getByRole('listbox', { name: /^Frames of/ });
  await frames
    .getByRole('option', { name: /set_volume/ })
    .last()
    .click();
  await page.getByRole('region', { name: 'Frame', exact: true }).getByText('"result"').waitFor();
  await page.mouse.move(640, 700);
  await page.screenshot({ path: `${folder}/devices.png` });

  await page.keyboard.press(paneKey('chat'));
  await page.getByRole('button', { name: 'Start a chat' }).click();
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
  await page.getByRole('button', { name: 'Gateway settings' }).click();
  await page.getByRole('spinbutton', { name: 'Port' }).fill('0');
  await page.getByRole('spinbutton', { name: 'Port' }).press('Enter');
  await page.locator('.gateway-setting', { hasText: 'CLOUD_PORT' }).getByText('set here').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('switch', { name: 'LLM gateway' }).click();
  await page.getByText(/Connect one to ws:/).waitFor();
  await page.getByRole('button', { name: 'Try it with a test client' }).last().click();
  const messages = page.getByRole('listbox', { name: /^Messages of/ }).getByRole('option');
  await messages.filter({ hasText: 'llm_response' }).filter({ hasText: 'The tool answered' }).waitFor();
  await messages.filter({ hasText: 'tool_callback' }).click();
  await page.getByRole('region', { name: 'Frame', exact: true }).getByText('tool_result').waitFor();
  await page.screenshot({ path: `${folder}/gateway.png` });

  await page.keyboard.press('Control+,');
  await page.getByRole('searchbox').waitFor();
  await page.screenshot({ path: `${folder}/settings.png` });

  await page.keyboard.press('Control+3');
  await page.locator('.monaco-editor .view-line').first().waitFor();
  await page.locator('.monaco-editor').first().click();
  await page.keyboard.insertText(reply);
  await page.locator('.squiggly-error').first().waitFor();
  await page.getByRole('listitem', { name: /set_volume/ }).waitFor();
  await shot(4_000);
  await page.screenshot({ path: `${folder}/parser.png` });
  saveAnimation(`${folder}/first-minute.webp`);

  // The last one: later windows would open with two panes, too.
  await page.evaluate(() => location.assign('#/executor?right=devices'));
  await page.getByRole('listbox', { name: /^Frames of/ }).waitFor();
  await page.screenshot({ path: `${folder}/split.png` });
  if (all !== undefined) await takeEveryPane(app, all);
} finally {
  await app.stop();
  rmSync(temporary, { recursive: true, force: true });
}
// The browser would go on.
process.exit();
