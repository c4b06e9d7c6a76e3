/** Starts the built Toolwire as a person does (`toolwire serve`), and opens its window in Chromium. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Cookie, Page } from 'playwright-core';

import { chromiumFlags, findChromium } from './chromium.ts';
import { startElectronApp } from './electronApp.ts';
import { runTerminal } from './runTerminal.ts';
import { watchPage } from './watchPage.ts';

export interface App {
  /** What `serve --json` printed. */
  readonly served: { url: string; link: string; device: { otaUrl: string; webSocketUrl: string } };
  readonly dataDir: string;
  /** A window of its own, with what went wrong in it. */
  openWindow(options?: BrowserContextOptions): Promise<{ page: Page; problems: string[] }>;
  /** Runs the terminal against the same data directory. */
  terminal(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }>;
  stop(): Promise<void>;
}

/**
 * `flags` go to Chromium beside those that every test needs. With `TOOLWIRE_E2E=electron` it is the real Electron that
 * opens the window.
 */
export async function startApp({ flags = [] }: { flags?: readonly string[] } = {}): Promise<App> {
  if (process.env['TOOLWIRE_E2E'] === 'electron') return startElectronApp({ flags });
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-e2e-'));
  const args = ['serve', '--port', '0', '--device-port', '0', '--no-open', '--json', '--data-dir', dataDir];
  const host = spawn(process.execPath, ['dist/cli.js', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await Promise.race([
    once(createInterface({ input: host.stdout }), 'line') as Promise<[string]>,
    once(host, 'exit').then(([code]) => {
      throw new Error(`dist/cli.js serve ended with ${String(code)} before it listened. Run: npm run build`);
    }),
  ]);
  const served = JSON.parse(line) as App['served'];
  let browser: Browser | undefined;
  /** What the printed link, which works once, left in the browser; further windows start with it. */
  let cookies: Cookie[] | undefined;

  return {
    served,
    dataDir,
    terminal: (...words) => runTerminal(dataDir, words),
    async openWindow(options = {}) {
      const executablePath = findChromium();
      if (executablePath === undefined) throw new Error('No Chromium here; tests/run.ts gets one');
      browser ??= await chromium.launch({ executablePath, args: [...chromiumFlags, ...flags] });
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        locale: 'en-US',
        reducedMotion: 'reduce',
        ...options,
      });
      context.setDefaultTimeout(15_000);
      const page = await context.newPage();
      const problems = watchPage(page);
      if (cookies) await context.addCookies(cookies);
      await page.goto(cookies ? served.url : served.link);
      cookies ??= await context.cookies();
      await page.getByRole('navigation', { name: /Panes|面板/ }).waitFor();
      return { page, problems };
    },
    async stop() {
      await browser?.close();
      const ended = once(host, 'exit');
      host.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
