/** The engine is killed and started again on its port: an open window shows that it is not connected, and returns by itself. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromium, type Browser, type Page } from 'playwright-core';

import { listTools } from '../../src-core/rpc/listTools.ts';
import { connectToRunning } from '../../src-core/rpc/runningWorkbench.ts';
import { freePort } from '../helpers/freePort.ts';
import { findInaccessible } from './axe.ts';
import { chromiumFlags, findChromium } from './chromium.ts';
import { paneKey } from './paneKeys.ts';

const out = 'tests/.out';
const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-restart-'));
let engine: ChildProcess | undefined;
const port = await freePort();
let browser: Browser;
let page: Page;

async function serve(...flags: string[]): Promise<{ link: string; url: string }> {
  const args = ['serve', '--port', `${port}`, '--device-port', '0', '--no-open', '--json', '--data-dir', dataDir];
  const started = spawn(process.execPath, ['dist/cli.js', ...args, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  engine = started;
  const [line] = (await once(createInterface({ input: started.stdout }), 'line')) as [string];
  return JSON.parse(line) as { link: string; url: string };
}
async function kill(): Promise<void> {
  const ended = once(engine!, 'exit');
  engine!.kill('SIGKILL');
  await ended;
}

/** A tool that never answers. */
const slow =
  "export default { methods: { hold: { description: 'Never ends.', handler: () => new Promise(() => {}) } } };";

