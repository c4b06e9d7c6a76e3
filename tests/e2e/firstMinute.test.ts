import { mkdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';

import { createVirtualDeviceOf } from '../../src-core/features/devices/virtual/profiles.ts';
import { startApp } from './app.ts';
import type { App } from './app.ts';

const reply = `It is a little loud, one moment.
<<<[TOOL_REQUEST]>>>
tool_name:「始」clock「末」,
command:「始」get_time「末」
<<<[END_TOOL_REQUEST]>>>
And the date, too.
<<<[TOOL_REQUEST]>>>
tool_name:「始」clock_get_date「末」
<<<[END_TOOL_REQUEST]>>>
Done.`;

let app: App;
let page: Page;
let problems: string[];

beforeAll(async () => {
  mkdirSync('tests/.out', { recursive: true });
  app = await startApp();
});
afterAll(() => app.stop());

beforeEach(async () => {
  ({ page, problems } = await app.openWindow());
});
afterEach(async ({ task }) => {
  await page.screenshot({ path: `tests/.out/${task.name.replace(/\W+/g, '-').slice(0, 60)}.png` });
  expect(problems).toEqual([]);
  await page.context().close();
});

async function openPane(name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name }).click();
}

/** Finds a method in Discovery and loads it into the Executor. */
async function load(method: string): Promise<void> {
  await openPane('Discovery');
  await page.getByRole('searchbox').fill(method);
  await page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: method }).first().click();
  await page.getByRole('listbox', { name: 'Methods' }).getByRole('option', { name: method }).click();
  await page.getByRole('button', { name: /Open in Executor/ }).click();
  await page.getByRole('heading', { level: 1, name: method }).waitFor();
}

async function run(): Promise<void> {
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
}

describe('the first minute', () => {
  test('a virtual device is added, found, loaded and called, and its frames are seen', async () => {
    await openPane('Discovery');
    await page.getByRole('button', { name: 'Add a virtual device' }).first().click();
    await load('self.audio_speaker.set_volume');
    await page.getByRole('spinbutton', { name: /volume/ }).fill('50');
    await run();
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByRole('status').getByText('OK').waitFor();
    await result.getByText('true').first().waitFor();
    await page.keyboard.press('Control+j');
    const frames = page.getByRole('listbox', { name: 'Wire' });
    await frames.waitFor();
    await frames.getByRole('option', { name: /sent.*tools\/call/ }).click();
    await page.getByText('"self.audio_speaker.set_volume"').first().waitFor();
    await expect.poll(() => frames.getByRole('option').count()).toBe(2);
    // What the device did is real: it reports the volume it was given.
    await load('self.get_device_status');
    await run();
    await expect.poll(() => result.textContent()).toContain('50');
  });

  test('a reply with two calls and prose shows both, resolved', async () => {
    await openPane('Parser');
    await page.locator('.monaco-editor').first().click();
    await page.keyboard.insertText(reply);
    const calls = page.getByRole('region', { name: /Calls/ });
    await calls.getByText('clock_get_date').first().waitFor();
    await expect.poll(() => calls.getByRole('listitem').count()).toBe(2);
  });

  test('an argument out of range disables Run, is sent anyway, and run as a model once it fits', async () => {
    await load('listFiles');
    await page.getByRole('radio', { name: 'JSON' }).click();
    await page.locator('.monaco-editor').first().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{"path": ".", "maxDepth": 4096}');
    const form = page.getByRole('region', { name: 'Arguments' });
    await form.getByText('1 problem').waitFor();
    await page.getByRole('radio', { name: 'Form' }).click();
    await form.getByText(/4096 is above the maximum, 32\./).waitFor();
    const result = page.getByRole('region', { name: 'Result' });
    const run = page.getByRole('button', { name: /^Run Ctrl/ });
    await expect.poll(() => run.getAttribute('aria-disabled')).toBe('true');
    await run.hover();
    await page.getByRole('tooltip', { name: 'Invalid or missing: maxDepth' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
    await page.getByRole('button', { name: 'More ways to run' }).click();
    await page.getByRole('menuitem', { name: 'Send anyway' }).click();
    await result.getByText('Not validated').waitFor();
    await result.getByText('Schema validation was skipped for this call.').waitFor();
    await form.getByRole('button', { name: 'Use 32' }).click();
    await form.getByText('Valid', { exact: true }).waitFor();
    await expect.poll(() => form.getByRole('spinbutton', { name: /maxDepth/ }).inputValue()).toBe('32');
    await page.getByRole('button', { name: 'More ways to run' }).click();
    await page.getByRole('menuitem', { name: 'Run as a model' }).click();
    await result.getByText('No argument needed conversion.').waitFor();
  });

  test('the device leaves during a call: a clear error, the registry updated, the window alive', async () => {
    const device = createVirtualDeviceOf(undefined, {
      url: app.served.device.otaUrl,
      name: 'kitchen',
      latencyMs: 3_600_000,
    });
    await device.connect();
    await openPane('Discovery');
    await page.getByRole('searchbox').fill('');
    await page
      .getByRole('listbox', { name: 'Tools' })
      .getByRole('option', { name: /kitchen/ })
      .click();
    await page
      .getByRole('listbox', { name: 'Methods' })
      .getByRole('option', { name: 'self.get_device_status' })
      .click();
    await page.getByRole('button', { name: /Open in Executor/ }).click();
    await run();
    await page
      .getByRole('contentinfo')
      .getByText(/self\.get_device_status/)
      .waitFor();
    device.pullPlug();
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText(/1006/).first().waitFor();
    await openPane('Discovery');
    await expect
      .poll(() =>
        page
          .getByRole('listbox', { name: 'Tools' })
          .getByRole('option', { name: /kitchen.*Live/ })
          .count(),
      )
      .toBe(0);
    await load('get_date');
    await run();
    await page.getByRole('region', { name: 'Result' }).getByRole('status').getByText('OK').waitFor();
  });

  test('the terminal talks to the same workbench', async () => {
    const tools = await app.terminal('tools', '--json');
    expect((JSON.parse(tools.stdout) as { id: string }[]).map((tool) => tool.id)).toContain('clock');
    const call = await app.terminal('call', 'clock_get_date', '--args', '{}');
    expect(call).toMatchObject({ code: 0 });
    expect(call.stdout).toMatch(/^\d{4}-\d\d-\d\d/);
    await load('get_date');
    await page.getByRole('region', { name: 'Last 10' }).getByRole('listitem').first().waitFor();
  });

  test('a Chinese, light window at 1920 has every word in place', async () => {
    const zh = await app.openWindow({
      locale: 'zh-CN',
      colorScheme: 'light',
      viewport: { width: 1920, height: 1080 },
    });
    for (const name of ['工具库', '执行', '解析', '设备', '设置']) {
      await zh.page.getByRole('navigation').getByRole('button', { name }).click();
      await zh.page.getByRole('main').waitFor();
    }
    expect(zh.problems).toEqual([]);
    await zh.page.context().close();
  });
});
