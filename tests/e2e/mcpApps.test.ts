/** MCP Apps of a server in the window: what they show, what they may do, and what they are kept from. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Page } from 'playwright-core';

import { startApp, type App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { createLab, frameOf, openApp, pageOf, type AppPage } from './mcpApps.ts';
import { paneKey } from './paneKeys.ts';
import { untilReplaced } from './untilReplaced.ts';

let app: App;
const lab = createLab();
/** Two hosts: an App may declare them, and knows whether they were reached. */
const reached: string[] = [];
const hosts = [1, 2].map((number) =>
  createServer((request, response) => {
    reached.push(`${number} ${request.url}`);
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*' }).end(`host ${number}`);
  }).listen(0, '127.0.0.1'),
);
const hostUrl = (at: number): string => `http://127.0.0.1:${(hosts[at]!.address() as AddressInfo).port}`;

beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.stop();
  for (const host of hosts) host.close();
  lab.remove();
});

let shown: Page | undefined;
/** A window in which the server offers these Apps. */
async function open(pages: Record<string, AppPage>, options = {}): Promise<{ page: Page; problems: string[] }> {
  lab.write(pages);
  const opened = await app.openWindow({ locale: 'en-US', ...options });
  shown = opened.page;
  await lab.add(opened.page);
  return opened;
}

/** The window is closed and the server removed, so that the next test adds the only one. */
afterEach(async () => {
  await shown?.context().close();
  await app.terminal('servers', 'remove', 'lab');
});

test('an App gets the call, and hears when theme and language change', async () => {
  const html = pageOf(`
    const { hostContext, hostInfo } = await start();
    show(JSON.stringify([hostInfo.name, hostContext.theme, hostContext.locale, hostContext.toolInfo.tool.name]));
    onHeard = ({ method, params }) => show(method + ' ' + JSON.stringify(params));
  `);
  const { page, problems } = await open({ first: { html } }, { colorScheme: 'dark' });
  const view = await openApp(page, 'first');
  const frame = frameOf(view);
  await frame.getByText('"toolwire","dark","en","show_first"').waitFor();
  await frame.getByText('ui/notifications/tool-input {"arguments":{}}').waitFor();
  await frame.getByText('"secret":"of the App"').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await frame.getByText('host-context-changed {"theme":"light"}').waitFor();
  expect(problems).toEqual([]);
});

test('a tool of the App asks first; a refusal is an error; a dangerous one asks each time; others are not for it', async () => {
  const html = pageOf(`
    await start();
    const call = (name) => attempt(name, async () => JSON.stringify(await ask('tools/call', { name, arguments: {} })));
    onHeard = () => undefined;
    for (const name of ['add', 'add', 'wipe', 'wipe', 'for_models', 'nothing']) await call(name);
    await attempt('read', async () => (await ask('resources/read', { uri: 'data://lab' })).contents[0].text);
    tell('notifications/message', { level: 'warning', logger: 'lab', data: 'said by the App' });
    show('end');
  `);
  const { page, problems } = await open({ calls: { html } });
  const view = await openApp(page, 'calls');
  const frame = frameOf(view);
  const question = page.getByRole('alert', { name: /asks before it runs/ });
  await question.getByText('This App calls this tool for the first time.').waitFor();
  expect(await frame.locator('#out').innerText()).toBe('');
  expect(await findInaccessible(page)).toEqual([]);
  await question.getByRole('button', { name: 'Run it' }).click();
  // The second `add` does not ask.
  const wipe = page.getByRole('alert', { name: /wipe asks/ });
  await wipe.waitFor();
  await untilReplaced(wipe, () => wipe.getByRole('button', { name: 'Run it' }).click());
  await frame.getByText('wipe: {').waitFor();
  await wipe.getByRole('button', { name: 'Refuse' }).click();
  await frame.getByText('end').waitFor();
  const text = await frame.locator('#out').innerText();
  expect(text).toContain('add: {"content":[{"type":"text","text":"1"}],"_meta":{"from":"add"}}');
  expect(text).toContain('add: {"content":[{"type":"text","text":"2"}]');
  expect(text).toContain('wipe: refused, The user refused this call');
  expect(text).toMatch(/for_models: refused, The server has no tool "for_models" that Apps may call/);
  expect(text).toMatch(/nothing: refused, /);
  expect(text).toContain('read: from the server');
  await page.keyboard.press(paneKey('servers'));
  const detail = page.getByRole('region', { name: 'lab', exact: true });
  await detail.getByRole('tab', { name: 'Log' }).click();
  await detail.getByText('said by the App').waitFor();
  expect(problems).toEqual([]);
});

