import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { WebSocket } from 'ws';

import { startApp } from './app.ts';
import type { App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { findCutControls } from './cutControls.ts';
import { paneKey } from './paneKeys.ts';

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
  await page.keyboard.press(paneKey('gateway'));
});

const rows = (): Locator => page.getByRole('listbox', { name: /^Messages of/ }).getByRole('option');
const list = (): Locator => page.getByRole('grid', { name: 'Clients and sessions' });
const picture = (name: string): Promise<Buffer> => page.screenshot({ path: `${out}/gateway-${name}.png` });

test('the gateway’s first minute: on, a client, a tool by hand and by the model, its messages, and off again', async () => {
  await page.getByText('The gateway is off').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  // Any port: the usual one may be somebody else's here.
  await page.getByRole('button', { name: 'Gateway settings' }).click();
  await page.getByRole('spinbutton', { name: 'Port' }).fill('0');
  await page.getByRole('spinbutton', { name: 'Port' }).press('Enter');
  await page.locator('.gateway-setting', { hasText: 'CLOUD_PORT' }).getByText('set here').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('switch', { name: 'LLM gateway' }).click();
  await page.getByText(/Connect one to ws:\/\/127\.0\.0\.1:\d+/).waitFor();

  await page.getByRole('button', { name: 'Try it with a test client' }).last().click();
  await rows().filter({ hasText: 'llm_response' }).filter({ hasText: 'The tool answered' }).waitFor();
  await rows().filter({ hasText: 'tool_callback' }).click();
  await page.getByRole('region', { name: 'Frame', exact: true }).getByText('tool_result').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await picture('exchange');
  await page.getByRole('tab', { name: 'Current turn' }).click();
  await page.getByRole('region', { name: 'Current turn' }).getByText('Answered', { exact: true }).waitFor();
  expect(await findInaccessible(page)).toEqual([]);

  await page.getByRole('tab', { name: /^Tools/ }).click();
  await page.getByRole('button', { name: 'Show in Discovery' }).click();
  await page.getByRole('listbox', { name: 'Methods' }).getByRole('option', { name: 'get_time' }).waitFor();
  await page.keyboard.press(paneKey('gateway'));
  await page.getByRole('button', { name: 'Open in Executor' }).click();
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  await page.getByRole('region', { name: 'Result' }).getByText('"timezone"').waitFor();

  await page.keyboard.press(paneKey('gateway'));
  await page.getByRole('tab', { name: 'Messages' }).click();
  await rows().filter({ hasText: 'tool_callback' }).nth(1).waitFor();
  const search = page.getByRole('searchbox', { name: 'Search frames' });
  await search.fill('-tool_callback');
  await rows().filter({ hasText: 'tool_callback' }).first().waitFor({ state: 'detached' });
  await expect.poll(() => rows().filter({ hasText: 'text_input' }).count()).toBe(1);
  await search.fill('');

  const send = page.getByRole('region', { name: 'Send', exact: true });
  expect(await send.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Send a message' }).click();
  // The list then follows what comes.
  await page.getByRole('region', { name: 'Frame', exact: true }).getByRole('button', { name: 'Close' }).click();
  await send.getByRole('textbox').fill('{"type":"nonsense"}');
  await send.getByRole('textbox').press('Control+Enter');
  await rows().filter({ hasText: 'UNKNOWN_MESSAGE_TYPE' }).waitFor();
  expect(await findCutControls(page)).toEqual([]);

  // A client of one's own hears what is said as the gateway, to the letter, and the log has it.
  const url = /ws:\/\/127\.0\.0\.1:\d+/.exec(await page.locator('.address-line code').innerText())![0];
  const own = new WebSocket(url);
  onTestFinished(() => own.terminate());
  await once(own, 'message');
  await list().getByText('Client 2', { exact: true }).click();
  const asServer = page.getByRole('region', { name: 'Send', exact: true });
  if (!(await asServer.isVisible())) await page.getByRole('button', { name: 'Send a message' }).click();
  await asServer.getByText('as the gateway').waitFor();
  await asServer.getByRole('combobox').click();
  await page.getByRole('option', { name: 'plain text' }).click();
  const messages = [
    ['{ "type":"status",  "status":"unheard of", "数": 1.50 }', 'unheard of'],
    ['no JSON at all 😀', 'no JSON at all 😀'],
  ] as const;
  for (const [at, [said, shown]] of messages.entries()) {
    const heard = once(own, 'message') as Promise<[Buffer]>;
    await asServer.getByRole('textbox').fill(said);
    await asServer.getByRole('textbox').press('Control+Enter');
    expect((await heard)[0].toString()).toBe(said);
    await rows().filter({ hasText: 'sent by hand' }).nth(at).click();
    await page.getByRole('region', { name: 'Frame', exact: true }).getByText(shown).first().waitFor();
  }
  expect(await findInaccessible(page)).toEqual([]);
  // Its session goes first: what follows is about the test client's.
  own.send('{"type":"end_session"}');
  await rows().filter({ hasText: 'end_session' }).waitFor();

  await list().focus();
  await page.keyboard.press('End');
  await page.getByRole('region', { name: 'Messages of the session' }).getByText('What time is it?').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await page.getByRole('button', { name: 'End the session' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End the session' }).click();
  await list().getByText('No sessions yet.').waitFor();
  await page.getByRole('switch', { name: 'LLM gateway' }).click();
  await page.getByRole('status').filter({ hasText: 'Off' }).first().waitFor();
  await list().getByText('Client 1').waitFor();
  await picture('off');
  expect(problems).toEqual([]);
});
