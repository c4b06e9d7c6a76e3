import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { MessageBoxOptions } from 'electron';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';

import { openWorkbench } from '../../electron/openWorkbench.ts';
import { requestYield } from '../../src-core/cli/requestLink.ts';
import { createPortClient } from '../../src-core/rpc/client.ts';
import { createSafeStorageSecrets } from '../../electron/safeStorageSecrets.ts';
import { startShell } from '../../electron/shell.ts';
import { announceRunning, connectToRunning, withdrawRunning } from '../../src-core/rpc/runningWorkbench.ts';
import { lockDataDir } from '../../src-core/store/dataDirLock.ts';
import { createFileSecrets } from '../../src-core/store/fileSecrets.ts';
import { builtCli } from '../helpers/builtCli.ts';
import { FakeElectron, FakeSafeStorage } from './fakeElectron.ts';
import { start } from './startedShell.ts';

function dataDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-shell-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('the window by its port and the terminal by its address reach one workbench, until it closes', async () => {
  const dir = dataDir();
  const errors: unknown[] = [];
  const workbench = await openWorkbench({
    dataDir: dir,
    rendererDir: resolve('dist/renderer'),
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => workbench.close());
  const { port1, port2 } = new MessageChannel();
  const closed = new Promise((done) => port2.once('close', done));
  workbench.servePort(port1);
  const window = createPortClient(port2);
  expect((await window.workbench.info()).shell).toBe('electron');

  const running = (await connectToRunning(dir))!;
  await running.client.settings.set({ ui: { seen: 'from the terminal' } });
  expect((await window.settings.get()).ui).toEqual({ seen: 'from the terminal' });
  expect(workbench.settings.get().ui).toEqual({ seen: 'from the terminal' });

  await workbench.close();
  await closed;
  expect(await connectToRunning(dir)).toBeUndefined();
  expect(errors).toEqual([]);
});

test('the models’ keys go where the shell says', async () => {
  const dir = dataDir();
  const rendererDir = join(dir, 'renderer');
  mkdirSync(rendererDir);
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html>');
  const secrets = createSafeStorageSecrets({
    safeStorage: new FakeSafeStorage(),
    platform: 'linux',
    path: join(dir, 'secrets.encrypted.json'),
    file: createFileSecrets(join(dir, 'secrets.json')),
    onError: () => undefined,
  });
  const workbench = await openWorkbench({ dataDir: dir, rendererDir, secrets, onError: () => undefined });
  onTestFinished(() => workbench.close());
  const { port1, port2 } = new MessageChannel();
  workbench.servePort(port1);
  const { models } = createPortClient(port2);
  const { id } = await models.save({
    kind: 'openai-compatible',
    label: 'Real',
    preset: 'custom',
    baseUrl: 'http://127.0.0.1:1/v1',
    model: 'm',
    stream: true,
    totalMs: 1_000,
    chunkMs: 1_000,
  });
  await models.setKey({ id, key: 'sk-secret-in-the-keyring' });
  expect(await models.list()).toMatchObject({ keyStorage: 'system', models: [{}, { hasKey: true }] });
  expect(readFileSync(join(dir, 'secrets.encrypted.json'), 'utf8')).not.toContain('sk-secret');
  expect(existsSync(join(dir, 'secrets.json'))).toBe(false);
});

test('a window that is not built is an error, and leaves nothing open', async () => {
  const dir = dataDir();
  const opening = openWorkbench({ dataDir: dir, rendererDir: join(dir, 'none'), onError: () => undefined });
  await expect(opening).rejects.toThrow(/The window is not built/);
  expect(await connectToRunning(dir)).toBeUndefined();
});

test('where a workbench runs already the app says which one, ends, and leaves that one as it is', async () => {
  const dir = dataDir();
  const rendererDir = join(dir, 'renderer');
  mkdirSync(rendererDir);
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html>');
  const open = (): ReturnType<typeof openWorkbench> =>
    openWorkbench({ dataDir: dir, rendererDir, onError: () => undefined });
  const first = await open();
  onTestFinished(() => first.close());
  const address = readFileSync(join(dir, 'workbench.json'), 'utf8');
  const { pid, origin } = JSON.parse(address) as { pid: number; origin: string };

  const electron = new FakeElectron();
  await startShell({
    electron,
    dataDir: dir,
    createWorkbench: open,
    rendererDir,
    preloadFile: '/nowhere/preload.cjs',
    iconFile: '/nowhere/icon.png',
    platform: 'linux',
    env: {},
    argv: [],
    cwd: '/',
    onSignal: () => undefined,
    onError: () => undefined,
  });
  expect(electron.errorBoxes).toEqual([expect.stringContaining(`process ${pid} at ${origin}`)]);
  expect(electron.errorBoxes[0]).toContain(dir);
  expect(electron.app.exitCode).toBe(1);
  expect(electron.windows).toEqual([]);
  expect(readFileSync(join(dir, 'workbench.json'), 'utf8')).toBe(address);
  const running = (await connectToRunning(dir))!;
  expect((await running.client.workbench.info()).shell).toBe('electron');
  running.close();
});

/** Starts `toolwire mcp`. `notes` returns what it has written to standard error. */
async function startHost(dir: string): Promise<{ host: Client; notes: () => string }> {
  const host = new Client({ name: 'host', version: '1' });
  onTestFinished(() => host.close());
  const args = [builtCli, 'mcp', '--data-dir', dir];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
  let notes = '';
  transport.stderr!.on('data', (text: Buffer) => (notes += text.toString('utf8')));
  await host.connect(transport);
  return { host, notes: () => notes };
}

test('the app takes over from hosts at `toolwire mcp`, which go on with its workbench, and without it once it has ended', async () => {
  const dir = dataDir();
  const shell = async (): Promise<string | undefined> => {
    const running = await connectToRunning(dir);
    const info = await running?.client.workbench.info();
    running?.close();
    return info?.shell;
  };
  // The first one opens a workbench, and the other one joins it.
  const hosts = [await startHost(dir), await startHost(dir)];
  expect(await shell()).toBe('browser');
  const workbench = await openWorkbench({
    dataDir: dir,
    rendererDir: resolve('dist/renderer'),
    onError: () => undefined,
  });
  onTestFinished(() => workbench.close());
  expect(await shell()).toBe('electron');
  const callAll = async (): Promise<unknown> =>
    Promise.all(hosts.map(({ host }) => host.callTool({ name: 'clock_get_time', arguments: {} })));
  await callAll();
  await workbench.close();
  await expect.poll(shell).toBe('browser');
  await callAll();
});

test('all hosts at `toolwire mcp` wait for the app, also those that used the workbench of another one', async () => {
  const dir = dataDir();
  const hosts = [await startHost(dir), await startHost(dir)];
  const running = (await connectToRunning(dir))!;
  running.close();
  expect(await requestYield(running.record)).toBe(true);
  const note = 'toolwire: The data directory is left to the desktop app. Waiting for it.\n';
  for (const { notes } of hosts) await expect.poll(notes).toBe(note);
});

test('a host at `toolwire mcp` is still served if the workbench that left cannot close', async () => {
  const dir = dataDir();
  const { notes } = await startHost(dir);
  const { record, close } = (await connectToRunning(dir))!;
  close();
  rmSync(join(dir, 'workbench.json'));
  mkdirSync(join(dir, 'workbench.json'));
  expect(await requestYield(record)).toBe(true);
  await expect.poll(notes).toMatch(/the workbench.*workbench\.json[^]*Waiting for it\./);
});

test('the app opens if a `toolwire mcp` ends by itself while it is asked to, and reports one wait', async () => {
  const dir = dataDir();
  const lock = lockDataDir(dir)!;
  onTestFinished(() => lock.release());
  const sockets = new WebSocketServer({ noServer: true });
  let isAsked = false;
  let attempts = 0;
  const server = createServer(({ socket }) => {
    isAsked = true;
    socket.destroy();
  });
  server.on('upgrade', (request, socket, head) => {
    if (!isAsked) return sockets.handleUpgrade(request, socket, head, () => undefined);
    socket.destroy();
    attempts += 1;
    // So many that another wait would be reported.
    if (attempts === 20) lock.release();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const onWait = vi.fn<() => void>(() => announceRunning(dir, { pid: 4711, origin, bearerToken: 'secret' }));
  const rendererDir = resolve('dist/renderer');
  const workbench = await openWorkbench({ dataDir: dir, rendererDir, onError: () => undefined, onWait });
  await workbench.close();
  expect([isAsked, onWait.mock.calls.length]).toEqual([true, 1]);
});

/** The shell starts while a command of the terminal uses the data directory. `press` presses a button of the box. */
async function startWhileUsed(locale = 'en-GB') {
  const dir = dataDir();
  const rendererDir = join(dir, 'renderer');
  mkdirSync(rendererDir);
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html>');
  const lock = lockDataDir(dir)!;
  onTestFinished(() => lock.release());
  announceRunning(dir, { pid: 4711 });
  const electron = new FakeElectron();
  electron.app.locale = locale;
  const asked = Promise.withResolvers<MessageBoxOptions>();
  const answered = Promise.withResolvers<{ response: number }>();
  electron.dialog.showMessageBox = (options, parent) => {
    expect(parent).toBeUndefined();
    options.signal!.addEventListener('abort', () => answered.resolve({ response: options.cancelId! }));
    asked.resolve(options);
    return answered.promise;
  };
  const opened: Awaited<ReturnType<typeof openWorkbench>>[] = [];
  onTestFinished(async () => void (await Promise.all(opened.map(({ close }) => close()))));
  const started = start({
    electron,
    dataDir: dir,
    async createWorkbench(waiting) {
      const workbench = await openWorkbench({ ...waiting, dataDir: dir, rendererDir, onError: () => undefined });
      opened.push(workbench);
      return workbench;
    },
  });
  const end = (): void => {
    withdrawRunning(dir);
    lock.release();
  };
  return { dir, electron, started, box: await asked.promise, press: answered.resolve, end };
}

test('while a command uses the data directory, a box names it, and closes itself when the window opens', async () => {
  const { dir, electron, started, box, end } = await startWhileUsed();
  expect(box).toMatchObject({
    message: 'Toolwire is waiting for another process',
    detail: `Toolwire, process 4711, uses ${dir}. The window opens when that process ends.`,
    buttons: ['Keep Waiting', 'Quit'],
  });
  expect([box.signal!.aborted, electron.windows]).toEqual([false, []]);
  end();
  await started;
  expect([box.signal!.aborted, electron.windows.length]).toEqual([true, 1]);
  expect(electron.app.calls).not.toContain('quit');
});

test('Quit ends the wait and the app; the box is in the language of the system', async () => {
  const { electron, started, box, press } = await startWhileUsed('zh-CN');
  expect(box).toMatchObject({ message: 'Toolwire 正在等待另一个进程', buttons: ['继续等待', '退出'] });
  expect(box.detail).toContain('4711');
  press({ response: 1 });
  await started;
  expect([electron.app.exitCode, electron.windows, electron.errorBoxes]).toEqual([0, [], []]);
});

test('after Keep Waiting, the window still opens', async () => {
  const { electron, started, press, end } = await startWhileUsed();
  press({ response: 0 });
  end();
  await started;
  expect(electron.windows).toHaveLength(1);
});

test('a listener that throws is reported, and is called again', async () => {
  const dir = dataDir();
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const workbench = await openWorkbench({ dataDir: dir, rendererDir: resolve('dist/renderer'), onError });
  onTestFinished(() => workbench.close());
  const failure = new Error('the menu cannot be built');
  workbench.onSettings(() => {
    throw failure;
  });
  await vi.waitFor(() => expect(errors).toEqual([failure]));
  await workbench.settings.set({ ui: { changed: true } });
  await vi.waitFor(() => expect(errors).toEqual([failure, failure]));
});
