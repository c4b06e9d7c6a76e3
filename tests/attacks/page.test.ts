/** A device's content in the built window: nothing of it runs, loads or hides, and the page stays small. */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';

import { startApp, type App } from '../e2e/app.ts';

const methodName = 'self.lamp\u202ecnys';
const image = (mimeType: string, data: string): object => ({ type: 'image', mimeType, data });
const script = '<img src=x onerror=alert(1)><script>alert(1)</script>';
// All of it is below 512 KiB, the largest message that the engine parses.
const content = [
  { type: 'text', text: `${script} ![x](https://example.com/x.png) [y](javascript:alert(1)) \u202e` },
  image('image/svg+xml', Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`).toString('base64')),
  image('text/html', Buffer.from(script).toString('base64')),
  image('image/png', `${' '.repeat(100_000)}!`),
  { type: 'resource', resource: { uri: 'https://example.com/page', mimeType: 'text/html', text: script } },
  { type: 'text', text: '['.repeat(300_000) },
];
const replies: Record<string, object> = {
  initialize: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
  'tools/list': { tools: [{ name: methodName, description: script, inputSchema: { type: 'object' } }] },
  'tools/call': { content, isError: false },
};

let app: App;
let device: WebSocket;
beforeAll(async () => {
  app = await startApp();
  device = new WebSocket(app.served.device.webSocketUrl, { headers: { 'Device-Id': '02:00:00:00:00:03' } });
  device.on('message', (data: Buffer) => {
    const { payload } = JSON.parse(data.toString()) as { payload?: { id?: number; method?: string } };
    const result = replies[payload?.method ?? ''];
    if (payload?.id === undefined || result === undefined) return;
    device.send(JSON.stringify({ type: 'mcp', payload: { jsonrpc: '2.0', id: payload.id, result } }));
  });
  await once(device, 'open');
  device.send('{"type":"hello","version":1,"features":{"mcp":true},"transport":"websocket"}');
}, 60_000);
afterAll(async () => {
  device.terminate();
  await app.stop();
});

test('shows the markup, pictures and names of a hostile device as text', async () => {
  const { page } = await app.openWindow();
  page.setDefaultTimeout(30_000);
  const dialogs: string[] = [];
  const foreign: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && hostname !== '127.0.0.1') foreign.push(request.url());
  });
  const expectInert = async (): Promise<void> => {
    const active = 'img, audio, video, iframe, object, embed, link[rel=import], a[href], [onerror], [srcdoc]';
    expect(await page.evaluate((selector) => document.body.querySelectorAll(selector).length, active)).toBe(0);
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(5_000);
    // A text of the page that still reorders its surroundings, with its element.
    const reordering = await page.evaluate(() =>
      [...document.body.querySelectorAll('*')].flatMap((element) =>
        [...element.childNodes].some(
          (node) => node.nodeType === Node.TEXT_NODE && /[\u202a-\u202e\u2066-\u2069]/.test(node.nodeValue ?? ''),
        )
          ? [`${element.className}: ${element.textContent.slice(0, 100)}`]
          : [],
      ),
    );
    expect(reordering).toEqual([]);
    expect({ dialogs, foreign }).toEqual({ dialogs: [], foreign: [] });
  };
  const panes = page.getByRole('navigation', { name: 'Panes' });
  const tools = page.getByRole('listbox', { name: 'Tools' });
  await tools
    .getByRole('option', { name: /02:00:00:00:00:03|x/ })
    .last()
    .click();
  await page
    .getByRole('listbox', { name: 'Methods' })
    .getByRole('option', { name: /self\.lamp/ })
    .click();
  await page.getByRole('heading', { name: 'self.lamp\\u202ecnys' }).waitFor();
  await expectInert();

  await page.getByRole('button', { name: /Open in Executor/ }).click();
  // The shortcut runs a call once the pane is loaded, which its button shows.
  await page.getByRole('button', { name: /^Run Ctrl/ }).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('region', { name: 'Result' }).getByText('onerror=alert').first().waitFor();
  await expectInert();

  await panes.getByRole('button', { name: /^Devices/ }).click();
  await page.getByText('tools/call').first().click();
  await page.getByRole('region', { name: 'Frame', exact: true }).waitFor();
  await expectInert();
}, 120_000);
