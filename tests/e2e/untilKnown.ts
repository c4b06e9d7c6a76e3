import type { Page } from 'playwright-core';

/**
 * Waits until the window knows a tool by its full name, in English or Chinese. The Executor and the Parser take a name that is not
 * registered, too, so that nothing in them tells when a module or a device has come.
 */
export async function untilKnown(page: Page, qualifiedName: string): Promise<void> {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await palette.getByRole('combobox').fill(qualifiedName);
  await palette.getByRole('option').filter({ hasText: qualifiedName }).first().waitFor();
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'detached' });
}
