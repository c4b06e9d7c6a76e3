import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectPath } from './project.ts';

/** Milliseconds a download of the binary may take before the person gets the browser instead. */
const downloadMs = 20_000;

/** Electron's binary, or why there is no window of its own. */
export type FoundElectron = { binary: string } | { reason: string };

/**
 * Finds Electron's binary, and tries once to download it, with Electron's own script. The package itself is not
 * imported: outside of Electron that starts a download without end.
 */
export async function findElectron(options: {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  ended: AbortSignal;
  /** Folder of the electron package. */
  packageDir?: string;
  isRoot?: boolean;
}): Promise<FoundElectron> {
  const { env, platform, ended } = options;
  const { packageDir = projectPath('node_modules/electron'), isRoot = process.getuid?.() === 0 } = options;
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY'])
    return { reason: "There is no screen here for Electron's window" };
  // Chromium's sandbox does not work as root, and there is no window without the sandbox.
  if (platform === 'linux' && isRoot) return { reason: 'Electron does not run as root' };

  const present = binaryIn(packageDir, env);
  if (present) return { binary: present };
  if (!env['ELECTRON_OVERRIDE_DIST_PATH'] && !env['ELECTRON_SKIP_BINARY_DOWNLOAD']) {
    const installer = spawn(process.execPath, [join(packageDir, 'install.js')], { stdio: 'ignore' });
    const stop = (): void => void installer.kill();
    const timer = setTimeout(stop, downloadMs);
    ended.addEventListener('abort', stop);
    await once(installer, 'exit');
    clearTimeout(timer);
    ended.removeEventListener('abort', stop);
    const downloaded = binaryIn(packageDir, env);
    if (downloaded) return { binary: downloaded };
  }
  return { reason: "Electron's binary is not here and could not be downloaded" };
}

function binaryIn(packageDir: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const pathFile = join(packageDir, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const distDir = env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(packageDir, 'dist');
  const binary = join(distDir, readFileSync(pathFile, 'utf8'));
  return existsSync(binary) ? binary : undefined;
}
