/** Finds a Chromium for the browser tests, and gets one if there is none. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const systemPaths = [
  // The same Chromium without the parts of a desktop program, which take a third of the processor time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The path of an installed Chromium: the one named in CHROMIUM_PATH, a system one, else Playwright's. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM_PATH'];
  return [...(named ? [named] : systemPaths), chromium.executablePath()].find((path) => path && existsSync(path));
}

/** As `findChromium`; if there is none, Playwright installs one. */
export function ensureChromium(): string | undefined {
  const found = findChromium();
  if (found) return found;
  console.log('No Chromium here: asking Playwright for one');
  const flags = ['install', '--with-deps', '--only-shell', 'chromium'];
  spawnSync(process.execPath, ['node_modules/playwright-core/cli.js', ...flags], {
    stdio: 'inherit',
    timeout: 300_000,
  });
  return findChromium();
}

/** Flags that Chromium needs in a container, as root, without a network. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
