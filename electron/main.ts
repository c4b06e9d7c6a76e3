/** The desktop app's main process: hands the real Electron and the real workbench to the shell. */
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  MessageChannelMain,
  nativeTheme,
  protocol,
  screen,
  session,
  shell,
} from 'electron';
import { fileURLToPath } from 'node:url';

import { defaultDataDir } from '../src-core/dataDir.ts';
import { reportError } from '../src-core/tools/reportError.ts';
import { openWorkbench } from './openWorkbench.ts';
import { startShell, type ShellOptions } from './shell.ts';

/** From dist/electron/main.js. */
const dist = new URL('../', import.meta.url);
const rendererDir = fileURLToPath(new URL('renderer', dist));
const onError = (error: unknown, where = 'the desktop shell'): void => reportError(error, where);

const electron: ShellOptions['electron'] = {
  app,
  protocol,
  session,
  ipcMain,
  shell,
  nativeTheme,
  screen,
  dialog,
  setMenu: (template) => Menu.setApplicationMenu(Menu.buildFromTemplate(template)),
  createWindow: (options) => new BrowserWindow(options),
  createChannel: () => new MessageChannelMain(),
};

// Not awaited: the app becomes ready only after this script has run to its end.
startShell({
  electron,
  createWorkbench: () => openWorkbench({ dataDir: defaultDataDir(), rendererDir, onError }),
  rendererDir,
  preloadFile: fileURLToPath(new URL('preload/preload.cjs', dist)),
  platform: process.platform,
  onError,
}).catch((error: unknown) => {
  onError(error);
  app.exit(1);
});
