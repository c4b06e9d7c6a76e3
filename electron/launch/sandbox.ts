import { readFileSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';

import type { NoWindow } from './serveInstead.ts';

/** Kernel settings that keep a user without privileges from creating a user namespace, with the value that does so. */
const restrictions: readonly (readonly [path: string, value: string])[] = [
  ['kernel/apparmor_restrict_unprivileged_userns', '1'],
  ['kernel/unprivileged_userns_clone', '0'],
  ['user/max_user_namespaces', '0'],
];

/**
 * Why Chromium's sandbox cannot start on this Linux. It needs user namespaces or its setuid helper; without either,
 * Electron aborts before it runs any JavaScript.
 */
export function whyNoSandbox(options: {
  /** Folder of Electron's program. */
  distDir: string;
  /** Folder of the kernel's settings: /proc/sys. */
  sysctlDir: string;
  stat?: (path: string) => Pick<Stats, 'uid' | 'mode'>;
}): NoWindow | undefined {
  const { distDir, sysctlDir, stat = statSync } = options;
  const isRestricted = restrictions.some(([path, value]) => readSetting(join(sysctlDir, path)) === value);
  if (!isRestricted || isSetuidHelper(join(distDir, 'chrome-sandbox'), stat)) return undefined;
  return noSandbox(distDir);
}

/** The sandbox cannot start, and the command that enables its setuid helper. */
export function noSandbox(distDir: string): NoWindow {
  const helper = shellQuote(join(distDir, 'chrome-sandbox'));
  return {
    reason: "Electron's sandbox cannot start, because this system restricts user namespaces",
    remedy:
      'To open the window, run this command, then npm start. npm ci undoes it, so repeat it after each npm ci.\n' +
      `  sudo chown root:root ${helper} && sudo chmod 4755 ${helper}\n`,
  };
}

function readSetting(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // Each setting exists on some kernels only.
    return undefined;
  }
}

function isSetuidHelper(path: string, stat: (path: string) => Pick<Stats, 'uid' | 'mode'>): boolean {
  try {
    const { uid, mode } = stat(path);
    return uid === 0 && (mode & 0o7777) === 0o4755;
  } catch {
    return false;
  }
}

function shellQuote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