test('an App reaches neither the window nor its storage, nor the engine, nor a host that it does not declare', async () => {
  const html = pageOf(`
    await start();
    const origin = ${JSON.stringify(app.served.url)}.replace(/\\/$/, '');
    await attempt('parent', () => parent.document.title);
    await attempt('top', () => top.document.title);
    await attempt('storage', () => localStorage.length);
    await attempt('cookie', () => document.cookie);
    await attempt('fetch window', async () => (await fetch(origin + '/')).status);
    await attempt('fetch other', async () => (await fetch('${hostUrl(1)}/fetch')).status);
    await attempt('image', () => new Promise((resolve, reject) => Object.assign(new Image(), { onload: resolve, onerror: () => reject(new Error('blocked')), src: '${hostUrl(1)}/image' })));
    await attempt('script', () => new Promise((resolve, reject) => document.head.append(Object.assign(document.createElement('script'), { onload: resolve, onerror: () => reject(new Error('blocked')), src: '${hostUrl(1)}/script' }))));
    await attempt('socket', () => new Promise((resolve, reject) => Object.assign(new WebSocket(origin.replace('http', 'ws') + '/api'), { onopen: resolve, onerror: () => reject(new Error('closed')) })));
    await attempt('eval', () => eval('1 + 1'));
    await attempt('popup', () => { if (open('${hostUrl(1)}/popup') === null) throw new Error('blocked'); });
    await attempt('top navigation', () => { top.location = '${hostUrl(1)}/top'; });
    show('end');
  `);
  const { page } = await open({ probe: { html } });
  const before = page.url();
  const view = await openApp(page, 'probe');
  await frameOf(view).getByText('end').waitFor();
  const lines = (await frameOf(view).locator('#out').innerText())
    .trim()
    .split('\n')
    .filter((line) => line !== '');
  expect(lines.filter((line) => !line.includes(': refused, ')).map((line) => line.split(':')[0])).toEqual(['end']);
  expect(reached).toEqual([]);
  expect(page.url().split('#')[0]).toBe(before.split('#')[0]);
});

test('a declared host is reached after the user has agreed; our own origin is not, even if it is declared', async () => {
  reached.length = 0;
  const html = pageOf(`
    await start();
    const origin = ${JSON.stringify(app.served.url)}.replace(/\\/$/, '');
    await attempt('declared', async () => (await fetch('${hostUrl(0)}/data')).text());
    await attempt('other', async () => (await fetch('${hostUrl(1)}/data')).text());
    await attempt('window', async () => (await fetch(origin + '/', { credentials: 'include' })).text());
    await attempt('socket', () => new Promise((resolve, reject) => Object.assign(new WebSocket(origin.replace('http', 'ws') + '/api'), { onopen: resolve, onerror: () => reject(new Error('closed')) })));
    show('end');
  `);
  const own = app.served.url.replace(/\/$/, '');
  const connectDomains = [hostUrl(0), own, own.replace('http', 'ws'), '*', "'unsafe-eval'", 'https:'];
  const ui = { csp: { connectDomains }, permissions: { clipboardWrite: {} } };
  const { page } = await open({ net: { html, ui } });
  const view = await openApp(page, 'net');
  await view.getByText('Review before opening').waitFor();
  await view.getByText("Ignored, because they are not hosts: * 'unsafe-eval' https:").waitFor();
  expect(reached).toEqual([]);
  expect(await view.getByRole('checkbox', { name: 'Writing to the clipboard' }).isChecked()).toBe(false);
  expect(await findInaccessible(page)).toEqual([]);
  await view.getByRole('button', { name: 'Open the App' }).click();
  await frameOf(view).getByText('end').waitFor();
  const text = await frameOf(view).locator('#out').innerText();
  expect(text).toContain('declared: host 1');
  expect(text).toContain('other: refused');
  expect(text).toContain('window: refused');
  expect(text).toContain('socket: refused');
  expect(reached).toEqual(['1 /data']);
});

