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
  safeStorage,
  screen,
  session,
  shell,
} from 'electron';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { defaultDataDir } from '../src-core/dataDir.ts';
import { createFileSecrets } from '../src-core/store/fileSecrets.ts';
import { reportError } from '../src-core/tools/reportError.ts';
import { openWorkbench } from './openWorkbench.ts';
import { createSafeStorageSecrets } from './safeStorageSecrets.ts';
import { startShell, type ShellOptions } from './shell.ts';

/** From dist/electron/main.js. */
const dist = new URL('../', import.meta.url);
const rendererDir = fileURLToPath(new URL('renderer', dist));
const onError = (error: unknown, where = 'the desktop shell'): void => reportError(error, where);

const dataDir = defaultDataDir();
const secrets = createSafeStorageSecrets({
  safeStorage,
  platform: process.platform,
  path: join(dataDir, 'secrets.encrypted.json'),
  file: createFileSecrets(join(dataDir, 'secrets.json')),
});

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
  createWorkbench: () => openWorkbench({ dataDir, rendererDir, secrets, onError }),
  rendererDir,
  preloadFile: fileURLToPath(new URL('preload/preload.cjs', dist)),
  platform: process.platform,
  onError,
}).catch((error: unknown) => {
  onError(error);
  app.exit(1);
});
