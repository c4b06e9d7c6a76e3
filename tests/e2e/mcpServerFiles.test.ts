/** Servers of configuration files in the window: dropped files, values of inputs, a changed file, removal with Undo, and links that start nothing. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startApp, type App } from './app.ts';
import { findInaccessible } from './axe.ts';
import { dropFile } from './dropFile.ts';
import { paneKey } from './paneKeys.ts';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
const folder = mkdtempSync(join(tmpdir(), 'toolwire-files-'));
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true });
});
const everything = join(process.cwd(), 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

test('the values of inputs are asked for before the start, and removal can be undone', async () => {
  const { page, problems } = await app.openWindow({ locale: 'en-US' });
  await page.keyboard.press(paneKey('servers'));
  await page.getByRole('button', { name: 'Paste a configuration' }).click();
  const config = {
    inputs: [
      { type: 'promptString', id: 'key', description: 'Key of the service', password: true },
      { type: 'pickString', id: 'transport', description: 'Transport', options: ['stdio', 'sse'] },
    ],
    servers: {
      inputs: {
        type: 'stdio',
        command: process.execPath,
        args: [everything, '${input:transport}', '${workspaceFolder}'],
        env: { KEY: '${input:key}' },
      },
    },
  };
  await page.getByRole('textbox', { name: 'Configuration' }).fill(JSON.stringify(config));
  await page.getByRole('button', { name: 'Import 1 server' }).click();
  const asking = page.getByRole('alertdialog', { name: '“inputs” needs values' });
  await asking.getByRole('textbox', { name: 'Workspace folder' }).fill(folder);
  expect(await asking.getByRole('button', { name: 'Continue' }).isEnabled()).toBe(false);
  await asking.getByRole('combobox', { name: 'Transport' }).click();
  await page.getByRole('option', { name: 'stdio' }).click();
  const key = asking.getByLabel('Key of the service');
  expect(await key.getAttribute('type')).toBe('password');
  await key.fill('hunter2-of-the-window');
  expect(await findInaccessible(page)).toEqual([]);
  await key.press('Enter');
  const sheet = page.getByRole('alertdialog', { name: 'Start “inputs” for the first time?' });
  await sheet.getByText(folder).waitFor();
  expect(await sheet.innerText()).not.toContain('hunter2');
  await sheet.getByRole('button', { name: 'Always start this' }).click();
  const detail = page.getByRole('region', { name: 'inputs' });
  await detail.getByText('Ready', { exact: true }).first().waitFor();
  await detail.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByText('The MCP server “inputs” was removed', { exact: true }).waitFor();
  await page.getByText('No MCP server yet').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await detail.getByRole('button', { name: 'Start', exact: true }).click();
  await detail.getByText('Ready', { exact: true }).first().waitFor();
  await detail.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit “inputs”' });
  await expect.poll(() => form.getByRole('textbox', { name: 'Workspace folder' }).inputValue()).toBe(folder);
  expect(await form.getByLabel('Key of the service').inputValue()).toBe('');
  expect(await findInaccessible(page)).toEqual([]);
  await form.getByRole('button', { name: 'Cancel' }).click();
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a change of the file is shown at the next start, and is taken over or not', async () => {
  const path = join(folder, 'mcp.json');
  const write = (token: string, ...args: string[]): void =>
    writeFileSync(
      path,
      JSON.stringify({
        mcpServers: { filed: { command: process.execPath, args: [everything, ...args], env: { TOKEN: token } } },
      }),
    );
  write('secret-of-the-test', 'stdio');
  expect((await app.terminal('servers', 'import', path)).code).toBe(0);
  const { page, problems } = await app.openWindow({ locale: 'en-US' });
  await page.keyboard.press(paneKey('servers'));
  await page.getByRole('region', { name: 'MCP servers' }).getByText('filed', { exact: true }).click();
  const detail = page.getByRole('region', { name: 'filed' });
  await detail.getByRole('button', { name: 'Review and start' }).click();
  await page.getByRole('button', { name: 'Always start this' }).click();
  await detail.getByText('Ready', { exact: true }).first().waitFor();
  await detail.getByRole('button', { name: 'Stop' }).click();
  await detail.getByText('Stopped', { exact: true }).first().waitFor();
  write('another-of-the-test', 'stdio', '--from-the-file');
  await detail.getByRole('button', { name: 'Start', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'The file of “filed” has changed' });
  await question.getByText('--from-the-file').waitFor();
  await question.getByText('New values: TOKEN').waitFor();
  expect(await findInaccessible(page)).toEqual([]);
  await question.getByRole('button', { name: 'Use the file’s' }).click();
  const sheet = page.getByRole('alertdialog', { name: '“filed” has changed. Start it?' });
  await sheet.getByText('New values: TOKEN').waitFor();
  expect(await page.content()).not.toContain('of-the-test');
  expect(await findInaccessible(page)).toEqual([]);
  await sheet.getByRole('button', { name: 'Always start this' }).click();
  await detail.getByText('Ready', { exact: true }).first().waitFor();
  write('another-of-the-test', 'elsewhere');
  await detail.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Refresh lists' }).click();
  await detail.getByRole('button', { name: 'Review the change' }).click();
  await question.getByRole('button', { name: 'Keep mine' }).click();
  await detail.getByText(/has changed/).waitFor({ state: 'detached' });
  await detail.getByText('Ready', { exact: true }).first().waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a link with a command starts nothing, in the window and in the terminal', async () => {
  const marker = join(folder, 'started');
  // Each link is for a server of its own: the import does not offer one that is there already.
  const entry = (link: string): { command: string; args: string[] } => ({
    command: process.execPath,
    args: ['-e', `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`, link],
  });
  const encoded = (link: string): string =>
    encodeURIComponent(Buffer.from(JSON.stringify(entry(link))).toString('base64'));
  const links = [
    `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'linked', ...entry('vscode') }))}`,
    `cursor://anysphere.cursor-deeplink/mcp/install?name=linked&config=${encoded('cursor')}`,
    `toolwire://servers/install?name=linked&config=${encoded('toolwire')}`,
  ];
  const { page, problems } = await app.openWindow({ locale: 'en-US' });
  await page.keyboard.press(paneKey('servers'));
  for (const link of links) {
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('textbox', { name: 'Configuration' }).fill(link);
    await page.getByRole('dialog').getByText(marker).waitFor();
    await page.getByRole('button', { name: 'Import 1 server' }).click();
    const sheet = page.getByRole('alertdialog', { name: /Start “linked(-\d)?” for the first time\?/ });
    await sheet.getByText(marker).waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect((await app.terminal('servers', 'add', link, '--all')).code).toBe(0);
  }
  const { stdout } = await app.terminal('servers', 'list', '--json');
  const rows = (JSON.parse(stdout) as { id: string; name: string; state: string }[]).filter(({ name }) =>
    name.startsWith('linked'),
  );
  expect(rows.map(({ state }) => state).filter((state) => !['asking', 'stopped'].includes(state))).toEqual([]);
  expect(rows).toHaveLength(6);
  expect((await app.terminal('servers', 'start', rows[0]?.id ?? '')).code).not.toBe(0);
  expect(existsSync(marker)).toBe(false);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a configuration of each host that is dropped opens its import', async () => {
  const { page, problems } = await app.openWindow({ locale: 'en-US' });
  const fixtures = join(process.cwd(), 'tests/fixtures/mcpConfigs');
  const files = readdirSync(fixtures).map((name) => ({ name, text: readFileSync(join(fixtures, name), 'utf8') }));
  expect(files).toHaveLength(8);
  // The configuration of Claude Code has its servers after its projects.
  const projects = { '/project': { history: Array.from({ length: 2_000 }, () => 'x'.repeat(50)) } };
  const mcpServers = { last: { command: 'node' } };
  files.push({ name: '.claude.json', text: JSON.stringify({ projects, mcpServers }) });
  for (const { name, text } of files) {
    await page.keyboard.press(paneKey('parser'));
    await dropFile(page, name, text);
    const dialog = page.getByRole('dialog', { name: 'Import MCP servers' });
    await dialog.getByText(name, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: /^Import \d servers?$/ }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  expect(problems).toEqual([]);
  await page.context().close();
});
