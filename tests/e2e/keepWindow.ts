import type { BrowserContext, Page } from 'playwright-core';

/** What the calls below change of a page outlasts what it shows. */
const lasting = ['emulateMedia', 'addInitScript', 'exposeFunction', 'route'] as const;

/**
 * From now on, to close the context empties its window and hands it to `keep`: the next one need not compile the same scripts
 * again, which is a third of what a window costs. Closes the context if the window cannot be reset completely.
 */
export function keepWindow(context: BrowserContext, page: Page, origin: string, keep: (page: Page) => void): void {
  const close = context.close.bind(context);
  const size = page.viewportSize();
  let isAltered = false;
  for (const name of lasting) {
    const call = page[name].bind(page) as (...args: unknown[]) => unknown;
    Object.assign(page, { [name]: (...args: unknown[]) => ((isAltered = true), call(...args)) });
  }
  const { clock } = context;
  const install = clock.install.bind(clock);
  clock.install = (options) => ((isAltered = true), install(options));
  context.close = async () => {
    if (isAltered || page.isClosed() || context.pages().length > 1) return close();
    try {
      await empty(page, origin);
      if (size) await page.setViewportSize(size);
    } catch {
      // It hangs or has crashed.
      return close();
    }
    keep(page);
  };
}

async function empty(page: Page, origin: string): Promise<void> {
  page.removeAllListeners();
  // Of the same origin, so that it stays in the same process.
  await page.goto(new URL('favicon.svg', origin).href, { timeout: 5_000 });
  await page.evaluate(() => {
    sessionStorage.clear();
    localStorage.clear();
  });
  await page.context().clearCookies();
  // Nothing is under the pointer.
  await page.mouse.move(-1, -1);
  const session = await page.context().newCDPSession(page);
  await session.send('Page.resetNavigationHistory');
  await session.detach();
}
