import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

import type { App } from './app.ts';
import { panes } from './paneKeys.ts';

const split = 'executor?right=devices';
const sizes = [
  { width: 1920, height: 1080 },
  { width: 1280, height: 800 },
  { width: 960, height: 600 },
  { width: 640, height: 400 },
];

/** Takes each pane, two beside each other and the palette, in both languages and themes and in four sizes, to be looked at. */
export async function takeEveryPane(app: App, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const locale of ['en-US', 'zh-CN']) {
    const { page } = await app.openWindow({ locale, deviceScaleFactor: 1 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const size of sizes) {
        await page.setViewportSize(size);
        const named = (what: string): string =>
          join(folder, `${what}-${locale.slice(0, 2)}-${colorScheme}-${size.width}.png`);
        for (const place of [...panes, split]) {
          await open(page, place);
          await page.screenshot({ path: named(place === split ? 'split' : place) });
        }
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').waitFor();
        await page.screenshot({ path: named('palette') });
        await page.keyboard.press('Escape');
      }
    }
    await page.context().close();
  }
}

async function open(page: Page, place: string): Promise<void> {
  await page.evaluate((hash) => location.assign(hash), `#/${place}`);
  // Editors and lists come after the pane's own first picture.
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
}
