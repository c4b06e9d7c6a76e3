import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { schemePrivileges } from './appScheme.ts';
import type { ElectronParts } from './electronParts.ts';

/** `appId` of electron-builder.yml: the installer gives it to the shortcut in the Start menu. */
const appId = 'dev.toolwire.app';

/**
 * Everything that has to be set before the app is ready. Returns false if another Toolwire already uses the data directory.
 * Throws if the data directory cannot be written.
 */
export function prepareApp(
  electron: ElectronParts,
  options: {
    dataDir: string;
    platform: NodeJS.Platform;
    /** `TOOLWIRE_DISABLE_GPU=1` turns hardware acceleration off. */
    env: Readonly<Record<string, string | undefined>>;
    onError: (error: unknown) => void;
  },
): boolean {
  const { app, protocol } = electron;
  const { dataDir, platform, env, onError } = options;
  // Chromium's profile gets a folder of its own. By default it is the data directory on macOS and Windows, where the case
  // of file names does not count. The instance lock lies in it, so this comes before the lock.
  const profile = resolve(join(dataDir, 'chromium'));
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  app.setPath('userData', profile);
  if (!app.requestSingleInstanceLock()) return false;

  // Electron would remove `--no-sandbox` from the command line of a process that already runs without one.
  if (app.commandLine.hasSwitch('no-sandbox')) app.commandLine.appendSwitch('disable-gpu-sandbox');
  else app.enableSandbox();
  if (env['TOOLWIRE_DISABLE_GPU'] === '1') app.disableHardwareAcceleration();
  // Windows shows notices only under the identity of a shortcut. An unpackaged app has none of ours.
  if (platform === 'win32') app.setAppUserModelId(app.isPackaged ? appId : process.execPath);
  protocol.registerSchemesAsPrivileged(schemePrivileges);
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason !== 'clean-exit') onError(new Error(`The process "${type}" ended: ${reason}, exit code ${exitCode}.`));
  });
  return true;
}
