/** Starts the built Toolwire in the real Electron, for the same tests (`TOOLWIRE_E2E=electron`, docs/releasing.md). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { _electron } from 'playwright-core';

import { connectToRunning, type RunningClient } from '../../src-core/rpc/runningWorkbench.ts';
import { requestLink } from '../../src-core/cli/requestLink.ts';
import type { App } from './app.ts';
import { runTerminal } from './runTerminal.ts';
import { watchPage } from './watchPage.ts';

/** ms for Electron and its workbench to come up on a slow machine. */
const startMs = 60_000;

/**
 * As `startApp`, but in Electron: its one window stands in for every window that a test opens; it is loaded anew for
 * each, and `close` of its context, with which tests end, leaves it open.
 */
export async function startElectronApp({ flags }: { flags: readonly string[] }): Promise<App> {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-electron-'));
  const electron = await _electron.launch({
    args: ['.', ...flags],
    env: { ...process.env, TOOLWIRE_DATA_DIR: dataDir },
    locale: 'en-US',
  });
  const page = await electron.firstWindow();
  page.context().setDefaultTimeout(30_000);
  page.context().close = () => Promise.resolve();
  const running = await workbenchOf(dataDir);
  const { device } = await running.client.workbench.info();
  const { origin, link } = await requestLink(running.record);
  running.close();

  return {
    served: { url: origin, link, device },
    dataDir,
    terminal: (...words) => runTerminal(dataDir, words),
    async openWindow({ colorScheme, viewport } = {}) {
      page.removeAllListeners();
      const problems = watchPage(page);
      await page.emulateMedia({ colorScheme: colorScheme ?? null });
      await page.setViewportSize(viewport ?? { width: 1280, height: 800 });
      await page.reload();
      await page.getByRole('navigation', { name: /Panes|面板/ }).waitFor();
      return { page, problems };
    },
    async stop() {
      // A signal ends the app without a question; quitting would ask if a device is connected.
      const closed = electron.waitForEvent('close');
      electron.process().kill();
      await closed;
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function workbenchOf(dataDir: string): Promise<RunningClient> {
  for (const giveUpAt = Date.now() + startMs; Date.now() < giveUpAt; await after(200)) {
    const running = await connectToRunning(dataDir);
    if (running) return running;
  }
  throw new Error(`Electron serves no workbench within ${startMs / 1000} s`);
}