test('a link asks, and only pages are opened; a message needs a chat', async () => {
  const html = pageOf(`
    await start();
    await attempt('script link', () => ask('ui/open-link', { url: 'javascript:alert(1)' }));
    await attempt('file', () => ask('ui/open-link', { url: 'file:///etc/passwd' }));
    await attempt('message', () => ask('ui/message', { role: 'user', content: [{ type: 'text', text: 'hello' }] }));
    await attempt('unknown', () => ask('sampling/createMessage', {}));
    await attempt('first', () => ask('ui/open-link', { url: 'https://example.com/a' }));
    await attempt('second', async () => JSON.stringify(await ask('ui/open-link', { url: '${hostUrl(0)}/opened' })));
    show('end');
  `);
  const { page } = await open({ links: { html } });
  const view = await openApp(page, 'links');
  const question = view.getByRole('group', { name: /asks to open a page/ });
  await question.getByText('https://example.com/a').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await question.getByRole('button', { name: 'Decline' }).click();
  await question.getByText('/opened').waitFor();
  const opened = page.context().waitForEvent('page');
  await question.getByRole('button', { name: /^Open/ }).click();
  expect((await opened).url()).toMatch(/^(about:blank|http:\/\/127\.0\.0\.1:\d+\/opened)$/);
  await frameOf(view).getByText('end').waitFor();
  const text = await frameOf(view).locator('#out').innerText();
  expect(text).toContain('script link: refused, Invalid parameters: url must be a URL of http or https.');
  expect(text).toContain('file: refused, Invalid parameters');
  expect(text).toContain('message: refused, This App is not in a chat');
  expect(text).toContain('unknown: refused, Toolwire does not support sampling/createMessage.');
  expect(text).toContain('first: refused, The user did not open the link.');
  expect(text).toContain('second: {}');
});

test.each([
  [
    'flood',
    'setInterval(() => { for (let at = 0; at < 1000; at++) tell("ui/notifications/size-changed", { height: 1 }); });',
    'It sent too many messages.',
  ],
  ['giant', 'await start(); tell("x", { text: "x".repeat(5e6) });', 'It sent a message of more than 4 MB.'],
  ['leaves', `await start(); location = '${'http://127.0.0.1:9'}/';`, 'It tried to leave its page.'],
])('a hostile App (%s) is stopped, and the window stays usable', async (name, script, said) => {
  const { page } = await open({ [name]: { html: pageOf(script) } });
  const view = await openApp(page, name);
  await view.getByText(said).waitFor();
  await expect.poll(() => view.locator('iframe').count()).toBe(0);
  await view.getByRole('button', { name: 'Try again' }).click();
  await view.getByText(said).waitFor();
});

