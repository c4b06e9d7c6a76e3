import type { PortLike } from '../src-core/api/portWire.ts';
import type { Opening } from '../src-core/api/types.ts';
import type { JsonValue } from '../src-core/tools/json.ts';
import { appScheme, pageUrl, schemePrivileges } from './appScheme.ts';
import { linkScheme } from './deepLink.ts';
import { onDroppedPaths } from './droppedPaths.ts';
import type { ElectronParts, WindowPart } from './electronParts.ts';
import { guardContents } from './guardContents.ts';
import { guardSession } from './guardSession.ts';
import { createHandOver } from './handOver.ts';
import { menuTemplate } from './menu.ts';
import { createOpener } from './openings.ts';
import { openRequests, type OpenRequest } from './openRequests.ts';
import { serveAppFiles } from './serveAppFiles.ts';
import { shellTexts, type ShellTexts } from './texts.ts';
import { createUpdates, type UpdaterPart } from './updates.ts';
import { keepBounds, rememberedBounds } from './windowBounds.ts';
import { onWindowCommands } from './windowCommands.ts';
import { windowOptions } from './windowOptions.ts';

/** The engine, as far as the desktop shell knows it. */
export interface ShellWorkbench {
  /** Serves the contract on a port; gives the function that ends it. */
  servePort(port: PortLike): () => void;
  settings: {
    get(): { theme: 'system' | 'light' | 'dark'; locale: 'system' | 'en' | 'zh'; ui: Record<string, JsonValue> };
    set(change: { ui: Record<string, JsonValue> }): Promise<unknown>;
  };
  /** Called once soon, and after each change of the settings. */
  onSettings(listener: () => void): void;
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
/** How far a further window stands aside of the one before, in px. */
const asidePx = 28;

/**
 * Starts the desktop shell: one instance, one workbench, any number of windows; closes the workbench before the app ends. Must be
 * called, and not awaited, while the main script loads: Electron is not ready before that script has ended.
 */
export async function startShell(options: ShellOptions): Promise<void> {
  const { electron, rendererDir, preloadFile, platform, onError } = options;
  const { app, protocol, nativeTheme, shell } = electron;
  if (!app.requestSingleInstanceLock()) return app.quit();
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged(schemePrivileges);
  app.on('web-contents-created', (_event, contents) =>
    guardContents(contents, { shell, popUpMenu: (menu) => electron.popUpMenu(menu), texts: textsNow, onError }),
  );
  // The system hands over what is to be opened before the app is ready; it waits for the workbench.
  const waiting: OpenRequest[] = openRequests(options.argv, { cwd: options.cwd, packaged: app.isPackaged });
  let open = (request: OpenRequest): void => void waiting.push(request);
  for (const event of ['open-file', 'open-url'] as const) {
    app.on(event, (details, target) => {
      details.preventDefault();
      open(event === 'open-file' ? { path: target } : { link: target });
    });
  }
  let toFront = (): void => undefined;
  app.on('second-instance', (_event, argv, cwd) => {
    toFront();
    openRequests(argv, { cwd, packaged: app.isPackaged }).forEach((request) => open(request));
  });
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

  guardSession(electron.session.defaultSession, { platform, systemPreferences: electron.systemPreferences, onError });
  protocol.handle(appScheme, serveAppFiles({ rendererDir }));
  const { settings } = workbench;
  const textsNow = (): ShellTexts => shellTexts(settings.get().locale, app.getLocale());
  const updates = createUpdates({
    ...{
      loadUpdater: options.loadUpdater,
      dialog: electron.dialog,
      texts: textsNow,
      version: app.getVersion(),
      onError,
    },
    beforeInstall: () => closeWorkbench(),
    restart: () => {
      // An AppImage is started by its own file: what runs lies in a place that goes with it.
      app.relaunch({ execPath: process.env['APPIMAGE'] ?? process.execPath });
      app.quit();
    },
  });
  const checksOnStart = (): boolean => settings.get().ui[updatesKey] === true;
  const handOver = createHandOver({
    ipcMain: electron.ipcMain,
    createChannel: electron.createChannel,
    servePort: (port) => workbench.servePort(port),
  });
  /** The open windows, with what remembers their place; the one used last stands last. */
  const windows = new Map<WindowPart, () => void>();
  const inFront = (): WindowPart | undefined => [...windows.keys()].at(-1);

  let closing: Promise<void> | undefined;
  let closed = false;
  /** The settings that the system's parts are drawn by, as they were then. */
  let followed: string | undefined;

  function openWindow(): void {
    const { bounds, maximized } = nextBounds();
    const opened = electron.createWindow(windowOptions({ preloadFile, bounds, dark: nativeTheme.shouldUseDarkColors }));
    handOver.admit(opened.webContents);
    const saveBounds = keepBounds(opened, (value) => {
      // Windows close after the workbench: what they say then was kept before.
      if (!closing) settings.set({ ui: { [boundsKey]: value } }).catch(onError);
    });
    windows.set(opened, saveBounds);
    opened.on('focus', () => {
      windows.delete(opened);
      windows.set(opened, saveBounds);
    });
    opened.once('ready-to-show', () => {
      if (maximized) opened.maximize();
      opened.show();
    });
    opened.on('closed', () => void windows.delete(opened));
    opened.loadURL(pageUrl).catch(onError);
  }

  /** Where the last window was; a further one stands a little aside of the one in front. */
  function nextBounds(): ReturnType<typeof rememberedBounds> {
    const front = inFront();
    if (!front) return rememberedBounds(settings.get().ui[boundsKey], electron.screen);
    const { x, y, ...size } = front.getNormalBounds();
    return rememberedBounds({ ...size, x: x + asidePx, y: y + asidePx }, electron.screen);
  }

  function closeWorkbench(): Promise<void> {
    [...windows.values()].at(-1)?.();
    return (closing ??= workbench
      .close()
      .catch(onError)
      .then(() => void (closed = true)));
  }

  toFront = () => {
    const front = inFront();
    if (!front) return newWindow();
    if (front.isMinimized()) front.restore();
    front.focus();
  };

  /** What the system draws follows the settings, as the pages do. */
  function followSettings(): void {
    if (closing) return;
    const { theme, locale } = settings.get();
    const now = [theme, locale, checksOnStart()].join();
    // What the pages remember changes with every few letters typed: none of that is drawn by the system.
    if (now === followed) return;
    followed = now;
    nativeTheme.themeSource = theme;
    electron.setMenu(
      menuTemplate({
        ...{ platform, texts: textsNow(), show, newWindow },
        checkForUpdates,
        onStart: options.loadUpdater && { checked: checksOnStart(), change: setChecksOnStart },
      }),
    );
  }

  function checkForUpdates(): void {
    void updates.check().catch(onError);
  }

  function setChecksOnStart(checked: boolean): void {
    settings.set({ ui: { [updatesKey]: checked } }).catch(onError);
  }

  function newWindow(): void {
    if (!closing) openWindow();
  }

  function show(opening: Opening): void {
    workbench.show(opening);
    toFront();
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
    if (windows.size === 0) newWindow();
  });
  followSettings();
  workbench.onSettings(followSettings);
  openWindow();
  const opener = createOpener({
    ...{ dialog: electron.dialog, texts: textsNow, show, onError },
    openFile: (path) => workbench.openFile(path),
  });
  open = (request) => {
    if (!closing) opener(request);
  };
  waiting.forEach(open);
  onWindowCommands(electron.ipcMain, {
    windowOf: (contents) => [...windows.keys()].find(({ webContents }) => webContents === contents),
    app: {
      newWindow,
      checkForUpdates,
      // A copy that has no updates says so.
      checkOnStart: () => (options.loadUpdater ? setChecksOnStart(!checksOnStart()) : checkForUpdates()),
      quit: () => app.quit(),
    },
  });
  onDroppedPaths(electron.ipcMain, (path) => open({ path }));
  if (options.loadUpdater && checksOnStart()) updates.check({ quiet: true }).catch(onError);
}
