/** A real browser opens the file that `toolwire serve` hands to the system's opener. */
import { readdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';

import { recordOpenedBrowser } from '../helpers/openedBrowser.ts';
import { chromiumFlags, findChromium } from './chromium.ts';
import { watchPage } from './watchPage.ts';

test('the file leads to the window, once', async ({ skip }) => {
  if (process.platform === 'win32') return skip('the opener of Windows is no script');
  const { home, serve, takeArguments } = recordOpenedBrowser();
  const { link } = await serve();
  const [file = ''] = await takeArguments();
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('No Chromium here; tests/run.ts gets one');
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ locale: 'en-US' });
  const problems = watchPage(page);
  await page.goto(file);
  await page.getByRole('navigation', { name: 'Panes' }).waitFor();
  expect(page.url()).not.toContain('token');
  expect(readdirSync(home)).toEqual([]);
  expect(problems).toEqual([]);

  // The link that is printed works in another browser, if the file did not.
  const other = await browser.newPage({ locale: 'en-US' });
  await other.goto(link);
  await other.getByRole('navigation', { name: 'Panes' }).waitFor();
});
