/** What opens and closes in the real window. No test measures time: each sees which transitions there were, and that they have ended. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';

import { startApp, type App } from './app.ts';
import { paneKey } from './paneKeys.ts';

let app: App;

beforeAll(async () => {
  app = await startApp();
}, 60_000);
afterAll(() => app.stop());

interface Watched {
  page: Page;
  /** What has faded out since the last question, by its main class, once the last of it has gone. */
  left: () => Promise<string[]>;
}

async function openWatched(reducedMotion: 'no-preference' | 'reduce'): Promise<Watched> {
  const { page } = await app.openWindow({ reducedMotion });
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    new MutationObserver((changes) => {
      for (const { classList } of changes.flatMap(({ addedNodes }) => [...addedNodes] as HTMLElement[]))
        if (classList?.contains('leaving')) seen.push(classList[0] ?? '');
    }).observe(document.body, { childList: true });
  });
  return {
    page,
    left: async () => {
      await expect.poll(() => page.locator('.leaving').count()).toBe(0);
      return page.evaluate(() => (globalThis as typeof globalThis & { seen: string[] }).seen.splice(0).sort());
    },
  };
}

test('dialogs, drawers, menus, the palette and notices fade out, and none of it with reduced motion', async () => {
  for (const moves of [true, false]) {
    const { page, left } = await openWatched(moves ? 'no-preference' : 'reduce');
    const faded = async (...classes: string[]): Promise<void> => {
      expect(await left()).toEqual(moves ? classes : []);
    };
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('clock_get_date');
    await page.keyboard.press('Escape');
    await faded('palette', 'scrim');

    await page.keyboard.press(paneKey('gateway'));
    const settings = page.getByRole('button', { name: 'Gateway settings' });
    await settings.click();
    await page.getByRole('dialog', { name: 'Gateway settings' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => settings.evaluate((button) => button === document.activeElement)).toBe(true);
    await faded('drawer', 'scrim');

    await page.keyboard.press(paneKey('devices'));
    await page.getByRole('button', { name: 'Add a virtual device' }).first().click();
    const more = page.getByRole('button', { name: /^More for/ }).first();
    await more.click();
    await page.getByRole('menuitem', { name: 'Open a capture' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => more.evaluate((button) => button === document.activeElement)).toBe(true);
    await faded('menu');
    const rename = page.getByRole('button', { name: 'Rename', exact: true });
    await rename.click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => rename.evaluate((button) => button === document.activeElement)).toBe(true);
    await faded('dialog', 'scrim');

    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['a\u0000b'], 'a.bin'));
      for (const kind of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    });
    await page.locator('.toast').waitFor();
    await page.keyboard.press('Escape');
    await faded('toast');
    await page.context().close();
  }
});
