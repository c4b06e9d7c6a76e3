import { isAbsolute, basename } from 'node:path';

import type { DataDirInUseError } from '../src-core/rpc/runningWorkbench.ts';
import type { Opening } from '../src-core/contract/types.ts';
import { systemClock, type Clock } from '../src-core/base/clock.ts';
import { appScheme } from './appScheme.ts';
import { linkScheme, readDeepLink } from './deepLink.ts';
import type { ElectronParts, ShowMessage } from './electronParts.ts';
import { guardContents } from './guardContents.ts';
import { guardSession } from './guardSession.ts';
import { createHandOver, isOurPage } from './handOver.ts';
import { createLifecycle } from './lifecycle.ts';
import { menuTemplate } from './menu.ts';
import { absoluteArguments, openRequests, type OpenRequest } from './openRequests.ts';
import { prepareApp } from './prepareApp.ts';
import { serveAppFiles } from './serveAppFiles.ts';
import type { ShellWorkbench } from './shellWorkbench.ts';
import { shellTexts, type ShellTexts } from './texts.ts';
import { createUpdates, type UpdaterPart } from './updates.ts';
import { onWindowCommands } from './windowCommands.ts';
import { createWindows } from './windows.ts';

/** The preload's word that folders or files of a collection were dropped on a window. */
const droppedChannel = 'toolwire:dropped';

/** Paths of one drop, and characters of one. */
const maxPaths = 16;

const maxLength = 4_096;

export interface ShellOptions {
  electron: ElectronParts;
  dataDir: string;
  /** Called once, when the app is ready and no other instance uses the data directory. */
  createWorkbench(waiting: {
    /** Ends the wait for a process that uses the data directory. */
    signal: AbortSignal;
    /** Called once if the wait takes long. */
    onWait: (error: DataDirInUseError) => void;
  }): Promise<ShellWorkbench>;
  /** Folder of the built page. */
  rendererDir: string;
  preloadFile: string;
  /** PNG for the windows on Linux. */
  iconFile: string;
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** The command line, and the folder in which it was given. */
  argv: readonly string[];
  cwd: string;
  /** Real time unless set. */
  clock?: Clock;
  /** Calls the listener if a signal asks the process to end. */
  onSignal(listener: () => void): void;
  /** Absent if this copy has no update server. */
  loadUpdater?: (() => Promise<UpdaterPart>) | undefined;
  /** Receives errors that no window shows. */
  onError(error: unknown): void;
}

/** The `ui` setting that says whether the app looks for updates on start. */
const updatesKey = 'electron.checkForUpdates';

interface RequestHandlers {
  open: (request: OpenRequest) => void;
  toFront: () => void;
  isClosing: () => boolean;
}

/** What the system asks the app to open, and to show itself, at any time from the start on. */
interface SystemRequests {
  /** Passes on all requests so far, and every later one. While the app is closing, a second start relaunches it. */
  serve(handlers: RequestHandlers): void;
}

/**
 * Starts the desktop shell: one instance, one workbench, any number of windows. Closes the workbench before the app ends.
 * Call it while the main script loads, without awaiting it: Electron becomes ready only after that script has ended.
 */
export async function startShell(options: ShellOptions): Promise<void> {
  const { app, dialog } = options.electron;
  try {
    await openShell(options);
  } catch (error) {
    options.onError(error);
    dialog.showErrorBox('Toolwire could not start', error instanceof Error ? error.message : String(error));
    app.exit(1);
  }
}

async function openShell(options: ShellOptions): Promise<void> {
  const { electron, platform, onError } = options;
  const { app } = electron;
  if (!prepareApp(electron, options)) return app.quit();
  const requests = collectRequests(options);
  await app.whenReady();
  // The packages of macOS and Linux register the scheme themselves.
  if (platform === 'win32' && app.isPackaged) app.setAsDefaultProtocolClient(linkScheme);
  guardSession(electron.session.defaultSession, { platform, systemPreferences: electron.systemPreferences, onError });
  electron.protocol.handle(appScheme, serveAppFiles({ rendererDir: options.rendererDir }));
  const workbench = await createOrQuit(options);
  if (workbench) runShell(workbench, requests, options);
  else app.quit();
}

/**
 * Creates the workbench. While another process uses the data directory, a message box names it and offers to quit. Returns
 * undefined if the user quits.
 */
