import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { NoWindow } from './serveInstead.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Why Electron cannot open a window for this user on this machine, whether it is installed or not. */
export function whyNoWindow(options: { env: Env; platform: NodeJS.Platform; isRoot: boolean }): NoWindow | undefined {
  const { env, platform, isRoot } = options;
  if (platform !== 'linux') return undefined;
  if (!env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return { reason: "There is no display for Electron's window" };
  // Chromium's sandbox does not work as root, and Toolwire does not run without the sandbox.
  if (!isRoot) return undefined;
  return {
    reason: 'Electron does not run as root',
    remedy: 'To open the window, run npm start as another user, for example: sudo -u NAME npm start\n',
  };
}

/** Absolute path of Electron's program; undefined if it is not installed. */
export function findBinary(options: {
  env: Env;
  platform: NodeJS.Platform;
  /** Folder of the electron package. */
  packageDir: string;
}): string | undefined {
  const { env, platform, packageDir } = options;
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'];
  // Electron's installer writes path.txt last: without it, dist/ is incomplete.
  if (!override && !existsSync(join(packageDir, 'path.txt'))) return undefined;
  const binary = join(override || join(packageDir, 'dist'), programIn(platform));
  return existsSync(binary) ? binary : undefined;
}

/** Why a missing Electron must not be downloaded; undefined if it may be. */
export function downloadForbidden(env: Env): NoWindow | undefined {
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (override) return { reason: `ELECTRON_OVERRIDE_DIST_PATH names ${override}, which does not contain Electron` };
  if (!env['ELECTRON_SKIP_BINARY_DOWNLOAD']) return undefined;
  return {
    reason: 'Electron is not installed, and ELECTRON_SKIP_BINARY_DOWNLOAD is set',
    remedy: 'To install Electron, run: npx install-electron --no\n',
  };
}

/** Path of the program in Electron's dist folder, as in Electron's own install.js. */
function programIn(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return platform === 'win32' ? 'electron.exe' : 'electron';
}
