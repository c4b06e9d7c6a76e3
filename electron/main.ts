/** The desktop app's main process: hands the real Electron and the real workbench to the shell. */
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  MessageChannelMain,
  nativeTheme,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  systemPreferences,
  utilityProcess,
} from 'electron';
import type { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import * as http from 'node:http';
import { join } from 'node:path';
import * as tls from 'node:tls';
import { fileURLToPath } from 'node:url';

import { defaultDataDir } from '../src-core/dataDir.ts';
import { createLogFile, logFilePath } from '../src-core/logFile.ts';
import { createFileSecrets } from '../src-core/store/fileSecrets.ts';
import { reportError } from '../src-core/base/reportError.ts';
import { workPool } from '../src-core/base/workPool.ts';
import { useSystemNetwork } from '../src-core/useSystemNetwork.ts';
import { findAppImage, packagedCommand } from '../src-core/cli/toolwireCommand.ts';
import type { ToolwireCommand } from '../src-core/features/hosts/connectTexts.ts';
import { writeAppImageCommand } from './appImageCommand.ts';
import { openWorkbench } from './openWorkbench.ts';
import { createSafeStorageSecrets } from './safeStorageSecrets.ts';
import { startShell, type ShellOptions } from './shell.ts';
import type { UpdaterPart } from './updates.ts';
import { createUtilityChildren } from './utilityChild.ts';

/** From dist/electron/main.js. */
const dist = new URL('../', import.meta.url);
const rendererDir = fileURLToPath(new URL('renderer', dist));
const dataDir = defaultDataDir();
const log = createLogFile({ path: logFilePath(dataDir) });
const onError = (error: unknown, where = 'the desktop shell'): void => {
  reportError(error, where);
  log(error, where);
};
process.on('uncaughtExceptionMonitor', (error) => log(error, 'the main process'));
// Electron's main process continues after an unhandled rejection and does not call `uncaughtExceptionMonitor` for it.
process.on('unhandledRejection', (reason) => onError(reason, 'the main process'));
const secrets = createSafeStorageSecrets({
  safeStorage,
  platform: process.platform,
  path: join(dataDir, 'secrets.encrypted.json'),
  file: createFileSecrets(join(dataDir, 'secrets.json')),
  onError,
});

// Electron's types omit the event object of `shutdown`.
const powerEvents: EventEmitter = powerMonitor;

const electron: ShellOptions['electron'] = {
  app,
  protocol,
  session,
  systemPreferences,
  ipcMain,
  shell,
  nativeTheme,
  screen,
  powerMonitor: powerEvents,
  powerSaveBlocker,
  dialog: {
    showErrorBox: (title, text) => dialog.showErrorBox(title, text),
    showMessageBox: (options, parent) =>
      parent instanceof BrowserWindow ? dialog.showMessageBox(parent, options) : dialog.showMessageBox(options),
  },
  setMenu: (template) => Menu.setApplicationMenu(Menu.buildFromTemplate(template)),
  popUpMenu(template, contents) {
    const window = BrowserWindow.getAllWindows().find(({ webContents }) => webContents === contents);
    Menu.buildFromTemplate(template).popup(window && { window });
  },
  createWindow: (options) => new BrowserWindow(options),
  createChannel: () => new MessageChannelMain(),
};

/**
 * A released package has the address of its updates beside it, which the release recipe adds to signed builds. On Linux
 * only an AppImage replaces itself; a deb is the package manager's.
 */
const updatesItself =
  app.isPackaged &&
  existsSync(join(process.resourcesPath, 'app-update.yml')) &&
  (process.platform !== 'linux' || process.env['APPIMAGE'] !== undefined);

/** Loaded on first use. */
async function loadUpdater(): Promise<UpdaterPart> {
  const { autoUpdater } = await import('electron-updater');
  autoUpdater.logger = null;
  return autoUpdater;
}

/** Registered once the workbench runs. A second signal ends the process at once: each handler is called once. */
function onSignal(listener: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, listener);
}

/** The command of the package; after `npm start`, the one that the launcher names. */
function findCommand(): ToolwireCommand | undefined {
  const { TOOLWIRE_COMMAND } = process.env;
  const command = packagedCommand();
  if (command === undefined) return TOOLWIRE_COMMAND ? (JSON.parse(TOOLWIRE_COMMAND) as ToolwireCommand) : undefined;
  const [script = ''] = command.words;
  const appImage = findAppImage();
  try {
    if (appImage !== undefined) writeAppImageCommand(script, appImage);
  } catch (error) {
    onError(error);
  }
  return command;
}

// Not awaited: the app becomes ready only after this script has run to its end.
void startShell({
  electron,
  dataDir,
  createWorkbench(waiting) {
    workPool.startChild = createUtilityChildren(utilityProcess);
    useSystemNetwork({ tls, http, env: process.env, onError });
    return openWorkbench({
      ...waiting,
      dataDir,
      rendererDir,
      secrets,
      onError,
      command: findCommand(),
    });
  },
  rendererDir,
  preloadFile: fileURLToPath(new URL('preload/preload.cjs', dist)),
  iconFile: fileURLToPath(new URL('electron/icon.png', dist)),
  platform: process.platform,
  env: process.env,
  argv: process.argv,
  cwd: process.cwd(),
  onSignal,
  loadUpdater: updatesItself ? loadUpdater : undefined,
  onError,
});
