/** Content of devices, models and gateway clients in the built window: nothing of it runs, loads or hides, and the page stays small. */
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { WebSocket } from 'ws';

import { listTools } from '../../src-core/rpc/listTools.ts';
import { connectToRunning, type RunningClient } from '../../src-core/rpc/runningWorkbench.ts';
import { startApp, type App } from '../e2e/app.ts';
import { startScriptedChatServer } from '../fakes/scriptedChatServer.ts';

const methodName = 'self.lamp\u202ecnys';
/** Reorders what follows it, and rings a terminal's bell. */
const hostile = 'north\u202ehtuos\u0007\u2066east';
const choices = Array.from({ length: 9_900 }, (_, at) => `choice ${at}`);
const pickSchema = {
  type: 'object',
  required: ['one', hostile],
  properties: {
    one: { type: 'string', enum: choices },
    [hostile]: { type: 'string', title: hostile, description: hostile, enum: [hostile, 'b'], default: hostile },
  },
};
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
  initialize: {
    protocolVersion: '2024-11-05',
    capabilities: { tools: {} },
    serverInfo: { name: `x ${hostile}`, version: hostile },
  },
  'tools/list': {
    tools: [
      { name: methodName, description: `${script} ${hostile}`, inputSchema: { type: 'object' } },
      { name: 'self.pick', description: hostile, inputSchema: pickSchema },
    ],
  },
  'tools/call': { content, isError: false },
};

let app: App;
let running: RunningClient;
let device: WebSocket;
beforeAll(async () => {
  app = await startApp();
  const connected = await connectToRunning(app.dataDir);
  if (!connected) throw new Error(`The workbench on ${app.dataDir} does not answer`);
  running = connected;
  device = new WebSocket(app.served.device.webSocketUrl, { headers: { 'Device-Id': '02:00:00:00:00:03' } });
  device.on('message', (data: Buffer) => {
    const { payload } = JSON.parse(data.toString()) as { payload?: { id?: number; method?: string } };
    const result = replies[payload?.method ?? ''];
    if (payload?.id === undefined || result === undefined) return;
    device.send(JSON.stringify({ type: 'mcp', payload: { jsonrpc: '2.0', id: payload.id, result } }));
  });
  await once(device, 'open');
  device.send('{"type":"hello","version":1,"features":{"mcp":true},"transport":"websocket"}');
});
afterAll(async () => {
  device.terminate();
  running.close();
  await app.stop();
});

/** Texts and tooltips of the page with a control character or a mark of direction, each with its element's class. */
function hiddenIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const hidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u206f]/;
    const shown = (element: Element): (string | null)[] => [
      element.getAttribute('title'),
      element.getAttribute('placeholder'),
      ...[...element.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.nodeValue : null)),
    ];
    return [...document.body.querySelectorAll('*')].flatMap((element) =>
      shown(element).flatMap((text) =>
        text !== null && hidden.test(text) ? [`${element.className}: ${text.slice(0, 100)}`] : [],
      ),
    );
  });
}

/** Opens a place of the window and waits until it says that. */
async function openPlace(page: Page, hash: string, text: string | RegExp): Promise<void> {
  await page.evaluate((to) => (location.hash = to), hash);
  await page.getByText(text).filter({ visible: true }).first().waitFor();
}

async function nameOf(method: string): Promise<{ toolId: string; qualifiedName: string }> {
  for (const { id, methods } of await listTools(running.client))
    for (const { name, qualifiedName } of methods) if (name === method) return { toolId: id, qualifiedName };
  throw new Error(`No tool has the method ${method}`);
}

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
    expect(await hiddenIn(page)).toEqual([]);
    expect({ dialogs, foreign }).toEqual({ dialogs: [], foreign: [] });
  };
  const panes = page.getByRole('navigation', { name: 'Panes' });
  const tools = page.getByRole('listbox', { name: 'Tools' });
  await page.getByText('Your first call').waitFor();
  await expectInert();
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

test('a parameter of 9,900 choices is typed, and 20 of the choices are listed', async () => {
  const { page } = await app.openWindow();
  page.setDefaultTimeout(30_000);
  const { toolId, qualifiedName } = await nameOf('self.pick');
  await openPlace(page, `#/discovery/${toolId}/self.pick`, /and 9,?880 more/);
  expect(await page.evaluate(() => document.body.textContent.length)).toBeLessThan(20_000);
  await openPlace(page, `#/executor/${qualifiedName}`, 'Arguments');
  await page.getByRole('textbox', { name: 'one' }).fill('choice 7');
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(2_000);
  expect(await hiddenIn(page)).toEqual([]);
}, 120_000);

test('no pane shows a control character or a mark of direction as it is', async () => {
  const { page } = await app.openWindow();
  page.setDefaultTimeout(30_000);
  const { client } = running;
  const server = await startScriptedChatServer({ models: ['big'], turns: [{ text: `**${hostile}** \`${hostile}\`` }] });
  const { id: modelId } = await client.models.save({
    kind: 'openai-compatible',
    label: `Model ${hostile}`,
    preset: 'custom',
    baseUrl: server.baseUrl,
    model: 'big',
    stream: true,
    totalMs: 20_000,
    chunkMs: 20_000,
  });
  const chat = await client.chat.create({ options: { modelId, protocol: 'vcp' } });
  await client.chat.send({ sessionId: chat.id, text: `Go ${hostile}` });
  await client.gateway.configure({ settings: { port: 0 } });
  const { port } = await client.gateway.setEnabled({ enabled: true });
  const gatewayClient = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { 'User-Agent': 'x\u009by' } });
  await once(gatewayClient, 'open');
  const tool = { name: 'move', description: hostile, parameters: { type: 'object', properties: { [hostile]: {} } } };
  gatewayClient.send(JSON.stringify({ type: 'register_tools', tools: [tool] }));
  try {
    const { qualifiedName } = await nameOf('self.pick');
    const places: [string, string | RegExp][] = [
      ['#/discovery', 'self.pick'],
      [`#/executor/${qualifiedName}`, 'Arguments'],
      ['#/devices', /tools\/list/],
      ['#/gateway', 'register_tools'],
      [`#/chat/${chat.id}`, /north\\u202ehtuos/],
      ['#/settings', /Model north/],
    ];
    for (const [hash, text] of places) {
      await openPlace(page, hash, text);
      expect({ hash, hidden: await hiddenIn(page) }).toEqual({ hash, hidden: [] });
    }
    await openPlace(page, '#/realtime', 'Realtime');
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('menuitem', { name: 'This window' }).click();
    await page.getByRole('radio', { name: 'Chosen', exact: true }).click();
    await page.getByText('self.pick').first().waitFor();
    expect(await hiddenIn(page)).toEqual([]);
  } finally {
    gatewayClient.terminate();
    await server.close();
  }
}, 120_000);
