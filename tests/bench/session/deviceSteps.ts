import type { Locator, Page } from 'playwright-core';

import { createVirtualDeviceOf } from '../../../src-core/features/devices/virtual/profiles.ts';
import type { SessionStep } from './sessionStep.ts';

const mac = '02:00:00:aa:cc:01';

const list = (page: Page): Locator => page.getByRole('grid', { name: 'Devices and captures' });
const row = (page: Page, name: string): Locator => list(page).locator('.device-row').filter({ hasText: name });

async function act(page: Page, name: string, action: string | RegExp): Promise<void> {
  await page
    .getByRole('button', { name: `More for ${name}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Opens a method of a tool from Discovery in the Executor. */
async function load(page: Page, tool: RegExp, method: string): Promise<void> {
  await page.keyboard.press('Control+1');
  await page.getByRole('searchbox').fill('');
  await page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: tool }).click();
  await page
    .getByRole('listbox', { name: 'Methods' })
    .getByRole('option', { name: method, exact: false })
    .first()
    .click();
  await page.getByRole('button', { name: /Open in Executor/ }).click();
  await page.getByRole('heading', { level: 1, name: method }).waitFor();
}

/** Boards that come, talk, are called, go without a word and come again; logs searched. */
export const deviceSteps: readonly SessionStep[] = [
  {
    name: 'a board comes and drops three times, called each time',
    async run({ page, otaUrl }) {
      for (let times = 0; times < 3; times++) {
        const board = createVirtualDeviceOf(undefined, { url: otaUrl, name: 'kitchen', deviceId: mac });
        await board.connect();
        await load(page, /kitchen.*Live/, 'self.get_device_status');
        for (let call = 0; call < 5; call++) {
          await page.keyboard.press('Control+Enter');
          await page.getByRole('region', { name: 'Result' }).getByRole('status').getByText('OK').waitFor();
        }
        board.pullPlug();
        await page.keyboard.press('Control+4');
        await row(page, 'kitchen').filter({ hasText: 'Disconnected' }).first().waitFor();
      }
    },
  },
  {
    name: 'its log searched, and the board forgotten',
    async run({ page }) {
      await row(page, 'kitchen').first().click();
      const rows = page.getByRole('listbox', { name: /^Frames of/ }).getByRole('option');
      await rows.first().waitFor();
      const search = page.getByRole('searchbox', { name: 'Search frames' });
      await search.fill('get_device_status');
      await page.getByText(/^\d+ match(es)?$/).waitFor();
      for (let hit = 0; hit < 5; hit++) await page.keyboard.press('Enter');
      await search.fill('');
      await act(page, 'kitchen', 'Forget device and log');
      await row(page, 'kitchen').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'a virtual device added, asked by hand, unplugged, forgotten',
    async run({ page }) {
      await page.getByRole('button', { name: 'Add a virtual device' }).first().click();
      await page.getByRole('menuitem', { name: 'ESP32 board' }).click();
      await page
        .getByRole('list', { name: 'Connection steps' })
        .getByText(/\d+ tools/)
        .waitFor();
      const name = await page.locator('.detail-head h2').innerText();
      await page.getByRole('button', { name: 'Send a frame' }).click();
      const composer = page.getByRole('region', { name: 'Send', exact: true });
      await composer.getByRole('combobox').first().click();
      await page.getByRole('option', { name: 'mcp: a request' }).click();
      await composer.getByLabel('Method').fill('tools/call');
      await composer
        .getByLabel('Parameters, JSON')
        .fill('{"name":"self.audio_speaker.set_volume","arguments":{"volume":37}}');
      await composer.getByRole('button', { name: /^Send/ }).click();
      await composer.getByText(/Sent at/).waitFor();
      await page.getByRole('button', { name: 'Send a frame' }).click();
      await act(page, name, /^Cut the power/);
      await row(page, name).filter({ hasText: 'Disconnected' }).waitFor();
      await act(page, name, 'Forget device and log');
      await row(page, name).waitFor({ state: 'detached' });
    },
  },
];
