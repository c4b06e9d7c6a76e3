import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';

import { createVirtualDeviceOf } from '../../src-core/features/devices/virtual/profiles.ts';
import { connectScripted, standardAnswer } from '../core/features/devices/support/scriptedDevice.ts';
import { startApp } from './app.ts';
import type { App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { writeOddSchemas } from './oddSchemas.ts';
import { runCall } from './runCall.ts';

let app: App;
let page: Page;
let problems: string[];

beforeAll(async () => {
  app = await startApp();
  writeOddSchemas(app.dataDir);
});
afterAll(() => app.stop());
beforeEach(async () => {
  ({ page, problems } = await app.openWindow());
});
afterEach(async () => {
  expect(problems).toEqual([]);
  await page.context().close();
});

const form = (): Locator => page.getByRole('region', { name: 'Arguments' });
const button = (name: string): Locator => form().getByRole('button', { name, exact: true });
const group = (name: string): Locator => form().getByRole('group', { name, exact: true });

/** Puts a tool of the folder, or one of a device, in front. */
async function open(tool: string): Promise<void> {
  await page.keyboard.press('Control+2');
  await page
    .getByRole('main')
    .getByRole('button', { name: /^(Choose a tool|Open a tool in a new tab|选择工具|在新标签页中打开工具)/ })
    .first()
    .click();
  const picker = page.getByRole('dialog');
  await picker.getByRole('combobox').fill(tool);
  // Until a device has listed its tools, there is only the row that takes the typed text as it is.
  await picker
    .getByRole('option')
    .filter({ hasText: tool, hasNotText: /anyway|仍然使用/ })
    .first()
    .click();
  await page.getByRole('heading', { level: 1, name: tool }).waitFor();
  // The window remembers how arguments were last edited.
  await page.getByRole('radio', { name: /^(Form|表单)$/ }).click();
  await page.locator('[data-field]').first().waitFor();
  const folded = page.getByRole('button', { name: /optional arguments not set|个可选参数未设置/ });
  if ((await folded.count()) > 0) await folded.click();
}

/** Runs what the form holds and gives the tool's answer: what it was given, as it was written. */
async function answer(): Promise<string> {
  const result = await runCall(page);
  await result.getByRole('status').getByText('OK').waitFor();
  await result.getByRole('tab', { name: 'Raw' }).click();
  return (await result.getByRole('tabpanel').innerText()).replaceAll(/\s*\n\s*/g, '');
}

describe('a form of a schema with everything in it', () => {
  test('calls with an object, a list, a map, a kind of value, a tuple and a large integer; what was not touched is not sent', async () => {
    await open('shop_order');
    await form().getByRole('textbox', { name: 'title' }).fill('Lunch');

    await button('Set value: customer').click();
    await group('customer').getByRole('textbox', { name: 'name' }).fill('Ada');

    await button('Set value: tags').click();
    await button('Add an item: tags').click();
    await page.keyboard.type('b');
    await button('Add an item: tags').click();
    await page.keyboard.type('a');
    await button('Move up: tags 2').press('Enter');
    const down = button('Move down: tags 1');
    await expect.poll(() => down.evaluate((element) => element === document.activeElement)).toBe(true);

    await button('Set value: shape').click();
    await form().getByRole('radio', { name: 'box' }).first().click();
    await group('shape').getByRole('spinbutton', { name: 'width' }).fill('2.50');
    await group('shape').getByRole('spinbutton', { name: 'height' }).fill('3');

    await button('Set value: id').click();
    await form().getByRole('spinbutton', { name: 'id', exact: true }).fill('9007199254740993');

    await button('Set value: point').click();
    await group('point').getByRole('spinbutton', { name: 'point 2' }).fill('-1');

    await button('Set value: limits').click();
    await group('limits').getByRole('textbox', { name: 'Name of the entry' }).fill('cpu');
    await page.keyboard.press('Enter');
    await group('limits').getByRole('spinbutton', { name: 'cpu' }).fill('4');

    await button('Set value: folder').click();
    await group('folder').getByRole('textbox', { name: 'name' }).fill('inner');
    await group('folder').getByRole('button', { name: 'Set value: parent' }).click();
    await group('parent').getByRole('textbox', { name: 'name' }).fill('outer');

    await form().getByText('Valid', { exact: true }).waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    expect(await answer()).toBe(
      '{"title":"Lunch","customer":{"name":"Ada"},"tags":["a","b"],"shape":{"kind":"box","width":2.5,"height":3},' +
        '"id":9007199254740993,"point":[0,-1],"limits":{"cpu":4},' +
        '"folder":{"name":"inner","parent":{"name":"outer"}}}',
    );
  });

  test('tells absent, null and an empty text apart, and says what is wrong at the field', async () => {
    await open('shop_errors');
    await form().getByRole('textbox', { name: 'title' }).fill('x');
    expect(await answer()).toBe('{"title":"x"}');
    await button('Set value: note').click();
    await form().getByRole('textbox', { name: 'note' }).fill('');
    expect(await answer()).toBe('{"title":"x","note":""}');
    await button('null: note').click();
    expect(await answer()).toBe('{"title":"x","note":null}');
    await button('Clear: note').click();
    expect(await answer()).toBe('{"title":"x"}');

    await form().getByRole('textbox', { name: 'title' }).fill('');
    await form().getByText('The string has 0 characters; the minimum is 1.').waitFor();
    await button('Set value: tags').click();
    await button('Add an item: tags').click();
    await page.keyboard.type('Big');
    await form().getByText('Does not match the pattern ^[a-z]+$').waitFor();
    await button('Schema').click();
    await form().getByRole('region', { name: 'Schema' }).waitFor();
    expect(await findInaccessible(page)).toEqual([]);
  });

  test('keeps what was written over another pane and a reload', async () => {
    await open('shop_kept');
    await form().getByRole('textbox', { name: 'title' }).fill('Kept');
    await page.keyboard.press('Control+1');
    await page.keyboard.press('Control+2');
    await expect.poll(() => form().getByRole('textbox', { name: 'title' }).inputValue()).toBe('Kept');
    await open('shop_wide');
    await open('shop_kept');
    await expect.poll(() => form().getByRole('textbox', { name: 'title' }).inputValue()).toBe('Kept');
    const opened = page.waitForEvent('websocket');
    await page.reload();
    const line = await opened;
    await page.keyboard.press('Control+2');
    const kept = line.waitForEvent('framesent', ({ payload }) => String(payload).includes('Kept again'));
    await form().getByRole('textbox', { name: 'title' }).fill('Kept again');
    await kept;
    await page.reload();
    await page.keyboard.press('Control+2');
    await expect.poll(() => form().getByRole('textbox', { name: 'title' }).inputValue()).toBe('Kept again');
  });

  test('keeps what was typed in the very moment before the window goes', async () => {
    await open('shop_kept');
    const title = form().getByRole('textbox', { name: 'title' });
    const reloaded = page.waitForEvent('load');
    // Within one task of the page: none of its timers runs in between.
    await title.evaluate((input: HTMLInputElement) => {
      input.value = 'The last word';
      input.dispatchEvent(new Event('input', { bubbles: true }));
      location.reload();
    });
    await reloaded;
    await page.keyboard.press('Control+2');
    await expect.poll(() => title.inputValue()).toBe('The last word');
  });

  test('JSON mode takes what is typed before and while the editor loads, and keeps it over a reload', async () => {
    const loaded = Promise.withResolvers<undefined>();
    await page.route(/assets\/monaco-.*\.js$/, async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await open('shop_json');
    await page.getByRole('radio', { name: 'JSON' }).click();
    const text = form().getByRole('textbox', { name: 'Arguments as JSON' });
    await text.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{"title": "half ');
    loaded.resolve(undefined);
    await page.locator('.monaco-editor .view-line').first().waitFor();
    await page.keyboard.type('and half", "id": 5, ');
    const shown = async (): Promise<string> =>
      (await page.locator('.monaco-editor .view-lines').innerText()).replaceAll('\u00A0', ' ');
    await expect.poll(shown).toContain('{"title": "half and half", "id": 5, ');
    // It is no JSON yet.
    await page.reload();
    await page.keyboard.press('Control+2');
    await expect.poll(shown).toContain('{"title": "half and half", "id": 5, ');
  });

  test('JSON mode sends exactly what is shown', async () => {
    await open('shop_json');
    await page.getByRole('radio', { name: 'JSON' }).click();
    await page.locator('.monaco-editor').first().click();
    await page.keyboard.press('Control+a');
    // What keeps the call from running is red.
    await page.keyboard.type('{"title": 1}');
    await page.locator('.squiggly-error').first().waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{"title": "J", "id": 123456789012345678901234567890, "other": 1}');
    expect(await answer()).toBe('{"title":"J","id":123456789012345678901234567890,"other":1}');
    await page.getByRole('radio', { name: 'Form' }).click();
    const id = form().getByRole('spinbutton', { name: 'id', exact: true });
    await expect.poll(() => id.inputValue()).toBe('123456789012345678901234567890');
    await form().getByText('Other arguments').waitFor();
  });
});

test('a schema of a thousand properties opens with what is required, and a search finds the rest', async () => {
  await open('shop_wide');
  await form().getByRole('searchbox', { name: 'Search 1,000 fields' }).waitFor();
  await expect.poll(() => form().locator('[data-field]').count()).toBe(100);
  const first = await form()
    .locator('[data-field]')
    .evaluateAll((all) => all.slice(0, 2).map((one) => one.getAttribute('data-field')));
  expect(first).toEqual(['field7', 'field990']);
  await form().getByRole('searchbox').fill('number 512');
  await expect.poll(() => form().locator('[data-field]').count()).toBe(1);
  await button('Set value: field512').click();
  await form().getByRole('textbox', { name: 'field512' }).fill('found');
  await form().getByRole('searchbox').fill('');
  await button('Show 100 more fields').click();
  await expect.poll(() => form().locator('[data-field]').count()).toBe(200);
  expect(await findInaccessible(page)).toEqual([]);
});

test('a large integer goes over the wire to a device digit for digit', async () => {
  const device = createVirtualDeviceOf(undefined, { url: app.served.device.otaUrl, name: 'kitchen' });
  await device.connect();
  try {
    const tool = 'self.audio_speaker.set_volume';
    await open(tool);
    await page.getByRole('radio', { name: 'JSON' }).click();
    await page.locator('.monaco-editor').first().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{"volume": 5, "trace": 9007199254740993}');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Control+j');
    const exchange = page.getByRole('listbox', { name: 'Wire' });
    await exchange.getByRole('option').first().click();
    await page.getByText('9007199254740993').last().waitFor();
  } finally {
    device.pullPlug();
  }
});

test('limits, choices and answers of a device beyond 2^53 hold to the digit, and its frame has every one', async () => {
  const big = '9007199254740993';
  const schema = `{"type":"object","properties":{"id":{"type":"integer","minimum":${big}},"kind":{"enum":[${big},"other kinds","of a length","that makes it a list"]}},"required":["id"]}`;
  const results: Record<string, string> = {
    'tools/list': `{"tools":[{"name":"self.exact_pick","description":"","inputSchema":${schema}}]}`,
    'tools/call': `{"structuredContent":{"picked":${big}}}`,
  };
  const device = await connectScripted(app.served.device.webSocketUrl, {
    headers: { 'Device-Id': '02:00:00:00:05:03' },
    answer: (request) => {
      const result = results[request.method];
      if (result === undefined || request.id === undefined) return standardAnswer(request);
      return `{"session_id":"","type":"mcp","payload":{"jsonrpc":"2.0","id":${request.id},"result":${result}}}`;
    },
  });
  try {
    device.hello();
    await open('self.exact_pick');
    const id = form().getByRole('spinbutton', { name: 'id', exact: true });
    await form().getByText(`integer ≥ ${big}`).waitFor();
    await id.fill('9007199254740992');
    await form()
      .getByRole('button', { name: `Use ${big}` })
      .click();
    await expect.poll(() => id.inputValue()).toBe(big);
    await id.press('ArrowDown');
    expect(await id.inputValue()).toBe(big);
    await button('Set value: kind').click();
    await button('Schema').click();
    await form().getByRole('region', { name: 'Schema' }).getByText(big).first().waitFor();

    await page.keyboard.press('Control+Enter');
    await device.request('tools/call');
    expect(device.raw.findLast(({ text }) => text.includes('tools/call'))?.text).toContain(
      `"arguments":{"id":${big},"kind":${big}}`,
    );
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText(big).first().waitFor();
  } finally {
    device.socket.terminate();
  }
});

test.each([
  ['en-US', 'dark', 960, 600],
  ['zh-CN', 'light', 1920, 1080],
] as const)('is shown in %s, %s, at %i × %i', async (locale, colorScheme, width, height) => {
  const other = await app.openWindow({ locale, colorScheme, viewport: { width, height } });
  await page.context().close();
  ({ page, problems } = other);
  await open(locale === 'zh-CN' ? 'shop_blick' : 'shop_look');
  const region = page.getByRole('region', { name: locale === 'zh-CN' ? '参数' : 'Arguments' });
  const send = locale === 'zh-CN' ? '设置值' : 'Set value';
  for (const name of ['customer', 'tags', 'shape', 'point', 'limits', 'folder', 'anything']) {
    await region.getByRole('button', { name: `${send}: ${name}`, exact: true }).click();
  }
  const overflow = await region.locator('.body').evaluate((body) => body.scrollWidth - body.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  expect(await findInaccessible(page)).toEqual([]);
});
