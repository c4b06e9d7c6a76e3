/** The first load of the window in a browser that has never seen it: no request fails. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';

import { startServedProcess } from '../helpers/servedProcess.ts';
import { chromiumFlags, findChromium } from './chromium.ts';

test('no request of the first load fails, the icon included', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-first-load-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const { served, stop } = await startServedProcess(dataDir);
  onTestFinished(async () => void (await stop()));
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('No Chromium here; tests/run.ts gets one');
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ locale: 'en-US' });
  const answers: string[] = [];
  page.on('response', (response) => answers.push(`${response.status()} ${new URL(response.url()).pathname}`));
  page.on('requestfailed', (request) => {
    const { pathname } = new URL(request.url());
    const reason = request.failure()?.errorText;
    // Chromium sometimes reports a body as aborted though the page has read it to its end. That the key is stored shows that it was.
    if (pathname !== '/window-key' || reason !== 'net::ERR_ABORTED') answers.push(`failed ${pathname} ${reason}`);
  });

  await page.goto(served.link);
  await page.getByRole('navigation', { name: 'Panes' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(answers.length).toBeGreaterThan(3);
  await expect.poll(() => answers).toContain('200 /window-key');
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('window.token'))).toMatch(/^[\w-]{16,}$/);
  expect(answers.filter((answer) => !/^(2|3|101)/.test(answer))).toEqual([]);

  // A browser without a head requests no icon.
  const icons = await page
    .locator('link[rel~="icon"]')
    .evaluateAll((links) => links.map((link) => Reflect.get(link, 'href')));
  expect(icons.length).toBeGreaterThan(0);
  for (const icon of icons) expect([icon, (await page.request.get(String(icon))).status()]).toEqual([icon, 200]);
});
