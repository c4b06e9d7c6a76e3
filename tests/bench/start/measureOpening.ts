import type { Page } from 'playwright-core';

import { watchTasks } from '../watchTasks.ts';

/** How a page came up; ms, from the request for it. */
export interface Opening {
  /** A tool of Discovery was clicked and shows its methods. */
  usable: number;
  /** As `usable`, of a page of one line from the same server: its first frame. */
  floor: number;
  /** Of the page's thread, in ms of processor. */
  longestTask: number;
}

declare global {
  /** Set by the script that watches a page come up. */
  var cameUp: number | undefined;
}

/** Opens the window by a link or its address and clicks a tool as soon as there is one; then the page that is the floor. */
export async function measureOpening(page: Page, address: string): Promise<Opening> {
  const watch = await watchTasks(page);
  await page.goto('about:blank');
  await page.addInitScript(clickWhenThere);
  let usable = NaN;
  const row = await watch('open', async () => {
    await page.goto(address, { waitUntil: 'commit' });
    usable = await cameUpAt(page);
  });
  // A file that is not there: one line of text, and the way to it is the same.
  await page.goto(new URL('/none', address).href, { waitUntil: 'commit' });
  const floor = await cameUpAt(page);
  return { usable, floor, longestTask: row['longest task, ms of processor'] };
}

async function cameUpAt(page: Page): Promise<number> {
  const handle = await page.waitForFunction(() => globalThis.cameUp, undefined, { polling: 20 });
  return Number(await handle.jsonValue());
}

/** Runs in the page: looks at each frame how far it has come. */
function clickWhenThere(): void {
  globalThis.cameUp = undefined;
  let clicked = false;
  const look = (): void => {
    const options = document.querySelectorAll('[role="listbox"][aria-label="Tools"] [role="option"]');
    const tool = options[1];
    if (tool instanceof HTMLElement && !clicked) {
      clicked = true;
      tool.click();
    }
    const methods = document.querySelector('[role="listbox"][aria-label="Methods"] [role="option"]');
    const answered = clicked && tool?.getAttribute('aria-selected') === 'true' && methods !== null;
    const isFloor = location.pathname === '/none' && document.body?.textContent !== '';
    if (answered || isFloor) globalThis.cameUp = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
