import type { PortLike } from '../src-core/api/portWire.ts';
import type { Opening } from '../src-core/api/types.ts';
import type { JsonValue } from '../src-core/tools/json.ts';
import { appScheme, pageUrl, schemePrivileges } from './appScheme.ts';
import { linkScheme } from './deepLink.ts';
import type { ElectronParts, WindowPart } from './electronParts.ts';
import { guardContents } from './guardContents.ts';
import { guardSession } from './guardSession.ts';
import { createHandOver } from './handOver.ts';
import { menuTemplate } from './menu.ts';
import { createOpener } from './openings.ts';
import { openRequests, type OpenRequest } from './openRequests.ts';
import { serveAppFiles } from './serveAppFiles.ts';
import { shellTexts } from './texts.ts';
import { createUpdates, type UpdaterPart } from './updates.ts';
import { keepBounds, rememberedBounds } from './windowBounds.ts';
import { windowOptions } from './windowOptions.ts';

/** The engine, as far as the desktop shell knows it. */
export interface ShellWorkbench {
  /** Serves the contract on a port; gives the function that ends it. */
  servePort(port: PortLike): () => void;
  settings: {
    get(): { theme: 'system' | 'light' | 'dark'; locale: 'system' | 'en' | 'zh'; ui: Record<string, JsonValue> };
    set(change: { ui: Record<string, JsonValue> }): Promise<unknown>;
  };
  /** Takes a file or folder in that the system gave us; rejects in words. */
  openFile(path: string): Promise<Opening>;
  /** Leaves it for the window to show. */
  show(opening: Opening): void;
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
  /** The command line, and where it was given. */
  argv: readonly string[];
  cwd: string;
  /** Absent where this copy has nowhere to ask for updates. */
  loadUpdater?: (() => Promise<UpdaterPart>) | undefined;
  /** Told of what has no window to be shown in. */
  onError(error: unknown): void;
}

/** Where the window's place stands among the settings' `ui` values. */
const boundsKey = 'electron.bounds';
/** Whether updates are looked for on start; not unless told. */
const updatesKey = 'electron.checkForUpdates';

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
  // The system hands over what is to be opened before the app is ready; it waits for the workbench.
  const waiting: OpenRequest[] = openRequests(options.argv, { cwd: options.cwd, packaged: app.isPackaged });
  let open = (request: OpenRequest): void => void waiting.push(request);
  for (const event of ['open-file', 'open-url'] as const) {
    app.on(event, (details, target) => {
      details.preventDefault();
      open(event === 'open-file' ? { path: target } : { link: target });
    });
  }
  await app.whenReady();
  // The packages of macOS and Linux say so themselves.
  if (platform === 'win32' && app.isPackaged) app.setAsDefaultProtocolClient(linkScheme);

  let workbench: ShellWorkbench;
  try {
    workbench = await options.createWorkbench();
  } catch (error) {
    electron.dialog.showErrorBox('Toolwire could not start', error instanceof Error ? error.message : String(error));
    return app.exit(1);
  }

  guardSession(electron.session.defaultSession);
  protocol.handle(appScheme, serveAppFiles({ rendererDir }));
  const { settings } = workbench;
  const texts = shellTexts(settings.get().locale, app.getLocale());
  const updates = createUpdates({
    ...{ loadUpdater: options.loadUpdater, dialog: electron.dialog, texts, version: app.getVersion(), onError },
    beforeInstall: () => closeWorkbench(),
  });
  const checksOnStart = settings.get().ui[updatesKey] === true;
  electron.setMenu(
    menuTemplate({
      ...{ platform, texts },
      checkForUpdates: () => void updates.check().catch(onError),
      onStart: options.loadUpdater && {
        checked: checksOnStart,
        change: (checked) => void settings.set({ ui: { [updatesKey]: checked } }).catch(onError),
      },
    }),
  );
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

  function closeWorkbench(): Promise<void> {
    saveBounds?.();
    return (closing ??= workbench
      .close()
      .catch(onError)
      .then(() => void (closed = true)));
  }

  function toFront(): void {
    if (!window) return closing ? undefined : openWindow();
    if (window.isMinimized()) window.restore();
    window.focus();
  }

  app.on('before-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    if (!closing) void closeWorkbench().then(() => app.quit());
  });
  app.on('window-all-closed', () => {
    if (platform !== 'darwin') app.quit();
  });
  app.on('activate', () => {
    if (!window && !closing) openWindow();
  });
  app.on('second-instance', (_event, argv, cwd) => {
    toFront();
    openRequests(argv, { cwd, packaged: app.isPackaged }).forEach((request) => open(request));
  });
  openWindow();
  const opener = createOpener({
    ...{ dialog: electron.dialog, texts, onError },
    openFile: (path) => workbench.openFile(path),
    show(opening) {
      workbench.show(opening);
      toFront();
    },
  });
  open = (request) => {
    if (!closing) opener(request);
  };
  waiting.forEach(open);
  if (options.loadUpdater && checksOnStart) updates.check({ quiet: true }).catch(onError);
}
