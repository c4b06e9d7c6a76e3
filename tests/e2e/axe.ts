import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds wrong with what the page shows, each with where; empty where it finds nothing. All its rules, and
 * WCAG 2.2's size of targets, which it leaves out unless asked. Waits for the pane's heading: its code may be on its way.
 */
export async function findInaccessible(page: Page): Promise<string[]> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  // By the debugger: the page's own policy lets no script in.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run(options: {
          preload: boolean;
          resultTypes: string[];
          rules: Record<string, { enabled: boolean }>;
        }): Promise<{ violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[] }>;
      };
    };
    // A colour in its transition, or of a toast that fades in, has another contrast. Only what spins never ends.
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
    const { violations } = await axe.run({
      // Style sheets, for a rule on the orientation of phones.
      preload: false,
      resultTypes: ['violations'],
      rules: { 'target-size': { enabled: true } },
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
    );
  });
}
