import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';

import { openWorkbench } from '../../electron/openWorkbench.ts';
import { createPortClient } from '../../src-core/api/client.ts';
import { createSafeStorageSecrets } from '../../electron/safeStorageSecrets.ts';
import { startShell } from '../../electron/shell.ts';
import { connectToRunning } from '../../src-core/api/runningWorkbench.ts';
import { createFileSecrets } from '../../src-core/store/fileSecrets.ts';
import { FakeElectron, FakeSafeStorage } from './fakeElectron.ts';

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
    ...{ kind: 'openai-compatible', label: 'Real', preset: 'custom', baseUrl: 'http://127.0.0.1:1/v1', model: 'm' },
    ...{ stream: true, totalMs: 1_000, chunkMs: 1_000 },
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
