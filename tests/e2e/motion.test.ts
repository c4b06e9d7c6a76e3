/** What opens and closes in the real window. No test measures time: each sees which transitions there were, and that they have ended. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';

import { startApp, type App } from './app.ts';
import { dropFile } from './dropFile.ts';
import { paneKey } from './paneKeys.ts';

let app: App;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

interface Watched {
  page: Page;
  /** Which of these main classes have faded out since the last question, once the last of them has gone. */
  left: (...classes: string[]) => Promise<string[]>;
}

async function openWatched(reducedMotion: 'no-preference' | 'reduce'): Promise<Watched> {
  const { page } = await app.openWindow({ reducedMotion });
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    new MutationObserver((changes) => {
      for (const { classList } of changes.flatMap(({ addedNodes }) => [...addedNodes] as HTMLElement[]))
        if (classList?.contains('leaving')) seen.push(classList[0] ?? '');
    }).observe(document.body, { childList: true });
  });
  return {
    page,
    left: async (...classes) => {
      for (const name of [...classes, 'leaving']) await expect.poll(() => page.locator(`.${name}`).count()).toBe(0);
      return page.evaluate(() => (globalThis as typeof globalThis & { seen: string[] }).seen.splice(0).sort());
    },
  };
}

test('dialogs, drawers, menus, the palette and notices fade out, and none of it with reduced motion', async () => {
  for (const moves of [true, false]) {
    const { page, left } = await openWatched(moves ? 'no-preference' : 'reduce');
    const faded = async (...classes: string[]): Promise<void> => {
      expect(await left(...classes)).toEqual(moves ? classes : []);
    };
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('clock_get_date');
    await page.keyboard.press('Escape');
    await faded('palette', 'scrim');

    await page.keyboard.press(paneKey('gateway'));
    const settings = page.getByRole('button', { name: 'Gateway settings' });
    await settings.click();
    await page.getByRole('dialog', { name: 'Gateway settings' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => settings.evaluate((button) => button === document.activeElement)).toBe(true);
    await faded('drawer', 'scrim');

    await page.keyboard.press(paneKey('devices'));
    await page.getByRole('button', { name: 'Add a virtual device' }).first().click();
    const more = page.getByRole('button', { name: /^More for/ }).first();
    await more.click();
    await page.getByRole('menuitem', { name: 'Open a capture' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => more.evaluate((button) => button === document.activeElement)).toBe(true);
    await faded('menu');
    const rename = page.getByRole('button', { name: 'Rename', exact: true });
    await rename.click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => rename.evaluate((button) => button === document.activeElement)).toBe(true);
    await faded('dialog', 'scrim');

    await dropFile(page, 'a.bin', 'a\u0000b');
    await page.locator('.toast').waitFor();
    await page.keyboard.press('Escape');
    await faded('toast');
    await page.context().close();
  }
});

/** Runs what opens or closes something, and returns which properties moved, and for how many ms if a script moved them. They have ended then. */
async function movesOf(page: Page, act: () => Promise<unknown>): Promise<string[]> {
  await page.evaluate(() => {
    const moved = new Set<string>();
    const animate = Element.prototype.animate;
    Object.assign(globalThis, { moved, animate });
    Element.prototype.animate = function (frames, options) {
      for (const [name, [from, to]] of Object.entries(frames as Record<string, string[]>))
        if (from !== to) moved.add(`${name} ${String((options as KeyframeAnimationOptions).duration)}`);
      return animate.call(this, frames, options);
    };
    document.addEventListener('transitionrun', ({ propertyName }) => moved.add(propertyName));
  });
  await act();
  await page.evaluate(async () => {
    const finite = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    await Promise.allSettled(finite.map(({ finished }) => finished));
  });
  return page.evaluate(() => {
    const { moved, animate } = globalThis as typeof globalThis &
      Record<'moved', Set<string>> &
      Record<'animate', never>;
    Element.prototype.animate = animate;
    return [...moved];
  });
}

test('docked regions and disclosures take their place instead of jumping to it, and jump with reduced motion', async () => {
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const { page } = await app.openWindow({ reducedMotion });
    const moves = (...names: string[]): unknown =>
      reducedMotion === 'reduce' ? [] : (expect.arrayContaining(names) as unknown);
    await page.keyboard.press(paneKey('discovery'));
    await page.getByRole('option', { name: /esp32-s3-box/ }).click();
    const more = page.getByRole('button', { name: /more methods$/ });
    expect(await movesOf(page, () => more.click())).toEqual(moves('height'));
    expect(await movesOf(page, () => page.getByRole('button', { name: 'Fewer methods' }).click())).toEqual(
      moves('height'),
    );

    await page
      .getByRole('button', { name: /Open in Executor/ })
      .last()
      .click();
    const wire = page.getByRole('region', { name: 'Wire' });
    await wire.waitFor();
    expect(await movesOf(page, () => page.keyboard.press('Control+j'))).toEqual(moves('marginBlockEnd 140'));
    expect(await movesOf(page, () => page.keyboard.press('Control+j'))).toEqual(moves('marginBlockEnd 140'));
    const schema = page.getByRole('button', { name: 'Schema', exact: true });
    expect(await movesOf(page, () => schema.click())).toEqual(moves('height 140'));
    await page.context().close();
  }
});
