import type { Locator } from 'playwright-core';

/** Acts, and waits until what is shown now is gone, even if the same thing is shown again at once. */
export async function untilReplaced(shown: Locator, act: () => Promise<void>): Promise<void> {
  const before = await shown.elementHandles();
  await act();
  for (const each of before) await each.waitForElementState('hidden');
}
