/** The window as a whole: the way to a first call, places in the address, and two windows on one engine. */
import { mkdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startApp } from './app.ts';
import type { App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { dropFile } from './dropFile.ts';

const out = 'tests/.out';
let app: App;
beforeAll(async () => {
  mkdirSync(out, { recursive: true });
  app = await startApp();
});
afterAll(() => app.stop());

test('the first start leads to a call that was made, and is asked for again from the palette', async () => {
  const { page, problems } = await app.openWindow({ viewport: { width: 960, height: 600 } });
  const tour = page.getByRole('region', { name: 'Your first call' });
  await page.screenshot({ path: `${out}/tour-device.png` });
  await tour.getByRole('button', { name: 'Add a virtual device' }).click();
  await page.screenshot({ path: `${out}/tour-method.png` });
  await tour.getByRole('button', { name: /^Open / }).click();
  await page.getByRole('heading', { level: 1, name: 'self.' }).waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await tour.getByRole('button', { name: 'Go to the Run button' }).click();
  await page.screenshot({ path: `${out}/tour-run.png` });
  await page.keyboard.press('Enter');
  await tour
    .getByRole('status')
    .getByText(/answered in/)
    .waitFor();
  await page.screenshot({ path: `${out}/tour-done.png` });
  expect(await findInaccessible(page)).toEqual([]);
  await tour.getByRole('button', { name: 'Hide the tour' }).click();
  await tour.waitFor({ state: 'detached' });

  await page.keyboard.press('Control+k');
  await page.keyboard.type('> quick tour');
  await page.keyboard.press('Enter');
  await tour.getByRole('button', { name: 'Go to the Run button' }).waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

test('the address says where one is: reload, back and forward lead there, a made-up one does no harm', async () => {
  const { page, problems } = await app.openWindow();
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const base = page.url().replace(/#.*/, '');
  await page.goto(`${base}#/executor/clock_get_date`);
  await heading('get_date').waitFor();
  await page.keyboard.press('Control+4');
  await expect.poll(() => page.url()).toMatch(/#\/devices/);
  await page.goBack();
  await heading('get_date').waitFor();
  await page.reload();
  await heading('get_date').waitFor();
  await page.goForward();
  await heading('Devices').waitFor();
  await page.evaluate(() => (location.hash = '#/executor/__proto__/run'));
  await expect.poll(() => page.url()).toMatch(/#\/devices/);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a text is copied as it is, also if the browser refuses the clipboard to the page', async () => {
  const { page, problems } = await app.openWindow();
  await page.evaluate(() => {
    const writeText = () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'));
    Object.defineProperty(navigator, 'clipboard', { value: { writeText } });
  });
  const search = page.getByRole('searchbox').first();
  await search.focus();
  await page.getByRole('button', { name: 'Copy the address' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await search.fill('');
  await page.keyboard.press('Control+v');
  await expect.poll(() => search.inputValue()).toBe(app.served.device.otaUrl);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('two windows on one engine see what the other does, and each stays where it is', async () => {
  const [first, second] = [await app.openWindow(), await app.openWindow()];
  await first.page.keyboard.press('Control+4');
  await second.page.keyboard.press('Control+,');
  await second.page.getByRole('radio', { name: 'Dark' }).click();
  await first.page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
  const count = first.page.getByRole('contentinfo').getByRole('button', { name: /device/ });
  const before = await count.innerText();
  await second.page.keyboard.press('Control+Shift+D');
  await expect.poll(() => count.innerText()).not.toBe(before);
  expect(first.page.url()).toMatch(/#\/devices/);
  expect(second.page.url()).toMatch(/#\/settings/);

  await second.page.goto(second.page.url().replace(/#.*/, '#/executor/clock_get_date'));
  await second.page.getByRole('button', { name: /^Run Ctrl/ }).click();
  await second.page.getByRole('region', { name: 'Result' }).getByRole('status').getByText('OK').waitFor();
  await first.page.keyboard.press('Control+k');
  await first.page.getByRole('option', { name: /get_date.*OK/ }).waitFor();
  expect([...first.problems, ...second.problems]).toEqual([]);
  await first.page.context().close();
  await second.page.context().close();
});

test('the sections of the settings lead to theirs, follow the scrolling, and are in the address and the palette', async () => {
  const { page, problems } = await app.openWindow();
  await page.keyboard.press('Control+,');
  const sections = page.getByRole('navigation', { name: 'Sections' });
  const current = sections.locator('[aria-current]');
  await expect.poll(() => current.textContent()).toContain('General');
  await sections.getByRole('button', { name: 'Models', exact: true }).click();
  const models = page.getByRole('heading', { level: 2, name: 'Models', exact: true });
  await expect.poll(async () => (await models.boundingBox())?.y).toBeLessThan(200);
  await expect.poll(() => page.url()).toMatch(/#\/settings\/models$/);
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, -20_000);
  await expect.poll(() => current.textContent()).toContain('General');
  // The last one cannot reach the top.
  await sections.getByRole('button', { name: 'About' }).click();
  await expect.poll(() => page.url()).toMatch(/#\/settings\/about$/);
  await expect.poll(() => current.textContent()).toContain('About');
  await page.screenshot({ path: `${out}/settings-sections.png` });
  expect(await findInaccessible(page)).toEqual([]);
  await page.reload();
  await expect.poll(() => current.textContent()).toContain('About');
  // Events of the scrolling come with the next frames.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await current.textContent()).toContain('About');

  await sections.getByRole('button', { name: 'About' }).focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('rounds');
  await page.getByRole('option', { name: /Max rounds/ }).click();
  await expect.poll(() => page.url()).toMatch(/#\/settings\/calling$/);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? ''))
    .toMatch(/ounds/);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('settings are searched, exported, and imported after a preview of the changes', async () => {
  const { page, problems } = await app.openWindow();
  await page.keyboard.press('Control+,');
  const main = page.getByRole('main');
  await main.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('in parallel');
  await main.getByRole('heading', { name: 'Devices' }).waitFor({ state: 'hidden' });
  await main.getByRole('heading', { name: 'Tool calling' }).waitFor();
  await page.screenshot({ path: `${out}/settings-search.png` });
  expect(await findInaccessible(page)).toEqual([]);
  // What a control offers is found, too.
  await main.getByRole('searchbox').fill('dark');
  await main.getByRole('radio', { name: 'Dark' }).waitFor();
  await main.getByRole('searchbox').fill('local network');
  await main.getByRole('radio', { name: 'The local network' }).waitFor();
  await main.getByRole('searchbox').fill('nothing of the kind');
  await main.getByRole('button', { name: 'Show all settings' }).click();
  await main.getByRole('heading', { name: 'Devices' }).waitFor();
  const sections = main.getByRole('navigation', { name: 'Sections' });
  await main.getByRole('searchbox').fill('in parallel');
  await sections.getByRole('button', { name: 'Devices' }).waitFor({ state: 'detached' });
  await sections.getByRole('button', { name: 'Tool calling' }).waitFor();
  await main.getByRole('searchbox').fill('');
  // What the engine refuses is said at its field, and stays to be mended.
  const folder = main.getByRole('textbox', { name: 'Folder for directory-tree' });
  await folder.fill('/nowhere/at/all');
  await main.getByText('is not a folder on this machine').waitFor();
  expect(await folder.inputValue()).toBe('/nowhere/at/all');
  await folder.fill('');
  await main.getByText('is not a folder on this machine').waitFor({ state: 'hidden' });

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    main.getByRole('button', { name: 'Export' }).click(),
  ]);
  const saved = JSON.parse(readFileSync(await download.path(), 'utf8')) as { settings: Record<string, unknown> };
  expect(saved.settings).toMatchObject({ listUserTools: true });

  const give = async (content: unknown): Promise<void> => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      main.getByRole('button', { name: 'Import' }).click(),
    ]);
    const buffer = Buffer.from(JSON.stringify(content));
    await chooser.setFiles({ name: 'team.json', mimeType: 'application/json', buffer });
  };
  await give({ ...saved, settings: { captureLimitMb: 0 } });
  await main.getByText(/"settings\.captureLimitMb" must be/).waitFor();
  await give({ ...saved, settings: { ...saved.settings, captureLimitMb: 7 } });
  const dialog = page.getByRole('dialog', { name: /Import/ });
  await dialog.getByRole('listitem').getByText('captureLimitMb').waitFor();
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(1);
  expect(await findInaccessible(page)).toEqual([]);
  await page.screenshot({ path: `${out}/settings-import.png` });
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect
    .poll(() => main.getByRole('spinbutton').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)))
    .toContain('7');
  expect(problems).toEqual([]);
  await page.context().close();
});

test('what opens takes 140 ms, and no time if the user asked for less motion', async () => {
  for (const [reducedMotion, duration] of [
    ['no-preference', '0.14s'],
    ['reduce', '0s'],
  ] as const) {
    const { page } = await app.openWindow({ reducedMotion });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    const style = await page.getByRole('dialog').evaluate((dialog) => getComputedStyle(dialog));
    expect([style.animationName, style.animationDuration]).toEqual(['appear', duration]);
    await page.getByRole('combobox').fill('clock_get_date');
    await page
      .getByRole('option', { name: /get_date/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'get_date' }).waitFor();
    await page.keyboard.press('Control+Enter');
    const result = page.getByRole('region', { name: 'Result' });
    await result.locator('.returned').waitFor();
    // Two results that follow one another quickly would flash.
    expect(await result.locator('.returned').evaluate((shown) => getComputedStyle(shown).animationName)).toBe('none');
    await page.context().close();
  }
});

test('a dropped file opens in the pane for its contents; an unknown one is refused with the reason', async () => {
  const { page, problems } = await app.openWindow();
  const drop = (name: string, content: string): Promise<void> => dropFile(page, name, content);
  await drop('notes.bin', 'RIFF\u0001\u0001\u0001\u0001WAVEfmt ');
  await page.locator('.toast').getByText('The recording was not played').waitFor();
  await drop('dice.call.json', '{}');
  await page.locator('.toast').getByText('Browsers do not reveal folder paths').waitFor();
  await drop('a.bin', 'a\u0000b');
  await page.locator('.toast').getByText('This is neither text nor a WAV recording').waitFor();
  const margins = () =>
    page.locator('.toasts').evaluate((toasts) => {
      const { right, bottom } = toasts.getBoundingClientRect();
      return { right: innerWidth - right, bottom: innerHeight - bottom };
    });
  // At the bottom right, above the status bar.
  await expect.poll(async () => (await margins()).right).toBe(16);
  await expect.poll(async () => (await margins()).bottom).toBeGreaterThan(28);
  await drop('reply.json', 'It is <<<[TOOL_REQUEST]>>>tool_name:「始」clock_get_date「末」<<<[END_TOOL_REQUEST]>>>');
  await page.getByRole('listitem', { name: /get_date/ }).waitFor();
  await drop('device.txt', '{"toolwire":"capture","version":9}\n');
  await page.getByRole('heading', { level: 1, name: 'Devices' }).waitFor();
  await page
    .getByText(/device\.txt/)
    .first()
    .waitFor();
  await drop('chat.json', '{"format":"toolwire-chat","version":1}');
  await page
    .getByRole('main')
    .getByText(/chat\.json/)
    .waitFor();
  await drop('mine.json', '{"format":"toolwire-settings","version":1,"settings":{"theme":"dark"}}');
  await page.getByRole('dialog', { name: 'Import “mine.json”' }).waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a tool chosen with Enter is not run by it, and Ctrl+Enter runs before the control in front and never under a dialog', async () => {
  const { page, problems } = await app.openWindow();
  const base = page.url().replace(/#.*/, '');
  await page.goto(`${base}#/executor/clock_get_date`);
  const run = page.getByRole('button', { name: /^Run Ctrl/ });
  const past = page.getByRole('region', { name: 'Last 10' }).getByRole('listitem');
  const ended = (count: number) => expect.poll(() => past.count()).toBe(count);
  await run.click();
  await page.getByRole('region', { name: 'Result' }).getByRole('status').getByText('OK').waitFor();
  await page.keyboard.press('Control+o');
  await page.getByRole('dialog').getByRole('combobox').fill('clock_get_time');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'get_time' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const arguments_ = page.getByRole('region', { name: 'Arguments' });
  await expect.poll(() => arguments_.evaluate((region) => region.contains(document.activeElement))).toBe(true);

  const asks = page.getByRole('switch', { name: 'Ask before running' });
  await asks.focus();
  await page.keyboard.press('Control+Enter');
  await ended(1);
  expect(await asks.getAttribute('aria-checked')).toBe('false');

  await page.keyboard.press('Control+s');
  await page.getByRole('dialog', { name: 'Save this call' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Enter');
  await ended(2);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a link to a tool that is not here says so and leads on; the tour goes by its device, whatever tool was open', async () => {
  const { page, problems } = await app.openWindow({ viewport: { width: 640, height: 400 } });
  const base = page.url().replace(/#.*/, '');
  const main = page.getByRole('main');
  await page.goto(`${base}#/executor/clock_get_dat`);
  await main.getByText('Did you mean').waitFor();
  await main.getByRole('button', { name: 'clock_get_date', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'get_date' }).waitFor();
  // At 200 % of 1,280 px nothing lies on the result: it is scrolled to.
  const result = main.getByRole('region', { name: 'Result' });
  await result.scrollIntoViewIfNeeded();
  expect((await result.boundingBox())?.height).toBeGreaterThan(100);
  await page.screenshot({ path: `${out}/executor-640.png` });

  await page.keyboard.press('Control+k');
  await page.keyboard.type('> quick tour');
  await page.keyboard.press('Enter');
  const tour = page.getByRole('region', { name: 'Your first call' });
  const add = tour.getByRole('button', { name: 'Add a virtual device' });
  const open = tour.getByRole('button', { name: /^Open .*self\./ });
  await add.or(open).waitFor();
  if (await add.isVisible()) await add.click();
  await open.click();
  await page.getByRole('heading', { level: 1, name: 'self.' }).waitFor();
  await tour.getByRole('button', { name: 'Go to the Run button' }).waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});
