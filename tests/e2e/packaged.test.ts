/** The package as electron-builder packs it, but for Electron itself: out of its ASAR it serves the workbench. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { parseSync } from 'vite';
import { expect, onTestFinished, test, vi } from 'vitest';

import { connectToRunning } from '../../src-core/rpc/runningWorkbench.ts';
import { requestLink } from '../../src-core/cli/requestLink.ts';
import { testFolder } from '../electron/testFiles.ts';
import { chromiumFlags, findChromium } from './chromium.ts';
import { packedApp } from './packedApp.ts';

/** Every file of the package that `file` and what it imports name, by reading their imports. */
function loadedFrom(root: string, file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const code = readFileSync(join(root, file), 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(file, code).module;
  const paths = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => /^["'](.*)["']$/.exec(code.slice(start, end))?.[1]),
  ];
  for (const path of paths) if (path?.startsWith('.')) loadedFrom(root, join(file, '..', path), found);
  return found;
}

test('the packed app, without Electron: every file it loads is in it, and its workbench makes a call in Chromium', async () => {
  const { app, archive: root } = await packedApp();
  expect(existsSync(join(root, 'dist/electron/icon.png'))).toBe(true);
  for (const entry of [
    'dist/electron/main.js',
    'dist/cli.js',
    'dist/moduleWorker.js',
    'dist/databaseWorker.js',
    'dist/worker.js',
  ])
    for (const file of loadedFrom(root, entry)) expect(existsSync(join(root, file)), file).toBe(true);

  // The main process itself, with our fake where Electron would be.
  const [dataDir, home] = [testFolder(), testFolder()];
  const hook = fileURLToPath(new URL('../electron/fakeElectronHook.ts', import.meta.url));
  // A rejection that no code handles must not end the main process.
  const rejection = 'data:text/javascript,setImmediate(() => Promise.reject(new Error("a forgotten promise")))';
  const imports = ['--import', pathToFileURL(hook).href, '--import', rejection];
  const child = spawn(process.execPath, [...imports, join(root, 'dist/electron/main.js')], {
    cwd: root,
    env: { ...process.env, HOME: home, TOOLWIRE_DATA_DIR: dataDir },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  onTestFinished(() => void child.kill('SIGKILL'));
  const running = await vi.waitFor(
    async () => {
      const connected = await connectToRunning(dataDir);
      if (!connected) throw new Error('dist/electron/main.js does not serve yet');
      return connected;
    },
    { timeout: 60_000, interval: 100 },
  );
  expect(await running.client.workbench.info()).toMatchObject({ shell: 'electron', dataDir });
  expect(readFileSync(join(dataDir, 'toolwire.log'), 'utf8')).toContain('the main process: a forgotten promise');
  // Chromium's files are not among the data.
  expect(existsSync(join(dataDir, 'chromium'))).toBe(true);
  const { link } = await requestLink(running.record);
  // A large text is read in a process of its own, whose code is in the package.
  const large = await running.client.parser.parse({ text: 'The lamp is on. '.repeat(2_000) });
  expect(large).toMatchObject({ length: 32_000, calls: [] });

  // The configuration that it writes for a host names a command that starts.
  const { file } = await running.client.hosts.writeConfig({ program: 'cursor', finds: false });
  expect(file).toBe(join(home, '.cursor/mcp.json'));
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as {
    mcpServers: { toolwire: { command: string; args: string[] } };
  };
  expect(mcpServers.toolwire).toEqual({ command: join(app, 'resources/bin/toolwire'), args: ['mcp'] });
  const host = new Client({ name: 'host', version: '1' });
  onTestFinished(() => host.close());
  const env = { ...getDefaultEnvironment(), TOOLWIRE_DATA_DIR: dataDir };
  await host.connect(new StdioClientTransport({ ...mcpServers.toolwire, env }));
  await host.callTool({ name: 'clock_get_time', arguments: {} });
  expect(await running.client.calls.names()).toEqual(['clock_get_time']);
  running.close();

  const browser = await chromium.launch({ executablePath: findChromium()!, args: chromiumFlags });
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  page.setDefaultTimeout(30_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(link);
  await page.getByRole('navigation', { name: 'Panes' }).waitFor();
  await page.getByRole('searchbox').fill('get_time');
  await page.getByRole('listbox', { name: 'Tools' }).getByRole('option', { name: 'get_time' }).first().click();
  await page.getByRole('listbox', { name: 'Methods' }).getByRole('option', { name: 'get_time' }).click();
  await page.getByRole('button', { name: /Open in Executor/ }).click();
  await page.getByRole('button', { name: /^Run Ctrl/ }).click();
  await page.getByRole('region', { name: 'Result' }).getByRole('status').getByText('OK').waitFor();

  // The licences of what it contains are in it, too, and shown.
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Show licences' }).click();
  const licences = page.getByRole('dialog', { name: 'Third-party software' });
  await licences.getByText(/^@cfworker\/json-schema \d/).waitFor();
  expect(problems).toEqual([]);

  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(existsSync(join(dataDir, 'workbench.json'))).toBe(false);
});
