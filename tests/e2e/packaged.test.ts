/** The package as electron-builder packs it, with Node in place of Electron: its app and its command `toolwire`. */
import { extractAll } from '@electron/asar';
import { FuseV1Options } from '@electron/fuses';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { parseSync } from 'vite';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { writeAppImageCommand } from '../../electron/appImageCommand.ts';
import { requestLink } from '../../src-core/cli/requestLink.ts';
import { connectToRunning } from '../../src-core/rpc/runningWorkbench.ts';
import { packApp } from '../electron/packApp.ts';
import { standInElectron } from '../electron/standInElectron.ts';
import { testFolder } from '../electron/testFiles.ts';
import { chromiumFlags, findChromium } from './chromium.ts';

interface PackedApp {
  app: string;
  program: string;
  archive: string;
}

/**
 * Packs the app into the new folder `app`. Node reads no archive, so that `app.asar` is a folder with the same files. The program is a
 * script that runs Node as Electron runs as Node, and refuses to open a window.
 */
async function packInto(app: string): Promise<PackedApp> {
  const packed = await packApp({ electronDist: standInElectron(Object.keys(FuseV1Options).length / 2) });
  renameSync(packed.app, app);
  const archive = join(app, 'resources/app.asar');
  extractAll(archive, `${archive}.files`);
  rmSync(archive);
  renameSync(`${archive}.files`, archive);

  const program = join(app, 'toolwire');
  writeFileSync(
    join(app, 'asElectron.mjs'),
    `process.execPath = import.meta.dirname + '/toolwire';
    Object.defineProperty(process, 'versions', { value: { ...process.versions, electron: '45.4.1' } });`,
  );
  writeFileSync(
    program,
    `#!/bin/sh
    [ "$ELECTRON_RUN_AS_NODE" = 1 ] || { echo "opens a window" >&2; exit 70; }
    exec "${process.execPath}" --import "$(dirname "$0")/asElectron.mjs" "$@"`,
  );
  chmodSync(program, 0o755);
  return { app, program, archive };
}

const folder = mkdtempSync(join(tmpdir(), 'toolwire-packed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Packed by the test that is first. Its path has a space. */
let packing: Promise<PackedApp> | undefined;
const packedApp = (): Promise<PackedApp> => (packing ??= packInto(join(folder, 'Tool wire')));

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
  // It would take the workbench over when the app ends.
  await host.close();

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

/** The tools that a host which starts this program gets, and how a terminal runs `toolwire` according to its workbench. */
async function serve(command: string, args: string[] = [], env: Record<string, string> = {}) {
  const dataDir = testFolder();
  const client = new Client({ name: 'host', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...args, 'mcp', '--data-dir', dataDir],
      env: { ...getDefaultEnvironment(), ...env },
    }),
  );
  const { tools } = await client.listTools();
  const running = await connectToRunning(dataDir);
  onTestFinished(() => running!.close());
  const { parser, workbench } = running!.client;
  // A large text is read in a process of its own, which is Electron as Node, too.
  const text = 'The lamp is on. '.repeat(2_000);
  expect(await parser.parse({ text })).toMatchObject({ length: text.length, calls: [] });
  return { names: tools.map(({ name }) => name), command: (await workbench.info()).command };
}

describe.skipIf(process.platform === 'win32')('in a package with Node in place of Electron', () => {
  test('the script serves a host, also through a link, and its work has processes of its own', async () => {
    const { app, program, archive } = await packedApp();
    const script = join(app, 'resources/bin/toolwire');
    const link = join(testFolder(), 'toolwire');
    symlinkSync(script, link);
    const { names, command } = await serve(link);
    expect(names).toContain('clock_get_time');
    expect(command).toBe(`'${script}'`);
    // As hosts on Windows start it.
    const direct = await serve(program, [join(archive, 'dist/cli.js')], { ELECTRON_RUN_AS_NODE: '1' });
    expect(direct.names).toEqual(names);
  });

  test('the browser that it starts does not run as Node', async () => {
    const { app } = await packedApp();
    const dir = testFolder();
    writeFileSync(join(dir, 'xdg-open'), `#!/bin/sh\nenv > "${dir}/part" && mv "${dir}/part" "${dir}/env"\n`, {
      mode: 0o755,
    });
    const PATH = [dir, process.env['PATH']].join(delimiter);
    const child = spawn(
      join(app, 'resources/bin/toolwire'),
      ['serve', '--port', '0', '--device-port', '0', '--data-dir', testFolder()],
      { stdio: 'ignore', env: { ...process.env, CI: '', DISPLAY: ':0', PATH } },
    );
    const ended = once(child, 'exit');
    onTestFinished(() => void child.kill('SIGKILL'));
    await expect.poll(() => existsSync(join(dir, 'env'))).toBe(true);
    expect(readFileSync(join(dir, 'env'), 'utf8')).toContain('DISPLAY=:0');
    expect(readFileSync(join(dir, 'env'), 'utf8')).not.toContain('ELECTRON_RUN_AS_NODE');
    child.kill();
    expect(await ended).toEqual([0, null]);
  });

  test('it uses the proxy of the environment, as the app does', async () => {
    const { app } = await packedApp();
    const asked = Promise.withResolvers<string | undefined>();
    const proxy = createServer(({ url }, response) => {
      asked.resolve(url);
      response.end();
    });
    proxy.listen(0, '127.0.0.1');
    onTestFinished(() => void proxy.close());
    await once(proxy, 'listening');
    const child = spawn(join(app, 'resources/bin/toolwire'), ['device', '--url', 'http://ota.invalid/'], {
      stdio: 'ignore',
      env: { ...process.env, HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    expect(await asked.promise).toBe('http://ota.invalid/');
  });

  test('an AppImage is started by its own file, also if it would turn the sandbox off', async () => {
    const { generateAppRunScript } = createRequire(createRequire(import.meta.url).resolve('electron-builder'))(
      'app-builder-lib/out/targets/appimage/appImageUtil.js',
    ) as { generateAppRunScript(config: object): string };
    const dir = testFolder();
    const appImage = join(dir, 'Tool wire-1.0.0.AppImage');
    const dataDir = join(dir, 'data');
    // The runtime of an AppImage mounts it at a path without spaces, and starts AppRun.
    const { app } = await packedApp();
    const mount = join(testFolder(), 'mount');
    cpSync(app, mount, { recursive: true });
    writeFileSync(join(mount, 'AppRun'), generateAppRunScript({ ExecutableName: 'toolwire', ProductName: 'Toolwire' }));
    writeFileSync(appImage, `#!/bin/sh\nexport APPIMAGE="${appImage}" APPDIR="${mount}"\nexec "$APPDIR/AppRun" "$@"\n`);
    // As on Ubuntu: no user namespaces.
    writeFileSync(join(dir, 'unshare'), '#!/bin/sh\nexit 1\n');
    for (const file of [appImage, join(mount, 'AppRun'), join(dir, 'unshare')]) chmodSync(file, 0o755);
    const script = join(dataDir, 'bin/toolwire');
    writeAppImageCommand(script, appImage);

    const PATH = [dir, process.env['PATH']].join(delimiter);
    const { names, command } = await serve(script, [], { PATH, TOOLWIRE_DATA_DIR: dataDir });
    expect(names).toContain('clock_get_time');
    expect(command).toBe(script);
    const plain = spawnSync(appImage, ['--version'], {
      encoding: 'utf8',
      env: { ...process.env, PATH, ELECTRON_RUN_AS_NODE: '1' },
    });
    expect(plain.stderr).toContain('bad option: --no-sandbox');
  });
});
