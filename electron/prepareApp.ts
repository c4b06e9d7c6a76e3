import { mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { schemePrivileges } from './appScheme.ts';
import type { ElectronParts } from './electronParts.ts';
import { workName } from './utilityChild.ts';

/** `appId` of electron-builder.yml: the installer sets it on the shortcut in the Start menu. */
const appId = 'dev.toolwire.app';

export interface PrepareAppOptions {
  dataDir: string;
  platform: NodeJS.Platform;
  /** `TOOLWIRE_DISABLE_GPU=1` turns hardware acceleration off. */
  env: Readonly<Record<string, string | undefined>>;
  onError: (error: unknown) => void;
}

/**
 * Sets everything that must be set before the app is ready. Returns false if another Toolwire already uses the data
 * directory. Throws if no folder can be written, not even a temporary one.
 */
export function prepareApp(electron: ElectronParts, options: PrepareAppOptions): boolean {
  const { app, protocol } = electron;
  const { platform, env, onError } = options;
  if (!useProfile(app, options)) return false;

  // Electron would remove `--no-sandbox` from the command line of a process that already runs without one.
  if (app.commandLine.hasSwitch('no-sandbox')) app.commandLine.appendSwitch('disable-gpu-sandbox');
  else app.enableSandbox();
  if (env['TOOLWIRE_DISABLE_GPU'] === '1') app.disableHardwareAcceleration();
  // Windows shows notifications only for an identity that a shortcut has. An unpackaged app has no shortcut.
  if (platform === 'win32') app.setAppUserModelId(app.isPackaged ? appId : process.execPath);
  protocol.registerSchemesAsPrivileged(schemePrivileges);
  app.on('child-process-gone', (_event, { type, name, reason, exitCode }) => {
    // The pool ends its processes when they are idle, and if work is cancelled.
    if (name === workName && reason === 'killed') return;
    if (reason !== 'clean-exit') onError(new Error(`The process "${type}" ended: ${reason}, exit code ${exitCode}.`));
  });
  return true;
}

/**
 * Sets Chromium's profile folder and takes the instance lock in it. Returns false if another instance has the lock. The
 * profile is a subfolder of the data directory: by default it would be the data directory itself on macOS and Windows,
 * whose file names are not case-sensitive. If the lock cannot be created, for example on a read-only disk, the profile is a
 * temporary folder without a lock, and only the lock of the database protects the data directory.
 */
function useProfile(app: ElectronParts['app'], { dataDir, platform, onError }: PrepareAppOptions): boolean {
  const profile = resolve(join(dataDir, 'chromium'));
  try {
    mkdirSync(profile, { recursive: true, mode: 0o700 });
    probe(profile, platform);
    app.setPath('userData', profile);
    if (app.requestSingleInstanceLock()) return true;
    if (isLockedByOther(profile, platform)) return false;
    throw new Error('The instance lock cannot be created.');
  } catch (cause) {
    onError(new Error(`${profile} cannot be used. Chromium uses a temporary folder until Toolwire quits.`, { cause }));
    const temporary = mkdtempSync(join(tmpdir(), 'toolwire-chromium-'));
    app.setPath('userData', temporary);
    app.on('quit', () => removeFolder(temporary, onError));
    return true;
  }
}

/** Creates and deletes what Chromium's lock is: a file on Windows, else a symbolic link. Throws if that fails. */
function probe(profile: string, platform: NodeJS.Platform): void {
  const path = join(profile, `.probe-${process.pid}`);
  rmSync(path, { force: true });
  if (platform === 'win32') writeFileSync(path, '');
  else symlinkSync('probe', path);
  rmSync(path);
}

/** Electron reports a lock that cannot be created like a lock of another process. On Windows, `probe` tells them apart. */
function isLockedByOther(profile: string, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return true;
  try {
    // The link's target is `HOST-PID`.
    return !readlinkSync(join(profile, 'SingletonLock')).endsWith(`-${process.pid}`);
  } catch {
    return false; // There is no lock.
  }
}

function removeFolder(path: string, onError: (error: unknown) => void): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    // On Windows, Chromium still has some of the files open.
    onError(error);
  }
}
