/** What a browser loads before the window is there: few files, less than 280 kB in all, and no Monaco. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';

import { startApp } from './app.ts';

const folder = 'dist/renderer';
const gzipped = (file: string): number => gzipSync(readFileSync(join(folder, file))).length;
/** What Monaco's own code has, and nothing else. */
const isMonaco = (file: string): boolean => readFileSync(join(folder, file), 'utf8').includes('vscodeWindowId');

/** Scripts of the built window that a page has loaded so far; `first`: those of the first paint, before the page was idle. */
const loaded = (page: Page, { first = false } = {}): Promise<string[]> =>
  page.evaluate((isFirst) => {
    const idle = performance.getEntriesByName('preload-panes')[0]?.startTime ?? Infinity;
    const entries = performance.getEntriesByType('resource').filter(({ startTime }) => !isFirst || startTime < idle);
    return [...new Set(entries.map(({ name }) => new URL(name).pathname.slice(1)))].filter((file) =>
      file.endsWith('.js'),
    );
  }, first);

test('the first paint loads few small files, and Monaco comes with the first editor', async () => {
  const app = await startApp();
  try {
    const { page } = await app.openWindow();
    await page.getByRole('listbox', { name: 'Tools' }).getByRole('option').first().waitFor();
    const first = await loaded(page, { first: true });
    expect(first.length).toBeLessThan(10);
    expect(first).not.toEqual([]);
    expect(first.filter(isMonaco)).toEqual([]);
    expect(first.reduce((sum, file) => sum + gzipped(file), 0)).toBeLessThan(280_000);
    await expect.poll(async () => (await loaded(page)).some((file) => file.includes('SettingsPane'))).toBe(true);
    expect((await loaded(page)).length).toBeLessThan(60);
    expect((await loaded(page)).filter(isMonaco)).toEqual([]);
    await page.keyboard.press('Control+3');
    await page.locator('.monaco-editor .view-line').first().waitFor();
    expect((await loaded(page)).filter(isMonaco)).not.toEqual([]);
  } finally {
    await app.stop();
  }
});
