import type { Locator, Page } from 'playwright-core';

import { untilReplaced } from './untilReplaced.ts';

/**
 * Runs the call in the Executor's form and waits for its own result: for its first 150 ms, a call leaves in view what the last one
 * returned. Returns the region of the result.
 */
export async function runCall(page: Page): Promise<Locator> {
  const result = page.locator('[data-pane="executor"] .result');
  const shown = result.locator('.returned');
  await untilReplaced(shown, () => page.keyboard.press('Control+Enter'));
  await shown.waitFor();
  return result;
}
