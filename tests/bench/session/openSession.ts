import type { Browser, Page } from 'playwright-core';
import { paneKey } from '../../e2e/paneKeys.ts';

/** A step of a busy machine takes long; only what hangs fails. */
const stepMs = 120_000;

/** The window of the session: the tour closed, the gateway on at any port. */
export async function openSession(browser: Browser, link: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  page.setDefaultTimeout(stepMs);
  await page.goto(link);
  await page.getByRole('navigation', { name: 'Panes' }).waitFor();
  await page.getByRole('button', { name: 'Hide the tour' }).click();
  await page.keyboard.press(paneKey('gateway'));
  await page.getByRole('button', { name: 'Gateway settings' }).click();
  await page.getByRole('spinbutton', { name: 'Port' }).fill('0');
  await page.getByRole('spinbutton', { name: 'Port' }).press('Enter');
  await page.locator('.gateway-setting', { hasText: 'CLOUD_PORT' }).getByText('set here').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('switch', { name: 'LLM gateway' }).click();
  await page.getByText(/Connect one to ws:\/\/127\.0\.0\.1:\d+/).waitFor();
  return page;
}
