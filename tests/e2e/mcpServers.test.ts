/** An MCP server in the window: pasted, reviewed, started, called, stopped. The server is a real one, over stdio. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';

import { startApp, type App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { findCutControls } from './cutControls.ts';
import { paneKey } from './paneKeys.ts';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
const folder = mkdtempSync(join(tmpdir(), 'toolwire-folder-'));
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true });
});

const everything = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const args = [everything, 'stdio', `--mark-${process.pid}`];
const secret = 'secret-of-the-test';
const env = { SERVICE_TOKEN: secret };
const json = JSON.stringify({ mcpServers: { everything: { command: process.execPath, args, env } } });
const isRunning = (): boolean =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(` ${args.join(' ')}`);

test('pasted JSON is reviewed whole before anything runs; then its tools are called, and its process ends', async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page, problems } = await app.openWindow({ locale: 'en-US', permissions });
  // The focus stays on the rail.
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Servers' }).click();
  await page.getByText('No MCP server yet').waitFor();
  await page.evaluate((text) => navigator.clipboard.writeText(text), json);
  await page.keyboard.press('ControlOrMeta+v');
  await page.getByRole('dialog').getByText(args.join(' ')).waitFor();
  await page.getByRole('dialog').getByRole('list', { name: 'Environment' }).getByText('SERVICE_TOKEN').waitFor();
  await page.getByRole('button', { name: 'Import 1 server' }).click();
  const sheet = page.getByRole('alertdialog', { name: 'Start “everything” for the first time?' });
  await sheet.waitFor();
  for (const part of [process.execPath, ...args]) expect(await sheet.locator('.command').innerText()).toContain(part);
  await expect
    .poll(() => sheet.getByRole('button', { name: /Decide later/ }).evaluate((at) => at === document.activeElement))
    .toBe(true);
  await sheet.getByText('SERVICE_TOKEN', { exact: true }).waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  expect(isRunning()).toBe(false);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Review and start' }).click();
  await sheet.getByRole('button', { name: /^(Start once|Connect)$/ }).click();
  const detail = page.getByRole('region', { name: 'everything' });
  await detail.getByText('Ready', { exact: true }).first().waitFor();
  expect(isRunning()).toBe(true);
  expect(await findInaccessible(page)).toEqual([]);
  await page.getByRole('contentinfo').getByText('Servers: 1 of 1 ready').waitFor();
  await detail.getByRole('option', { name: /echo/ }).click();
  await detail.getByRole('button', { name: /Open in Executor/ }).click();
  const message = page.getByRole('textbox', { name: 'message' });
  await expect.poll(() => message.evaluate((at) => at === document.activeElement)).toBe(true);
  await page.keyboard.type('from the window');
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('Echo: from the window').first().waitFor();
  await page.keyboard.press('Control+j');
  const exchange = page.getByRole('listbox', { name: 'Wire' });
  await exchange.getByRole('option', { name: /sent .*tools\/call echo/ }).waitFor();
  await page.keyboard.press('Control+j');
  await page.keyboard.press(paneKey('servers'));
  await detail.getByText(/ · up \d+ s · 1 recent call, p50 .*, p95 .* · ready in \d/).waitFor();
  await expect.poll(() => detail.getByRole('option', { name: /echo/ }).innerText()).toMatch(/ms$/);
  await detail.getByRole('button', { name: 'Copy server entry' }).click();
  await detail.getByRole('button', { name: 'Copied' }).waitFor();
  await page.screenshot({ path: 'tests/.out/servers-ready.png' });
  expect(await findCutControls(page)).toEqual([]);
  await detail.getByRole('tab', { name: 'Wire' }).click();
  const frames = detail.getByRole('listbox', { name: 'Frames of everything' });
  const probe = frames.getByRole('option', { name: /server\/discover/ });
  await probe.getByText('Probe: servers before 2026-07-28 refuse it').waitFor();
  expect(await probe.locator('.failed, .error').count()).toBe(0);
  await frames.getByRole('option', { name: /tools\/call echo/ }).click();
  await detail.getByText('from the window').first().waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  expect(await findCutControls(page)).toEqual([]);
  await replayExported(page, detail);
  await detail.getByRole('tab', { name: /^Tools/ }).click();
  await detail.getByRole('option', { name: /trigger-long-running-operation/ }).click();
  await detail.getByRole('button', { name: /Open in Executor/ }).click();
  for (const [field, value] of [
    ['duration', '60'],
    ['steps', '200'],
  ] as const) {
    await page.getByRole('button', { name: `Set value: ${field}` }).click();
    await page.getByRole('spinbutton', { name: field }).fill(value);
  }
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  const bar = result.getByRole('progressbar');
  await expect.poll(() => bar.evaluate(({ value, max }: HTMLProgressElement) => value > 0 && max === 200)).toBe(true);
  expect(await findInaccessible(page)).toEqual([]);
  await page.screenshot({ path: 'tests/.out/servers-progress.png' });
  await page.keyboard.press('Escape');
  await result.getByRole('status').getByText('Cancelled').waitFor();
  await page.getByRole('spinbutton', { name: 'Timeout' }).fill('0.2');
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  await result.getByRole('status').getByText('Timed out').waitFor();
  const history = page.getByRole('region', { name: 'Last 10' }).getByRole('listitem');
  await expect
    .poll(() => history.allInnerTexts())
    .toEqual([expect.stringContaining('The call timed out'), expect.stringContaining('The call was cancelled')]);
  await page.keyboard.press(paneKey('servers'));
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const exported = page.getByRole('dialog', { name: 'Export MCP servers' });
  await exported.getByText(args.at(-1) ?? '').waitFor();
  await exported.getByRole('combobox', { name: 'For' }).click();
  await page.getByRole('option', { name: 'Codex' }).click();
  await exported.getByText('[mcp_servers.everything]').waitFor();
  await expect.poll(() => page.title()).toBe('Servers · Toolwire');
  expect(await page.content()).not.toContain(secret);
  expect(await findInaccessible(page)).toEqual([]);
  await exported.getByRole('button', { name: 'Close' }).last().click();
  await detail.getByRole('button', { name: 'Stop' }).click();
  await detail.getByText('Stopped', { exact: true }).first().waitFor();
  await expect.poll(isRunning).toBe(false);
  expect(problems).toEqual([]);
  await page.context().close();
});

/** Exports the log of the server, which has one call, opens it as a capture, and repeats the call on the server. */
async function replayExported(page: Page, detail: Locator): Promise<void> {
  const menu = async (item: string): Promise<void> => {
    await detail.getByRole('button', { name: 'More for this log' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const path = join(folder, 'capture.jsonl');
  const saving = page.waitForEvent('download');
  await menu('Export log');
  await (await saving).saveAs(path);
  const choosing = page.waitForEvent('filechooser');
  await menu('Open a capture');
  await (await choosing).setFiles(path);
  const capture = page.getByRole('region', { name: 'capture.jsonl', exact: true });
  await capture.getByRole('option', { name: /tools\/call echo/ }).waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await capture.getByRole('button', { name: 'Replay on a server' }).click();
  const replay = page.getByRole('dialog', { name: 'Replay capture.jsonl' });
  await replay.getByRole('button', { name: 'Replay', exact: true }).click();
  await replay.getByText('1 of 1 calls').waitFor();
  await replay.getByText('1 the same').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await page.screenshot({ path: 'tests/.out/servers-replay.png' });
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'MCP servers' }).getByText('everything', { exact: true }).click();
}

test('a template is filled in with completions, a resource is subscribed to, the log has the messages of its level, and a root is added', async () => {
  const { page, problems } = await app.openWindow({ locale: 'en-US' });
  await page.keyboard.press(paneKey('servers'));
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const detail = page.getByRole('region', { name: 'everything' });
  await detail.getByText('Ready', { exact: true }).first().waitFor();
  await detail.getByRole('tab', { name: /^Prompts/ }).click();
  await detail.getByRole('option', { name: /completable-prompt/ }).click();
  await detail.getByRole('combobox', { name: 'department' }).fill('Sa');
  await expect
    .poll(() => detail.locator('datalist option').evaluateAll((all) => all.map((each) => each.getAttribute('value'))))
    .toEqual(['Sales']);
  await detail.getByRole('tab', { name: 'Log' }).click();
  await detail.getByRole('combobox', { name: 'Log level' }).click();
  await page.getByRole('option', { name: 'info' }).click();
  await detail.getByRole('tab', { name: /^Resources/ }).click();
  await detail.getByRole('option', { name: /Dynamic Text/ }).click();
  await detail.getByRole('combobox', { name: 'resourceId' }).fill('7');
  const uri = detail.getByRole('textbox', { name: 'URI of the resource' });
  await expect.poll(() => uri.inputValue()).toBe('demo://resource/dynamic/text/7');
  await detail.getByRole('button', { name: 'Read' }).click();
  await detail.getByText('This is a plaintext resource').waitFor();
  await detail.getByRole('switch', { name: 'Subscribe' }).click();
  await detail.getByText('The server has reported no change yet.').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await detail.getByRole('tab', { name: 'Log' }).click();
  await detail.getByRole('radio', { name: 'Messages' }).click();
  await detail.getByText('Received Subscribe Resource request for URI: demo://resource/dynamic/text/7').waitFor();
  await detail.getByRole('radio', { name: 'stderr' }).click();
  await detail.getByText('Starting default (STDIO) server').first().waitFor();
  await expect.poll(() => detail.getByText('Received Subscribe Resource request').count()).toBe(0);
  expect(await findInaccessible(page)).toEqual([]);
  expect(await findCutControls(page)).toEqual([]);
  await detail.getByRole('tab', { name: 'Access' }).click();
  await detail.getByRole('button', { name: 'Add folder' }).click();
  // An empty row is named; the field has the focus, so that what is typed goes into it.
  await detail.getByRole('button', { name: 'Save roots' }).click();
  await detail.getByText('Enter the folder, or remove this row.').waitFor();
  await page.keyboard.type(folder);
  await detail.getByRole('button', { name: 'Save roots' }).click();
  await expect
    .poll(() => detail.getByRole('textbox', { name: 'Folder 1', exact: true }).inputValue())
    .toBe(pathToFileURL(folder).href);
  expect(await findInaccessible(page)).toEqual([]);
  await detail.getByRole('button', { name: 'Stop' }).click();
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a server that may ask for replies offers a new tool, which waits for acceptance; a model drafts a reply, the user writes one', async () => {
  const { page, problems } = await app.openWindow({ locale: 'en-US' });
  const detail = page.getByRole('region', { name: 'everything' });
  const result = page.getByRole('region', { name: 'Result' });
  const toolName = 'trigger-sampling-request';
  const openRequest = async (prompt: string) => {
    await page.getByRole('textbox', { name: 'prompt' }).fill(prompt);
    await page.getByRole('button', { name: /^Run Ctrl/ }).click();
    const card = result.getByRole('article', { name: 'A reply from a model: everything' });
    await card.getByRole('group', { name: 'Prompt of the server' }).getByText(prompt).waitFor();
    // The time of the call does not run.
    await expect.poll(() => result.getByText(/^\d[\d.]* m?s$/).count()).toBe(0);
    return card;
  };
  await page.keyboard.press(paneKey('servers'));
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  // The server has had a tool more since it knows roots.
  await detail.getByRole('tab', { name: /^Tools/ }).click();
  await detail.getByText('1 new tool. It is withheld').waitFor();
  await detail.getByText('The server lists it since you added a root.').waitFor();
  await detail.getByRole('option', { name: /get-roots-list.*Withheld/ }).waitFor();
  expect(await detail.getByRole('option', { name: toolName }).count()).toBe(0);
  await detail.getByRole('tab', { name: 'Access' }).click();
  await detail.getByRole('switch', { name: 'May ask for replies from a model' }).click();
  await detail.getByRole('tab', { name: /^Tools/ }).click();
  await detail.getByText('2 new tools. They are withheld').waitFor();
  await detail.getByRole('option', { name: new RegExp(`${toolName}.*Withheld`) }).waitFor();
  await detail.getByRole('button', { name: 'Accept all' }).click();
  await detail.getByText('Ready', { exact: true }).first().waitFor();
  await detail.getByRole('option', { name: toolName }).click();
  await detail.getByRole('button', { name: /Open in Executor/ }).click();

  const drafted = await openRequest('Say it with a model');
  const send = drafted.getByRole('button', { name: 'Send' });
  await expect.poll(() => send.getAttribute('aria-disabled')).toBe('true');
  await drafted.getByRole('button', { name: 'Ask the model' }).click();
  const reply = drafted.getByRole('textbox', { name: 'Reply' });
  await expect.poll(() => reply.inputValue()).not.toBe('');
  const words = await reply.inputValue();
  expect(await findInaccessible(page)).toEqual([]);
  await page.screenshot({ path: 'tests/.out/servers-sampling.png' });
  await send.click();
  await expect.poll(() => result.innerText()).toContain(words.slice(0, 40));

  const written = await openRequest('Say it by hand');
  await written.getByRole('textbox', { name: 'Reply' }).fill('Written by the user.');
  await written.getByRole('button', { name: 'Send' }).click();
  await result.getByText('Written by the user.').first().waitFor();
  await expect.poll(() => result.innerText()).toContain('human');

  const declined = await openRequest('Say nothing');
  await declined.getByRole('button', { name: 'Decline' }).click();
  await declined.waitFor({ state: 'detached' });
  await page.keyboard.press(paneKey('servers'));
  await detail.getByRole('button', { name: 'Stop' }).click();
  expect(problems).toEqual([]);
  await page.context().close();
});

test('the conformance suite runs: each check is shown, one scenario runs alone, a run is cancelled half-way, and ends with Toolwire', async () => {
  const own = await startApp();
  const marked = [everything, 'stdio', `--suite-${process.pid}`];
  const running = (): number =>
    execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split(` ${marked.join(' ')}`).length - 1;
  const { page, problems } = await own.openWindow({ locale: 'en-US' });
  await page.keyboard.press(paneKey('servers'));
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page
    .getByRole('textbox', { name: 'Configuration' })
    .fill(JSON.stringify({ mcpServers: { checked: { command: process.execPath, args: marked } } }));
  await page.getByRole('button', { name: 'Import 1 server' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^(Start once|Connect)$/ })
    .click();
  const detail = page.getByRole('region', { name: 'checked', exact: true });
  await detail.getByText('Ready', { exact: true }).first().waitFor();
  await detail.getByRole('tab', { name: /^Conformance/ }).click();
  const row = (name: string, verdict: string) =>
    detail.getByRole('row', { name: new RegExp(`^${verdict} ${name}\\b`) });
  await row('ping', 'Not run').waitFor();
  expect(await findInaccessible(page)).toEqual([]);

  await row('server-initialize', 'Not run').click();
  await detail.getByRole('button', { name: 'Run this scenario' }).click();
  const checks = detail.getByRole('region', { name: 'server-initialize' });
  await checks.getByText('Server responds to initialize request with valid structure').waitFor();
  await checks.getByText('Details of the check').first().click();
  await checks.locator('details[open]').getByText('"connected"').first().waitFor();
  await checks.getByText(/^\d+ frames$/).click();
  await checks
    .getByText(/"method":"initialize"/)
    .first()
    .waitFor();
  await detail.getByText(/^1 of 30 that apply passed/).waitFor();
  expect(await findInaccessible(page)).toEqual([]);

  await detail.getByRole('button', { name: 'Run again' }).click();
  await row('ping', 'Passed').waitFor({ timeout: 60_000 });
  await detail.getByText(/^\d+ of 33 · /).waitFor();
  await detail.getByRole('button', { name: 'Cancel', exact: true }).click();
  await detail.getByText('The last run was cancelled.').waitFor();
  await expect.poll(running).toBe(1);
  expect(await findInaccessible(page)).toEqual([]);
  await detail.getByRole('radio', { name: '2026-07-28' }).click();
  await detail.getByText('Not run 50').waitFor();
  await detail.getByRole('button', { name: 'Run the suite' }).click();
  // It speaks another revision only.
  await detail.getByText(/^Faults \d+$/).waitFor({ timeout: 60_000 });
  await expect.poll(running).toBeGreaterThan(0);
  expect(problems).toEqual([]);
  await own.stop();
  await expect.poll(running).toBe(0);
}, 180_000);
