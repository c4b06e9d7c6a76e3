import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';

import { openWorkbench } from '../../electron/openWorkbench.ts';
import { createPortClient } from '../../src-core/api/client.ts';
import { connectToRunning } from '../../src-core/api/runningWorkbench.ts';

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

test('a window that is not built is an error, and leaves nothing open', async () => {
  const dir = dataDir();
  const opening = openWorkbench({ dataDir: dir, rendererDir: join(dir, 'none'), onError: () => undefined });
  await expect(opening).rejects.toThrow(/The window is not built/);
  expect(await connectToRunning(dir)).toBeUndefined();
});
