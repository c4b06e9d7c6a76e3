/** Finds a Chromium for the browser tests, and gets one where there is none. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const systemPaths = [
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

/** As `findChromium`; where there is none it is installed: by Playwright, else by apt where we are root. */
export function ensureChromium(): string | undefined {
  const found = findChromium();
  if (found) return found;
  console.log('No Chromium here: asking Playwright for one');
  spawnSync(process.execPath, ['node_modules/playwright-core/cli.js', 'install', '--with-deps', 'chromium'], {
    stdio: 'inherit',
    timeout: 300_000,
  });
  const isRoot = process.getuid?.() === 0;
  if (!findChromium() && isRoot) {
    console.log('Playwright has none for us: asking apt');
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    spawnSync('apt-get', ['install', '-y', '-qq', 'chromium', 'fonts-noto-cjk'], {
      stdio: 'inherit',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
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