test('an App that never begins can be closed; one that changes its size, nests frames or sends nonsense changes nothing else', async () => {
  const wild = pageOf(`
    await start();
    for (const height of [1e9, -5, NaN, '7', 3]) tell('ui/notifications/size-changed', { height, width: height });
    for (const data of [null, 7, 'text', [], { jsonrpc: '2.0' }, { method: 7 }, { jsonrpc: '2.0', id: {}, method: 'ping' },
      { jsonrpc: '2.0', method: 'ui/notifications/sandbox-stopped', params: { reason: 'flood' } }, { jsonrpc: '2.0', method: 'constructor', params: {} }])
      parent.postMessage(data, '*');
    parent.parent.postMessage(JSON.stringify({ jsonrpc: '2.0', method: 'ui/notifications/request-teardown' }), '*');
    for (let at = 0; at < 20; at++) document.body.append(document.createElement('iframe'));
    const outer = Object.assign(document.createElement('iframe'), { src: '${hostUrl(1)}/nested' });
    document.body.append(outer);
    show('pong ' + JSON.stringify(await ask('ping', {})));
  `);
  reached.length = 0;
  const { page } = await open({ wild: { html: wild }, silent: { html: '<p>Only a page</p>' } });
  // Before there is an App: a frame that is loading has no clock, and Playwright fails then.
  await page.clock.install();
  const silent = await openApp(page, 'silent');
  await frameOf(silent).getByText('Only a page').waitFor();
  await page.clock.fastForward(10_100);
  await silent.getByText('The App has not started').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await silent.getByRole('button', { name: 'Close the App' }).first().click();
  await silent.getByText('The App is closed.').waitFor();
  await expect.poll(() => silent.locator('iframe').count()).toBe(0);
  const view = await openApp(page, 'wild');
  await frameOf(view).getByText('pong {}').waitFor();
  const box = await view.locator('iframe').boundingBox();
  expect(box!.height).toBeLessThan(800);
  expect(reached).toEqual([]);
});

test('an App is told that it ends, also if its view is left; a call that asks is withdrawn then', async () => {
  const html = pageOf(`
    await start();
    onHeard = ({ method }) => { if (method === 'ui/resource-teardown') tell('notifications/message', { level: 'info', data: 'I end' }); };
    show('ready');
    await attempt('add', () => ask('tools/call', { name: 'add', arguments: {} }));
  `);
  const { page } = await open({ ends: { html } });
  const view = await openApp(page, 'ends');
  await page.getByRole('alert', { name: /add asks/ }).waitFor();
  await page.getByRole('region', { name: 'Result' }).getByRole('tab', { name: 'Raw' }).click();
  await page.getByRole('alert', { name: /add asks/ }).waitFor({ state: 'detached' });
  await page.keyboard.press(paneKey('servers'));
  const detail = page.getByRole('region', { name: 'lab', exact: true });
  await detail.getByRole('tab', { name: 'Log' }).click();
  await detail.getByText('I end').waitFor();
  await expect.poll(() => view.count()).toBe(0);
});

test('an App that a server lists is opened in Resources, without a call; it is closed, and ends with its resource', async () => {
  const html = pageOf(`
    const { hostContext } = await start();
    show('tool: ' + String(hostContext.toolInfo?.tool.name));
    onHeard = ({ method }) => show(method);
    await attempt('message', () => ask('ui/message', { role: 'user', content: [{ type: 'text', text: 'hello' }] }));
    await attempt('read', async () => (await ask('resources/read', { uri: 'data://lab' })).contents[0].text);
  `);
  const { page, problems } = await open({ listed: { html }, other: { html: pageOf('await start(); show("other");') } });
  const detail = page.getByRole('region', { name: 'lab', exact: true });
  await detail.getByRole('tab', { name: /^Resources/ }).click();
  expect(await detail.getByRole('button', { name: 'Open the App' }).count()).toBe(0);
  await detail.getByRole('option', { name: /listed/ }).click();
  await detail.getByRole('button', { name: 'Open the App' }).click();
  const view = detail.getByRole('region', { name: 'App of lab' });
  const frame = frameOf(view);
  await frame.getByText('read: from the server').waitFor();
  const text = await frame.locator('#out').innerText();
  expect(text).toContain('tool: undefined');
  expect(text).not.toContain('tool-result');
  expect(text).toContain('message: refused, This App is not in a chat');
  expect(await findInaccessible(page)).toEqual([]);
  await page.screenshot({ path: 'tests/.out/app-resource.png' });
  await view.getByRole('button', { name: 'Close the App' }).click();
  await view.getByText('The App is closed.').waitFor();
  await view.getByRole('button', { name: 'Open the App' }).click();
  await frame.getByText('read: from the server').waitFor();
  await detail.getByRole('option', { name: /other/ }).click();
  await view.waitFor({ state: 'detached' });
  await detail.getByRole('button', { name: 'Open the App' }).click();
  await frameOf(view).getByText('other').waitFor();
  await detail.getByRole('textbox', { name: 'URI of the resource' }).fill('ui://lab/none');
  await detail.getByRole('button', { name: 'Open the App' }).click();
  const failed = detail.getByRole('region', { name: 'App', exact: true });
  await failed.getByText('The server refused the request:').waitFor();
  await expect.poll(() => failed.locator('iframe').count()).toBe(0);
  expect(problems).toEqual([]);
});

