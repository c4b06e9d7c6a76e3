import type { PortLike } from '../src-core/api/portWire.ts';
import type { JsonValue } from '../src-core/tools/json.ts';
import { appScheme, pageUrl, schemePrivileges } from './appScheme.ts';
import type { ElectronParts, WindowPart } from './electronParts.ts';
import { guardContents } from './guardContents.ts';
import { guardSession } from './guardSession.ts';
import { createHandOver } from './handOver.ts';
import { menuTemplate } from './menu.ts';
import { serveAppFiles } from './serveAppFiles.ts';
import { keepBounds, rememberedBounds } from './windowBounds.ts';
import { windowOptions } from './windowOptions.ts';

/** The engine, as far as the desktop shell knows it. */
export interface ShellWorkbench {
  /** Serves the contract on a port; gives the function that ends it. */
  servePort(port: PortLike): () => void;
  settings: {
    get(): { theme: 'system' | 'light' | 'dark'; ui: Record<string, JsonValue> };
    set(change: { ui: Record<string, JsonValue> }): Promise<unknown>;
  };
  close(): Promise<void>;
}

export interface ShellOptions {
  electron: ElectronParts;
  /** Called once, when the app is ready and is the only one of its kind. */
  createWorkbench(): Promise<ShellWorkbench>;
  /** Folder of the built window. */
  rendererDir: string;
  preloadFile: string;
  platform: NodeJS.Platform;
  /** Told of what has no window to be shown in. */
  onError(error: unknown): void;
}

/** Where the window's place stands among the settings' `ui` values. */
const boundsKey = 'electron.bounds';

/**
 * Starts the desktop shell: one instance, one workbench, one window; closes the workbench before the app ends. Must be
 * called, and not awaited, while the main script loads: Electron is not ready before that script has ended.
 */
export async function startShell(options: ShellOptions): Promise<void> {
  const { electron, rendererDir, preloadFile, platform, onError } = options;
  const { app, protocol, nativeTheme, shell } = electron;
  if (!app.requestSingleInstanceLock()) return app.quit();
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged(schemePrivileges);
  app.on('web-contents-created', (_event, contents) => guardContents(contents, { shell, onError }));
  await app.whenReady();

  let workbench: ShellWorkbench;
  try {
    workbench = await options.createWorkbench();
  } catch (error) {
    electron.dialog.showErrorBox('Toolwire could not start', error instanceof Error ? error.message : String(error));
    return app.exit(1);
  }

  guardSession(electron.session.defaultSession);
  protocol.handle(appScheme, serveAppFiles({ rendererDir }));
  electron.setMenu(menuTemplate(platform));
  const handOver = createHandOver({
    ipcMain: electron.ipcMain,
    createChannel: electron.createChannel,
    servePort: (port) => workbench.servePort(port),
  });
  let window: WindowPart | undefined;
  let saveBounds: (() => void) | undefined;

  let closing: Promise<void> | undefined;
  let closed = false;

  function openWindow(): void {
    const { theme, ui } = workbench.settings.get();
    nativeTheme.themeSource = theme;
    const { bounds, maximized } = rememberedBounds(ui[boundsKey], electron.screen);
    const opened = electron.createWindow(windowOptions({ preloadFile, bounds, dark: nativeTheme.shouldUseDarkColors }));
    window = opened;
    handOver.admit(opened.webContents);
    saveBounds = keepBounds(opened, (value) => {
      // Windows close after the workbench: what they say then was kept before.
      if (!closing) workbench.settings.set({ ui: { [boundsKey]: value } }).catch(onError);
    });
    opened.once('ready-to-show', () => {
      if (maximized) opened.maximize();
      opened.show();
    });
    opened.on('closed', () => {
      window = undefined;
      saveBounds = undefined;
    });
    opened.loadURL(pageUrl).catch(onError);
  }

  app.on('before-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    if (closing) return;
    saveBounds?.();
    closing = workbench
      .close()
      .catch(onError)
      .then(() => {
        closed = true;
        app.quit();
      });
  });
  app.on('window-all-closed', () => {
    if (platform !== 'darwin') app.quit();
  });
  app.on('activate', () => {
    if (!window && !closing) openWindow();
  });
  app.on('second-instance', () => {
    if (!window) return closing ? undefined : openWindow();
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  openWindow();
}
