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
import { keepWindow } from './keepWindow.ts';
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

/** The browser of all files that a worker's process runs; a new one costs as much as a window. It ends with the process. */
const shared = globalThis as typeof globalThis & { toolwireBrowser?: Promise<Browser> | undefined };

async function sharedBrowser(): Promise<Browser> {
  const browser = await (shared.toolwireBrowser ??= launch([]));
  if (browser.isConnected()) return browser;
  return (shared.toolwireBrowser = launch([]));
}

function launch(flags: readonly string[]): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('No Chromium here; tests/run.ts gets one');
  return chromium.launch({ executablePath, args: [...chromiumFlags, ...flags] });
}

/**
 * `flags` go to a Chromium of its own beside those that every test needs. With `TOOLWIRE_E2E=electron` it is the real
 * Electron that opens the window.
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
  let own: Browser | undefined;
  const contexts: { close(): Promise<void> }[] = [];
  /** Closed windows, by their options. */
  const kept = new Map<string, Page[]>();
  /** What the printed link, which works once, left in the browser; further windows start with it. */
  let cookies: Cookie[] | undefined;

  async function newWindow(options: BrowserContextOptions, key: string): Promise<Page> {
    const browser = flags.length === 0 ? await sharedBrowser() : (own ??= await launch(flags));
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'en-US',
      reducedMotion: 'reduce',
      ...options,
    });
    contexts.push({ close: context.close.bind(context) });
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    keepWindow(context, page, served.url, (closed) => kept.set(key, [...(kept.get(key) ?? []), closed]));
    return page;
  }

  return {
    served,
    dataDir,
    terminal: (...words) => runTerminal(dataDir, words),
    async openWindow(options = {}) {
      const key = JSON.stringify(options);
      const page = kept.get(key)?.pop() ?? (await newWindow(options, key));
      const problems = watchPage(page);
      if (cookies) await page.context().addCookies(cookies);
      await page.goto(cookies ? served.url : served.link);
      cookies ??= await page.context().cookies();
      await page.getByRole('navigation', { name: /Panes|面板/ }).waitFor();
      return { page, problems };
    },
    async stop() {
      for (const context of contexts) await context.close();
      await own?.close();
      const ended = once(host, 'exit');
      host.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