async function createOrQuit({ electron, createWorkbench, onError }: ShellOptions): Promise<ShellWorkbench | undefined> {
  const { app, dialog } = electron;
  const quit = new AbortController();
  const created = new AbortController();

  async function ask({ dataDir, pid }: DataDirInUseError): Promise<void> {
    // The settings, with the user's language, are not open yet.
    const texts = shellTexts('system', app.getLocale());
    const box = {
      type: 'info' as const,
      message: texts.waiting.message,
      detail: texts.waiting.detail(dataDir, pid),
      buttons: [texts.waiting.keepWaiting, texts.quit.quit],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
      signal: created.signal,
    };
    const { response } = await dialog.showMessageBox(box, undefined);
    if (response === 1) quit.abort();
  }

  try {
    const workbench = await createWorkbench({
      signal: quit.signal,
      onWait: (error) => void ask(error).catch(onError),
    });
    if (!quit.signal.aborted) return workbench;
    await workbench.close();
  } catch (error) {
    if (!quit.signal.aborted) throw error;
  } finally {
    created.abort();
  }
  return undefined;
}

/** Starts the app again when it has ended, with the current command line or with `args`. */
function relaunch(app: ElectronParts['app'], args?: string[]): void {
  // An AppImage is started by its own file: the running program is in a mount that disappears with it.
  app.relaunch({ execPath: process.env['APPIMAGE'] ?? process.execPath, ...(args && { args }) });
}

/** Collects what the system asks to open: it does so before the app is ready, and the workbench comes later still. */
function collectRequests({ electron: { app }, argv, cwd }: ShellOptions): SystemRequests {
  const waiting = openRequests(argv, { cwd, packaged: app.isPackaged });
  let handlers: RequestHandlers = {
    open: (request) => void waiting.push(request),
    toFront: () => undefined,
    isClosing: () => false,
  };
  for (const event of ['open-file', 'open-url'] as const) {
    app.on(event, (details, target) => {
      details.preventDefault();
      handlers.open(event === 'open-file' ? { path: target } : { link: target });
    });
  }
  app.on('second-instance', (_event, secondArgv, secondCwd) => {
    if (handlers.isClosing()) return relaunch(app, absoluteArguments(secondArgv, secondCwd));
    handlers.toFront();
    openRequests(secondArgv, { cwd: secondCwd, packaged: app.isPackaged }).forEach((request) => handlers.open(request));
  });
  return {
    serve(next) {
      handlers = next;
      waiting.forEach(next.open);
    },
  };
}

/** Connects the workbench with the system: windows, menu, updates, quitting. */
function runShell(workbench: ShellWorkbench, requests: SystemRequests, options: ShellOptions): void {
  const { electron, platform, preloadFile, iconFile, loadUpdater, onSignal, onError } = options;
  const { clock = systemClock } = options;
  const { app } = electron;
  const { settings } = workbench;
  const texts = (): ShellTexts => shellTexts(settings.get().locale, app.getLocale());
  const common = { electron, platform, clock, texts, onError };
  app.on('web-contents-created', (_event, contents) =>
    guardContents(contents, {
      shell: electron.shell,
      popUpMenu: (menu, from) => electron.popUpMenu(menu, from),
      texts,
      onError,
    }),
  );
  const windows = createWindows({
    ...common,
    settings,
    preloadFile,
    iconFile,
    handOver: createHandOver({
      ipcMain: electron.ipcMain,
      createChannel: electron.createChannel,
      servePort: (port) => workbench.servePort(port),
    }),
    isClosing: () => lifecycle.isClosing(),
    onOpen: (window) => lifecycle.follow(window),
  });
  const lifecycle = createLifecycle({ ...common, workbench, windows, onSignal });
  const { showMessage } = windows;
  const updates = createUpdates({
    loadUpdater,
    showMessage,
    texts,
    version: app.getVersion(),
    onError,
    beforeInstall: () => lifecycle.closeWorkbench(),
    restart: () => {
      relaunch(app);
      app.quit();
    },
  });
  const checkForUpdates = (): void => void updates.check().catch(onError);
  const checksOnStart = (): boolean => settings.get().ui[updatesKey] === true;
  const setChecksOnStart = (checked: boolean): void =>
    void settings.set({ ui: { [updatesKey]: checked } }).catch(onError);
  const show = (opening: Opening): void => {
    workbench.show(opening);
    windows.toFront();
  };

  followSettings(workbench, {
    electron,
    isClosing: () => lifecycle.isClosing(),
    menu: () =>
      menuTemplate({
        platform,
        texts: texts(),
        show,
        newWindow: windows.open,
        checkForUpdates,
        onStart: loadUpdater && { checked: checksOnStart(), change: setChecksOnStart },
      }),
    // The menu shows it.
    also: checksOnStart,
  });
  app.on('activate', () => {
    if (windows.count() === 0) windows.open();
  });
  windows.open();
  const opener = createOpener({ showMessage, texts, show, onError, openFile: (path) => workbench.openFile(path) });
  const open = (request: OpenRequest): void => {
    if (!lifecycle.isClosing()) opener(request);
  };
  requests.serve({ open, toFront: windows.toFront, isClosing: () => lifecycle.isClosing() });
  onWindowCommands(electron.ipcMain, {
    windowOf: windows.of,
    app: {
      newWindow: windows.open,
      checkForUpdates,
      // A copy without an update server says so.
      checkOnStart: () => (loadUpdater ? setChecksOnStart(!checksOnStart()) : checkForUpdates()),
      quit: () => app.quit(),
    },
  });
  onDroppedPaths(electron.ipcMain, (path) => open({ path }));
  followPower(workbench, electron);
  if (loadUpdater && checksOnStart()) updates.check({ quiet: true }).catch(onError);
}

