import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';

import { startApp } from './app.ts';
import type { App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { runCall } from './runCall.ts';
import { untilKnown } from './untilKnown.ts';

const shop = `let calls = 0, readings = 0;
// Half a second of 8 kHz, one channel, 16 bits.
const wav = Buffer.alloc(44 + 8000);
wav.write('RIFF'); wav.writeUInt32LE(36 + 8000, 4); wav.write('WAVEfmt ', 8);
wav.writeUInt32LE(16, 16); wav.writeUInt16LE(1, 20); wav.writeUInt16LE(1, 22); wav.writeUInt32LE(8000, 24);
wav.writeUInt32LE(16000, 28); wav.writeUInt16LE(2, 32); wav.writeUInt16LE(16, 34); wav.write('data', 36); wav.writeUInt32LE(8000, 40);
const sound = wav.toString('base64');
const reading = { description: 'Reads the lamp.', handler() {
  readings += 1;
  return { id: 7, level: readings * 10, ...(readings % 2 ? { old: true } : { fresh: [1, 2] }), note: 'it is ' + readings };
} };
export default { methods: {
  list: { description: 'Lists the lamps.', handler: () => ({ lamps: Array.from({ length: 300 }, (_, id) => ({ id, name: 'lamp ' + (299 - id), level: id % 100, where: { room: id % 7 } })) }) },
  flaky: { description: 'Fails every tenth time.', async handler() {
    await new Promise((resolve) => setTimeout(resolve, (calls * 7) % 20));
    if (++calls % 10 === 0) throw new Error('lamp is out');
    return calls;
  } },
  everything: {
    description: 'Answers with everything there is.',
    outputSchema: { type: 'object', properties: { level: { type: 'number' } }, required: ['level'] },
    handler: () => ({
      content: [
        { type: 'text', text: 'three lamps' },
        { type: 'audio', data: sound, mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'file:///lamp.txt', mimeType: 'text/plain', text: 'the lamp itself' } },
        { type: 'resource', resource: { uri: 'file:///lamp.bin', mimeType: 'application/zip', blob: 'UEsDBA==' } },
        { type: 'resource_link', uri: 'https://lamps.example/7', name: 'lamp 7' },
      ],
      structuredContent: { level: 3, lamps: [{ id: 1 }, { id: 2 }] },
    }),
  },
  misfit: {
    description: 'Answers with another type than it promised.',
    outputSchema: { type: 'object', properties: { level: { type: 'number' } } },
    handler: () => ({ level: 'much' }),
  },
  reading_en: reading,
  reading_zh: reading,
  slow: { description: 'Tells how far it is.', handler(args, { onProgress, signal }) {
    onProgress({ progress: 2, total: 5, message: 'heating up' });
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
  } },
} };`;

let app: App;
let page: Page;
let problems: string[];

beforeAll(async () => {
  app = await startApp();
  const modules = join(app.dataDir, 'modules');
  mkdirSync(modules, { recursive: true });
  writeFileSync(join(modules, 'shop.js'), shop);
});
afterAll(() => app.stop());
afterEach(async () => {
  expect(problems).toEqual([]);
  await page.context().close();
});

async function open(name: string): Promise<void> {
  await page.evaluate((to) => (location.hash = to), `#/executor/${name}`);
  await page.getByRole('heading', { level: 1, name: name.replace('shop_', '') }).waitFor();
}

const words = {
  en: {
    run: /^Run Ctrl/,
    repeat: 'Repeat the call',
    done: /of 60 calls, 4 at a time/,
    last: 'Show the latest',
    back: 'Back to the series',
    table: 'Table',
    tree: 'Tree',
    search: 'Search the result',
    cancel: 'Cancel',
    structured: 'Structured',
    fits: 'Matches the tool’s outputSchema.',
    misfit: 'Does not match the tool’s outputSchema.',
    content: /^Content/,
    save: 'Save',
    row: '60 calls',
    figures: 'calls in history',
    compare: 'Compare this result',
    withChosen: 'Compare with the chosen result',
    both: 'Compare results',
    summary: '2 changed · 1 added · 1 removed',
    place: '1 of 4',
    all: 'All calls',
  },
  zh: {
    run: /^运行 Ctrl/,
    repeat: '重复调用',
    done: /60 次，并发 4/,
    last: '查看最后一次',
    back: '返回重复调用',
    table: '表格',
    tree: '树',
    search: '在结果中搜索',
    cancel: '取消',
    structured: '结构化',
    fits: '符合工具的 outputSchema。',
    misfit: '不符合工具的 outputSchema。',
    content: /^内容/,
    save: '保存',
    row: '60 次调用',
    figures: '次调用保存在历史中',
    compare: '比较此结果',
    withChosen: '与所选结果比较',
    both: '比较结果',
    summary: '2 处更改 · 1 处新增 · 1 处删除',
    place: '第 1 处，共 4 处',
    all: '全部调用',
  },
};

test.each([
  ['en', 'en-US', 'dark'],
  ['zh', 'zh-CN', 'light'],
] as const)(
  'a call is repeated, searched, seen as a table, and tells how far it is (%s)',
  async (language, locale, colorScheme) => {
    const w = words[language];
    ({ page, problems } = await app.openWindow({ locale, colorScheme }));
    await untilKnown(page, 'shop_flaky');
    await open('shop_flaky');
    await page.keyboard.press('Control+Shift+Enter');
    const dialog = page.getByRole('dialog', { name: w.repeat });
    await dialog.getByRole('spinbutton').first().fill('60');
    await dialog.getByRole('spinbutton').last().fill('4');
    expect(await findInaccessible(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText(w.done).waitFor();
    await page.getByRole('button', { name: w.last }).click();
    await page.getByText('lamp is out').first().waitFor();
    await page.getByRole('button', { name: w.back }).click();
    await page.getByText(w.done).waitFor();
    // While the series runs, Ctrl+Enter does nothing.
    await page.locator('.series .big', { hasText: /^60$/ }).waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await shot(`series-${language}`);
    // Among the last calls the whole series is one.
    await page.keyboard.press('Control+Enter');
    await page.getByText(w.done).waitFor({ state: 'detached' });
    await page.locator('li.item').filter({ hasText: w.row }).first().getByRole('button').first().click();
    await page.getByText(w.figures).waitFor();
    await shot(`folded-${language}`);

    await open('shop_list');
    await page.getByRole('button', { name: w.run }).click();
    // A window begins with the view that was chosen last, in whichever window.
    await page.getByRole('tab', { name: w.tree }).click();
    await page.getByRole('searchbox', { name: w.search }).fill('LAMP 17');
    await page
      .getByText(/\b1\b.*\b11\b/)
      .first()
      .waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await shot(`tree-${language}`);
    await page.getByRole('tab', { name: w.table }).click();
    await page.getByRole('columnheader', { name: 'name' }).getByRole('button').click();
    await page.getByRole('cell', { name: 'lamp 0', exact: true }).waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await shot(`table-${language}`);
    await page.getByRole('tab', { name: w.tree }).click();

    await open('shop_slow');
    await page.getByRole('button', { name: w.run }).click();
    await page.getByText('heating up').waitFor();
    await shot(`progress-${language}`);
    await page.getByRole('button', { name: w.cancel, exact: false }).first().click();
    await page.getByText('heating up').waitFor({ state: 'detached' });
  },
);

test.each([
  ['en', 'en-US', 'light'],
  ['zh', 'zh-CN', 'dark'],
] as const)(
  'two results are compared by keyboard, from the last ten and from all calls (%s)',
  async (language, locale, colorScheme) => {
    const w = words[language];
    ({ page, problems } = await app.openWindow({ locale, colorScheme }));
    await open(`shop_reading_${language}`);
    const rows = page.locator('li.item');
    await runCall(page);
    await runCall(page);
    // A call is in the list a moment after its result.
    await expect.poll(() => rows.count()).toBe(2);
    await rows.nth(0).getByRole('button', { name: w.compare }).press('Enter');
    await rows.nth(1).getByRole('button', { name: w.withChosen }).press('Enter');
    const dialog = page.getByRole('dialog', { name: w.both });
    await dialog.getByText(w.summary).waitFor();
    await dialog.getByText(w.place).waitFor();
    await dialog.getByText('$.level').waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await shot(`compare-${language}`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: w.all }).first().click();
    const all = page.getByRole('dialog', { name: w.all });
    await all.getByRole('option').first().click();
    await all.getByRole('button', { name: w.compare }).click();
    await all.getByRole('option').nth(1).click();
    await all.getByRole('button', { name: w.withChosen }).click();
    await dialog.getByText(w.summary).waitFor();
  },
);

test.each([
  ['en', 'en-US', 'light'],
  ['zh', 'zh-CN', 'dark'],
] as const)(
  'plays sound, lists resources and data, and saves what a tool sent (%s)',
  async (language, locale, colorScheme) => {
    const w = words[language];
    ({ page, problems } = await app.openWindow({ locale, colorScheme, acceptDownloads: true }));
    await open('shop_everything');
    await page.getByRole('button', { name: w.run }).click();
    const tab = (name: string | RegExp): ReturnType<Page['getByRole']> => page.getByRole('tab', { name });
    await tab(w.content).click();
    const player = page.locator('audio');
    // Known only where the policy of the page let it be read.
    await player.evaluate(
      (audio: HTMLAudioElement) =>
        new Promise((resolve, reject) => {
          if (audio.readyState > 0) resolve(undefined);
          audio.addEventListener('loadedmetadata', resolve);
          audio.addEventListener('error', () => reject(new Error(audio.error?.message)));
        }),
    );
    expect(await player.evaluate((audio: HTMLAudioElement) => audio.duration)).toBeCloseTo(0.5);
    await page.getByText('the lamp itself').waitFor();
    await page.getByText('https://lamps.example/7').waitFor();
    expect(await page.getByRole('link', { name: /lamps\.example/ }).count()).toBe(0);
    const saved = async (at: number): Promise<string> => {
      const download = page.waitForEvent('download');
      await page.getByRole('tabpanel').getByRole('button', { name: w.save }).nth(at).click();
      return (await download).suggestedFilename();
    };
    expect([await saved(0), await saved(1)]).toEqual(['audio.wav', 'resource.bin']);
    expect(await findInaccessible(page)).toEqual([]);
    await shot(`blocks-${language}`);

    await tab(w.structured).click();
    await page.getByText(w.fits).waitFor();
    await page.getByRole('treeitem').filter({ hasText: '"level"' }).waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await shot(`structured-${language}`);
    await open('shop_misfit');
    await page.getByRole('button', { name: w.run }).click();
    await page.getByText(w.misfit).waitFor();
    await page.getByText('$.level').waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await shot(`misfit-${language}`);
  },
);

/** A picture for a person to look at, where one asks for it. */
async function shot(name: string): Promise<void> {
  const folder = process.env['TOOLWIRE_SHOTS'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}