beforeAll(async () => {
  mkdirSync(out, { recursive: true });
  mkdirSync(join(dataDir, 'modules'));
  writeFileSync(join(dataDir, 'modules', 'slow.js'), slow);
  const { link } = await serve();
  browser = await chromium.launch({ executablePath: findChromium()!, args: [...chromiumFlags] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  context.setDefaultTimeout(30_000);
  page = await context.newPage();
  await page.goto(link);
  await page.getByRole('navigation', { name: 'Panes' }).waitFor();
});
afterAll(async () => {
  await browser.close();
  if (engine?.exitCode === null && engine.signalCode === null) await kill();
  rmSync(dataDir, { recursive: true, force: true });
});

const notice = () => page.getByRole('status', { name: 'Not connected' });
const run = () => page.getByRole('button', { name: /^Run Ctrl/ });
const ready = () => page.getByText('Ready', { exact: true });
/** The window has a key, which it gets behind its connection. */
const keyed = () => page.waitForResponse((response) => response.url().endsWith('/window-key') && response.ok());

test('after kill -9 the window says that it is not connected, and returns once the engine is back', async () => {
  await page.goto(page.url().replace(/#.*|$/, '#/executor/clock_get_date'));
  await Promise.all([keyed(), page.reload()]);
  await ready().waitFor();
  await page.keyboard.press('Control+Shift+D');
  await page.getByRole('button', { name: /Devices.*1 connected/ }).waitFor();
  await kill();
  await notice().getByText('Toolwire is not responding.').waitFor();
  await notice()
    .getByText(/This window shows the state as of \d\d:\d\d:\d\d/)
    .waitFor();
  const filter = () => page.locator('.halves').evaluate((panes) => getComputedStyle(panes).filter);
  await expect.poll(filter).toBe('grayscale(1)');
  await expect.poll(() => run().getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('button', { name: /Devices.*number unknown, not connected/ }).waitFor();
  await expect.poll(() => ready().count()).toBe(0);
  await page.screenshot({ path: `${out}/not-connected.png` });
  expect(await findInaccessible(page)).toEqual([]);
  // A pane that was not open before is there, too.
  await page.keyboard.press(paneKey('chat'));
  await page.getByRole('button', { name: 'New chat' }).first().waitFor();
  await page.keyboard.press('Control+2');

  await serve();
  await notice().waitFor({ state: 'hidden' });
  await ready().waitFor();
  await run().click();
  await page.getByRole('region', { name: 'Result' }).getByRole('status').getByText('OK').waitFor();
});

test('a call that runs at kill -9 has an unknown outcome, and is interrupted once the engine is back', async () => {
  const result = page.getByRole('region', { name: 'Result' });
  const cancel = page.getByRole('button', { name: 'Cancel', exact: true });
  await page.goto(page.url().replace(/#.*|$/, '#/executor/slow_hold'));
  await run().click();
  // Its beginning is written once it has run for 100 ms.
  await result.getByText(/^[1-9]\.\d+ \//).waitFor();
  await kill();
  await result.getByRole('status').getByText('Outcome unknown').waitFor();
  await result.getByText('The outcome of this call is unknown.').waitFor();
  await expect.poll(() => cancel.getAttribute('aria-disabled')).toBe('true');
  await page.screenshot({ path: `${out}/outcome-unknown.png` });
  expect(await findInaccessible(page)).toEqual([]);

  await serve();
  await result.getByRole('status').getByText('Interrupted').waitFor();
  await result.getByRole('heading', { name: 'Toolwire closed during the call' }).waitFor();
  await result.getByText('Whether the tool did its work is unknown.').waitFor();
  await page.screenshot({ path: `${out}/interrupted.png` });
  expect(await findInaccessible(page)).toEqual([]);
  // Another window has no result of its own, and leads to the one of the history.
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.getByText(/The last call in the history started at .*: Interrupted\./).waitFor();
  await second.screenshot({ path: `${out}/second-window.png` });
  await second.getByRole('button', { name: 'Show the last call' }).click();
  await second.getByRole('heading', { name: 'Toolwire closed during the call' }).waitFor();
  await second.close();
});

test('a device that leaves with the engine, and one that crashed before: both are told after the restart', async () => {
  const { client, close } = (await connectToRunning(dataDir))!;
  const add = async (name: string, fault: string): Promise<string> => {
    const { deviceId } = await client.devices.addVirtual({ name, faults: [fault] });
    const tool = async () => (await listTools(client)).find(({ source }) => source.id === deviceId)?.id;
    await expect.poll(tool).toBeDefined();
    return `${(await tool())!}_self.get_device_status`;
  };
  const [crashing, silent] = [await add('Crash', 'crash-on-call'), await add('Silent', 'silent')];
  const call = { argsJson: '{}', origin: 'executor' } as const;
  const crash = await client.calls.execute({ ...call, callId: 'crash', toolName: crashing });
  const description = String(crash.error?.details?.['description']);
  expect(description).toContain('(self.get_device_status), without an answer.');
  await page.goto(page.url().replace(/#.*|$/, `#/executor/${silent}`));
  await run().click();
  await page
    .getByRole('region', { name: 'Result' })
    .getByText(/^[1-9]\.\d+ \//)
    .waitFor();
  await page.goto(page.url().replace(/#.*|$/, '#/devices'));
  const card = (name: string) =>
    page.getByRole('grid', { name: 'Devices and captures' }).getByRole('row').filter({ hasText: name });
  await card('Silent').click();
  const wire = page.getByRole('listbox', { name: 'Frames of Silent' });
  await wire.getByText('tools/call self.get_device_status').first().waitFor();
  close();
  await kill();
  await notice().waitFor();
  await page.getByText('State unknown').first().waitFor();
  await card('Silent').getByText('State unknown').waitFor();
  await page.getByText(/^Not connected: frames up to \d\d:\d\d:\d\d\.$/).waitFor();
  expect(await page.getByText('Could not read the log.').count()).toBe(0);
  await page.screenshot({ path: `${out}/devices-not-connected.png` });
  expect(await findInaccessible(page)).toEqual([]);

  await serve();
  await notice().waitFor({ state: 'hidden' });
  await page.getByText('Toolwire ended while Silent was connected.').first().waitFor();
  await card('Crash').click();
  const advice = page.locator('.advice');
  await advice.getByText(description).waitFor();
  await advice.getByRole('button', { name: 'Causes' }).click();
  const more = page.getByRole('dialog', { name: 'Causes' });
  await more.waitFor();
  const causes = await more.getByRole('listitem').allInnerTexts();
  await page.screenshot({ path: `${out}/devices-after-restart.png` });
  expect(await findInaccessible(page)).toEqual([]);
  // The Executor explains it in the same words, from the history alone.
  await page.goto(page.url().replace(/#.*|$/, `#/executor/${crashing}`));
  await page.getByRole('button', { name: 'Show the last call' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText(description).waitFor();
  for (const cause of causes) await result.getByText(cause).waitFor();
  await page.screenshot({ path: `${out}/executor-after-restart.png` });
  // The wire of the interrupted call has its request.
  await page.goto(page.url().replace(/#.*|$/, `#/executor/${silent}`));
  await result.getByRole('heading', { name: 'Toolwire closed during the call' }).waitFor();
  await page.keyboard.press('Control+j');
  const exchange = page.getByRole('region', { name: 'Wire' });
  await exchange.getByText('tools/call self.get_device_status').first().waitFor();
  await page.screenshot({ path: `${out}/wire-after-restart.png` });
  expect(await findInaccessible(page)).toEqual([]);
  await page.goto(page.url().replace(/#.*|$/, '#/executor/slow_hold'));
  await ready().waitFor();
});

test('another program on the port receives nothing that signs it in', async () => {
  await kill();
  const seen: { request: IncomingMessage; body: string }[] = [];
  const stranger = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push({ request, body });
      const isProof = request.url === '/window-proof';
      response.writeHead(isProof ? 200 : 401, { 'Content-Type': 'application/json' });
      response.end(isProof ? JSON.stringify({ boot: 'A'.repeat(43), proof: 'A'.repeat(43) }) : '');
    });
  });
  const upgrades: IncomingMessage[] = [];
  stranger.on('upgrade', (request, socket) => {
    upgrades.push(request);
    socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
  });
  await once(stranger.listen(port, '127.0.0.1'), 'listening');
  await notice().getByText('Toolwire was restarted.').waitFor();
  const proofs = seen.filter(({ request }) => request.url === '/window-proof');
  expect(proofs.length).toBeGreaterThan(0);
  for (const { body } of proofs) expect(Object.keys(JSON.parse(body) as object).sort()).toEqual(['id', 'nonce']);
  expect(upgrades.flatMap(({ headers }) => headers['sec-websocket-protocol'] ?? [])).toEqual([]);
  const cookies = [...upgrades, ...seen.map(({ request }) => request)].flatMap(({ headers }) => headers.cookie ?? []);
  stranger.close();
  stranger.closeAllConnections();

  // What it got opens nothing of the next engine, and the window itself still returns.
  const { url } = await serve();
  await notice().waitFor({ state: 'hidden' });
  for (const cookie of cookies) expect((await fetch(url, { headers: { cookie } })).status).toBe(401);
  // The return left a cookie: the page itself can be loaded again.
  await page.reload();
  await ready().waitFor();
});

test('after --sign-out the window shows the command, and returns once the link was opened', async () => {
  await kill();
  const { link } = await serve('--sign-out');
  await notice().getByText('Toolwire was restarted.').waitFor();
  await notice().getByText(`dist/cli.js serve --data-dir "${dataDir}"`).waitFor();
  await page.screenshot({ path: `${out}/signed-out.png` });
  expect(await findInaccessible(page)).toEqual([]);
  const second = await page.context().newPage();
  await second.goto(link);
  await notice().waitFor({ state: 'hidden' });
  await ready().waitFor();
});