/** Keeps the menu and the colours of the window's frame in step with the settings, as the page does. */
function followSettings(
  { settings, onSettings }: ShellWorkbench,
  options: {
    electron: Pick<ElectronParts, 'nativeTheme' | 'setMenu'>;
    menu: () => Parameters<ElectronParts['setMenu']>[0];
    also: () => boolean;
    isClosing: () => boolean;
  },
): void {
  let applied: string | undefined;
  const apply = (): void => {
    if (options.isClosing()) return;
    const { theme, locale } = settings.get();
    const next = [theme, locale, options.also()].join();
    // Pages save what they remember every few keystrokes; the menu does not depend on that.
    if (next === applied) return;
    applied = next;
    options.electron.nativeTheme.themeSource = theme;
    options.electron.setMenu(options.menu());
  };
  apply();
  onSettings(apply);
}

/** Keeps the computer awake while a series runs, and checks the devices' connections after it has slept. */
function followPower(
  workbench: Pick<ShellWorkbench, 'live' | 'onCalls' | 'checkConnections'>,
  { powerMonitor, powerSaveBlocker }: Pick<ElectronParts, 'powerMonitor' | 'powerSaveBlocker'>,
): void {
  let blocker: number | undefined;
  workbench.onCalls(() => {
    const runs = workbench.live().series > 0;
    if (runs) blocker ??= powerSaveBlocker.start('prevent-app-suspension');
    else if (blocker !== undefined) {
      powerSaveBlocker.stop(blocker);
      blocker = undefined;
    }
  });
  powerMonitor.on('resume', () => workbench.checkConnections());
}

/**
 * Hears of the paths that the user dropped on a window of ours: a collection is a folder, and a page is not told where a
 * file lies. Only from the top frame of our page; anything but whole paths is passed over.
 */
function onDroppedPaths(ipcMain: ElectronParts['ipcMain'], open: (path: string) => void): void {
  ipcMain.on(droppedChannel, (event, message) => {
    if (!isOurPage(event) || !Array.isArray(message)) return;
    message
      .slice(0, maxPaths)
      .filter((path): path is string => typeof path === 'string' && path.length <= maxLength && isAbsolute(path))
      .forEach(open);
  });
}

/** Opens the files and links that the system passes, one after the other. A message box says what cannot be opened. */
function createOpener(options: {
  openFile(path: string): Promise<Opening>;
  /** Hands it to the window. */
  show(opening: Opening): void;
  showMessage: ShowMessage;
  /** Called for each text: the language may have changed. */
  texts(): ShellTexts;
  onError(error: unknown): void;
}): (request: OpenRequest) => void {
  const { texts, onError } = options;
  let last: Promise<unknown> = Promise.resolve();

  async function open(request: OpenRequest): Promise<void> {
    const name = 'path' in request ? basename(request.path) : request.link.slice(0, 200);
    try {
      const opening = 'path' in request ? await options.openFile(request.path) : readDeepLink(request.link);
      if (opening === undefined) throw new Error(texts().noLink);
      options.show(opening);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      // Not awaited: the next file is opened while the box is shown.
      options
        .showMessage({ type: 'warning', message: texts().cannotOpen(name), detail, buttons: [texts().close] })
        .catch(onError);
    }
  }

  return (request) => {
    last = last.then(() => open(request));
  };
}
