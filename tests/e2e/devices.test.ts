import { mkdirSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';

import { connectScripted } from '../core/features/devices/support/scriptedDevice.ts';
import { listTools } from '../../src-core/rpc/listTools.ts';
import { connectToRunning } from '../../src-core/rpc/runningWorkbench.ts';
import { startApp } from './app.ts';
import type { App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { untilReplaced } from './untilReplaced.ts';

let app: App;
let page: Page;
let problems: string[];
const out = 'tests/.out';

beforeAll(async () => {
  mkdirSync(out, { recursive: true });
  app = await startApp();
});
afterAll(() => app.stop());

beforeEach(async () => {
  ({ page, problems } = await app.openWindow());
  await page.keyboard.press('Control+4');
});
afterEach(async ({ task }) => {
  await page.screenshot({ path: `${out}/devices-${task.name.replace(/\W+/g, '-').slice(0, 60)}.png` });
  expect(problems).toEqual([]);
  await page.context().close();
});

const list = (): Locator => page.getByRole('grid', { name: 'Devices and captures' });
const log = (): Locator => page.getByRole('listbox', { name: /^Frames of/ });
const rows = (): Locator => log().getByRole('option');
const menu = async (opener: Locator, item: string): Promise<void> => {
  await opener.click();
  await page.getByRole('menuitem', { name: item }).click();
};

/** How far the connection of the chosen device came. */
const steps = (): Locator => page.getByRole('list', { name: 'Connection steps' });

/** Adds a device that behaves as this client, and waits until it is chosen and has listed its tools. */
async function add(kind: 'ESP32 board' | 'py-xiaozhi'): Promise<void> {
  const tour = page.getByRole('region', { name: 'Your first call' });
  if (await tour.isVisible()) await tour.getByRole('button', { name: 'Hide the tour' }).click();
  // An earlier test's device is shown until the new one is there; its tools say nothing of the new one.
  await steps().or(page.getByText('No device has connected yet')).first().waitFor();
  // The tour may come later. It has a button of that name, too, which adds a device without asking which.
  const opener = page.locator('button[aria-haspopup="menu"][aria-label="Add a virtual device"]');
  await untilReplaced(steps(), () => menu(opener.first(), kind));
  await steps()
    .getByText(/\d+ tools/)
    .waitFor();
}

/** The composer, which stays open where it was open before. */
async function openComposer(): Promise<Locator> {
  const opener = page.getByRole('button', { name: 'Send a frame' });
  const composer = page.getByRole('region', { name: 'Send', exact: true });
  if ((await opener.getAttribute('aria-expanded')) === 'true') return composer;
  await opener.click();
  await composer.locator('textarea:focus').waitFor();
  return composer;
}

/** Writes a request into the composer and sends it. */
async function request(method: string, params: string): Promise<void> {
  const composer = await openComposer();
  await composer.getByRole('combobox').first().click();
  await page.getByRole('option', { name: 'mcp: a request' }).click();
  await composer.getByLabel('Method').fill(method);
  await composer.getByLabel('Parameters, JSON').fill(params);
  await composer.getByRole('button', { name: /^Send/ }).click();
  await composer.getByText(/Sent at/).waitFor();
}

describe('the Devices pane', () => {
  test('two devices, a call by hand folded with its answer, found by its text', async () => {
    await add('py-xiaozhi');
    await add('ESP32 board');
    await expect.poll(() => list().getByText('Live').count()).toBe(2);
    await request('tools/call', '{"name":"self.audio_speaker.set_volume","arguments":{"volume":37}}');
    const pair = rows().filter({ hasText: '1000001' });
    await pair.filter({ hasText: 'request and answer' }).waitFor();
    await page.keyboard.press('Escape');
    await log().focus();
    await page.keyboard.press('/');
    await page.keyboard.insertText('"volume":37');
    await page.getByText('1 match', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await pair.and(page.locator('[aria-selected="true"]')).waitFor();
    const frame = page.getByRole('region', { name: 'Frame' }).first();
    await frame.getByRole('radio', { name: 'Request' }).click();
    await frame.getByText('"self.audio_speaker.set_volume"').waitFor();
    await log().focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('region', { name: 'Frame' }).count()).toBe(0);
    expect(await findInaccessible(page)).toEqual([]);
  });

  test('a log is saved, opened again, replayed, and run as a device', async () => {
    const saving = page.waitForEvent('download');
    await menu(page.getByRole('button', { name: 'More for this log' }), 'Export log');
    const file = await saving;
    const path = `${out}/capture.jsonl`;
    await file.saveAs(path);
    expect(readFileSync(path, 'utf8').split('\n')[0]).toContain('"toolwire":"capture"');

    const choosing = page.waitForEvent('filechooser');
    await menu(page.getByRole('button', { name: 'More for this list' }), 'Open a capture');
    await (await choosing).setFiles(path);
    await page.getByRole('heading', { level: 2, name: 'capture.jsonl' }).waitFor();
    await rows().filter({ hasText: 'tools/call' }).first().waitFor();

    await page.getByRole('button', { name: 'Replay on a device' }).click();
    const replay = page.getByRole('dialog');
    // Two devices are connected: which one is the user's choice.
    await replay.getByRole('combobox').click();
    await page.getByRole('option').first().click();
    await replay.getByRole('button', { name: 'Replay', exact: true }).click();
    await replay.getByText('1 of 1 calls').waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Run as a virtual device' }).click();
    await expect.poll(() => list().getByText('Live').count()).toBe(3);
  });

  test('a frame by hand goes out to the byte, and a restart asks first', async () => {
    const device = await connectScripted(app.served.device.webSocketUrl);
    device.hello();
    await list().getByText('host-sim').first().click();
    const composer = await openComposer();
    await composer.getByLabel('Text').first().fill('晚安');
    await composer.getByRole('button', { name: /^Send/ }).click();
    expect(await device.frame((frame) => frame.type === 'tts')).toEqual({
      type: 'tts',
      state: 'sentence_start',
      text: '晚安',
    });
    await composer.getByRole('combobox').first().click();
    await page.getByRole('option', { name: 'system: reboot' }).click();
    await composer.getByRole('button', { name: /^Send/ }).click();
    const asking = page.getByRole('alertdialog');
    await asking.waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await asking.getByRole('button', { name: 'Cancel' }).click();
    expect(device.received.some(({ type }) => type === 'system')).toBe(false);

    // The search moves to the first hit, far above the newest row, and stays there while rows come.
    for (let at = 0; at < 90; at += 1)
      device.send({ type: 'listen', state: 'detect', text: at % 30 === 2 ? 'far' : 'near' });
    const place = (): Promise<number> => log().evaluate((element) => element.scrollTop);
    await expect.poll(place).toBeGreaterThan(1_500);
    const search = page.getByRole('searchbox', { name: 'Search frames' });
    await search.fill('listen');
    await page.getByRole('button', { name: 'Highlight only' }).click();
    await search.fill('listen far');
    await page.getByText('3 matches', { exact: true }).waitFor();
    await log().locator('.is-hit').first().waitFor();
    await expect.poll(place).toBeLessThan(700);
    const first = await place();
    expect(await page.getByRole('region', { name: 'Frame', exact: true }).count()).toBe(0);
    device.send({ type: 'listen', state: 'detect', text: 'far' });
    await page.getByText('4 matches', { exact: true }).waitFor();
    expect(await place()).toBe(first);
    await search.press('Enter');
    await page.getByText('1 of 4', { exact: true }).waitFor();
    await search.fill('-far -near');
    const countOf = (hasText: string): Promise<number> => rows().filter({ hasText }).count();
    await expect.poll(async () => [await countOf('tools/list'), await countOf('listen')]).toEqual([1, 0]);

    device.socket.terminate();
    await list().getByText('Disconnected').first().waitFor();
  });

  test('a device’s picture is seen and its question answered by hand', async () => {
    await add('ESP32 board');
    await page.getByRole('tab', { name: /Pictures/ }).click();
    await page.getByRole('combobox', { name: 'Questions go to' }).click();
    await page.getByRole('option', { name: 'me', exact: true }).click();
    await request('tools/call', '{"name":"self.camera.take_photo","arguments":{"question":"How many books?"}}');
    await page.getByRole('listitem').filter({ hasText: 'How many books?' }).locator('img').waitFor();
    await page.getByText(/\d+ s left/).waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Three.');
    await page.keyboard.press('Enter');
    await page.getByText('You:').waitFor();
    await page.getByRole('tab', { name: 'Wire' }).click();
    await page.getByRole('searchbox', { name: 'Search frames' }).fill('Three.');
    await page.getByText(/^\d+ match(es)?$/).waitFor();
  });

  test('a device that crashes on a call comes first, with the call; it is renamed, and forgotten with Undo', async () => {
    const { client, close } = (await connectToRunning(app.dataDir))!;
    const { deviceId } = await client.devices.addVirtual({ name: 'crash-test', faults: ['crash-on-call'] });
    const tool = async () => (await listTools(client)).find(({ source }) => source.id === deviceId)?.id;
    await expect.poll(tool).toBeDefined();
    await list().getByText('crash-test').click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name of the device' }).fill('Study');
    await page.keyboard.press('Enter');
    await list().getByText('Study').waitFor();
    const toolName = `${(await tool())!}_self.get_device_status`;
    await client.calls.execute({ callId: 'crash', toolName, argsJson: '{}', origin: 'executor' });
    close();
    await list()
      .getByText(/Disconnected during call #/)
      .waitFor();
    await steps()
      .getByText(/^Call #\d+$/)
      .waitFor();
    const filters = page.getByRole('button', { name: /^Needs attention \d+$/ }).locator('..');
    expect(await filters.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: /^Needs attention \d+$/ }).click();
    await list().getByRole('row').first().getByText('Study').waitFor();
    // Now, so that it is saved before this window is closed: the next test’s window has the same settings.
    await page.getByRole('button', { name: /^All \d+$/ }).click();
    await page.getByRole('button', { name: 'Causes' }).click();
    await page.getByRole('dialog', { name: 'Causes' }).getByRole('listitem').first().waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await page.screenshot({ path: `${out}/devices-crash.png` });
    // Neither the causes nor the composer nor a frame take rows from the wire.
    const isWhole = (row: Locator) =>
      row.evaluate((element) => {
        const box = element.closest('[role="listbox"]')!.getBoundingClientRect();
        const { top, bottom } = element.getBoundingClientRect();
        return top >= box.top && bottom <= box.bottom;
      });
    const seeRows = async () => {
      for (let at = 0; at < 8; at += 1) await expect.poll(() => isWhole(rows().nth(at))).toBe(true);
    };
    const composer = await openComposer();
    await composer.getByLabel('Text').first().fill('kept');
    await log().evaluate((element) => element.scrollTo(0, 0));
    await seeRows();
    await rows().first().click();
    await composer.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Frame', exact: true }).waitFor();
    await seeRows();
    await openComposer();
    expect(await composer.getByLabel('Text').first().inputValue()).toBe('kept');
    await seeRows();
    const detail = page.locator('.device-detail');
    expect(await detail.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
    await page.setViewportSize({ width: 853, height: 533 });
    const search = page.getByRole('searchbox', { name: 'Search frames' });
    await search.fill('status');
    await page.getByText(/^\d+ match(es)?$/).waitFor();
    const buttons = await page
      .locator('.log-toolbar .btn')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()));
    for (const [at, { left }] of buttons.entries()) expect(left).toBeGreaterThanOrEqual(buttons[at - 1]?.right ?? 0);
    await search.fill('');
    await page.setViewportSize({ width: 1280, height: 800 });

    await menu(page.getByRole('button', { name: 'More for this list' }), 'disconnected device');
    await list().getByText('Study').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await list().getByText('Study').waitFor();
  });

  const ownAddress = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

  test.runIf(ownAddress)('a board of the network gets its address, and asks to come in', async () => {
    await page.getByRole('button', { name: 'Connect a device' }).click();
    const connect = page.getByRole('dialog', { name: 'Connect a device' });
    await connect.getByRole('radio', { name: 'The local network' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Open to the network' }).click();
    await connect.getByText(String(ownAddress), { exact: true }).waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await page.screenshot({ path: `${out}/devices-connect.png` });
    await page.keyboard.press('F6');
    expect(await connect.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Connect a device');

    const ids = { 'Device-Id': '02:00:00:aa:bb:01', 'Client-Id': 'c-1' };
    const { port } = new URL(app.served.device.otaUrl);
    const answer = await fetch(`http://${ownAddress}:${port}/xiaozhi/ota/`, {
      method: 'POST',
      headers: { ...ids, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        application: { version: '2.0.5' },
        board: { type: 'bread-compact-wifi', name: '书房音箱' },
      }),
    });
    const { websocket } = (await answer.json()) as { websocket: { url: string; token: string } };
    await list().getByText('Waiting to connect').last().waitFor();
    const headers = { ...ids, Authorization: `Bearer ${websocket.token}` };
    (await connectScripted(websocket.url, { headers })).hello();
    await page.getByRole('button', { name: /^1 waiting for you/ }).waitFor();
    expect(await findInaccessible(page)).toEqual([]);
    await list().getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => list().getByRole('button', { name: 'Review' }).count()).toBe(0);
    // The first connection may have given up waiting by now, as a board does.
    const board = await connectScripted(websocket.url, { headers });
    board.hello();
    await board.request('tools/list');
    await expect.poll(() => page.getByRole('button', { name: /waiting for you/ }).count()).toBe(0);
    board.socket.terminate();
  });

  test('in Chinese, light and small, nothing is cut off or inaccessible', async () => {
    for (const viewport of [
      { width: 1920, height: 1080 },
      { width: 960, height: 600 },
    ]) {
      const zh = await app.openWindow({ locale: 'zh-CN', colorScheme: 'light', viewport });
      await zh.page.keyboard.press('Control+4');
      await zh.page.getByRole('grid', { name: '设备与抓包' }).waitFor();
      const textSize = await zh.page.evaluate(() => getComputedStyle(document.body).fontSize);
      expect(textSize).toBe(viewport.width === 1920 ? '14px' : '13px');
      expect(await findInaccessible(zh.page)).toEqual([]);
      // A device without pictures: with the composer open, little room is left for the words of the empty list.
      await zh.page.getByRole('row', { name: /书房音箱/ }).click();
      await zh.page.getByRole('tab', { name: /图片/ }).click();
      const opener = zh.page.getByRole('button', { name: '发送帧' });
      if ((await opener.getAttribute('aria-expanded')) !== 'true') await opener.click();
      await zh.page.getByRole('region', { name: '发送', exact: true }).waitFor();
      expect(await findInaccessible(zh.page)).toEqual([]);
      await zh.page.screenshot({ path: `${out}/devices-zh-${viewport.width}.png` });
      expect(zh.problems).toEqual([]);
      await zh.page.context().close();
    }
  });
});