test('in Chat, an App is shown below its call, and puts text into the message only if the user takes it', async () => {
  const html = pageOf(`
    await start();
    const say = (text) => attempt(text, async () => JSON.stringify(await ask('ui/message', { role: 'user', content: [{ type: 'text', text }] })));
    await attempt('as model', () => ask('ui/message', { role: 'assistant', content: [{ type: 'text', text: 'x' }] }));
    await attempt('empty', () => ask('ui/message', { role: 'user', content: 7 }));
    await say('first');
    await say('second');
    tell('ui/notifications/size-changed', { height: 5000 });
    show('end');
  `);
  const { page, problems } = await open({ chat: { html } });
  const detail = page.getByRole('region', { name: 'lab', exact: true });
  await detail.getByRole('tab', { name: /^Tools/ }).click();
  await detail.getByRole('checkbox', { name: 'Chat' }).click();
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Settings' }).click();
  const models = page.getByRole('region', { name: 'Models' });
  await models.getByRole('button', { name: /^Scripted model/ }).click();
  await page.locator('.monaco-editor .view-line').first().click();
  await page.keyboard.press('Control+a');
  const toolCalls = [{ name: 'show_chat', arguments: { city: 'Bern' } }];
  const turns = [
    { when: { role: 'tool' }, text: 'Here it is.' },
    { when: { role: 'user' }, text: 'I look.', toolCalls },
  ];
  await page.keyboard.insertText(JSON.stringify({ turns }));
  await models.getByText('The script is valid.').waitFor();
  await page.keyboard.press(paneKey('chat'));
  await page.getByRole('button', { name: 'New chat', exact: true }).click();
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await conversation.getByRole('combobox', { name: 'Protocol' }).click();
  await page.getByRole('option', { name: /Native/ }).click();
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.fill('Show it');
  await page.keyboard.press('Enter');
  await conversation.getByText('Here it is.').waitFor();
  await message.fill('I write');
  await conversation.getByRole('button', { name: 'Show the App' }).click();
  const view = conversation.getByRole('region', { name: 'App of lab' });
  const question = view.getByRole('group', { name: /lab/ });
  await question.getByText('first').waitFor();
  expect(await message.inputValue()).toBe('I write');
  expect(await findInaccessible(page)).toEqual([]);
  await page.screenshot({ path: 'tests/.out/app-chat.png' });
  await question.getByRole('button', { name: 'Decline' }).click();
  await question.getByText('second').waitFor();
  await question.getByRole('button', { name: 'Add to the message' }).click();
  await expect.poll(() => message.inputValue()).toBe('I write\nsecond');
  await frameOf(view).getByText('end').waitFor();
  const text = await frameOf(view).locator('#out').innerText();
  expect(text).toContain('as model: refused, Invalid parameters: role must be user');
  expect(text).toContain('empty: refused, Invalid parameters');
  expect(text).toContain('first: refused, The user refused the message.');
  expect(text).toContain('second: {}');
  const height = async () => (await view.locator('iframe').boundingBox())?.height ?? 0;
  await expect.poll(height).toBeGreaterThan(500);
  expect(await height()).toBeLessThanOrEqual(600);
  expect(problems).toEqual([]);
});
