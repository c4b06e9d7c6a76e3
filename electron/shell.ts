import { isAbsolute, basename } from 'node:path';

import type { DataDirInUseError } from '../src-core/rpc/runningWorkbench.ts';
import type { Opening } from '../src-core/contract/types.ts';
import { systemClock, type Clock } from '../src-core/base/clock.ts';
import { sandboxScheme, serveSandbox } from './appSandbox.ts';
import { appScheme } from './appScheme.ts';
import { linkScheme, readDeepLink } from './deepLink.ts';
import type { ElectronParts } from './electronParts.ts';
import { guardContents, guardSession } from './guards.ts';
import { createHandOver, isOurPage } from './handOver.ts';
import { Lifecycle } from './lifecycle.ts';
import { menuTemplate } from './menu.ts';
import { absoluteArguments, openRequests, type OpenRequest } from './openRequests.ts';
import { prepareApp } from './prepareApp.ts';
import { serveAppFiles } from './serveAppFiles.ts';
import type { ShellWorkbench } from './shellWorkbench.ts';
import { shellTexts, type ShellTexts } from './texts.ts';
import { Updates, type UpdaterPart } from './updates.ts';
import { onWindowCommands } from './windowCommands.ts';
import { createWindows, type Windows } from './windows.ts';

/** Message of the preload: folders or files of a collection were dropped on a window. */
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

/** The `ui` setting: whether the app checks for updates on start. */
const updatesKey = 'electron.checkForUpdates';

interface RequestHandlers {
  readonly isClosing: boolean;
  open(request: OpenRequest): void;
  toFront(): void;
}

/** What the system asks the app to open. A request can come at any time after the start. */
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
  electron.protocol.handle(sandboxScheme, serveSandbox);
  const workbench = await createOrQuit(options);
  if (workbench) new Shell(workbench, options).start(requests);
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
    isClosing: false,
    open: (request) => void waiting.push(request),
    toFront: () => undefined,
  };
  for (const event of ['open-file', 'open-url'] as const) {
    app.on(event, (details, target) => {
      details.preventDefault();
      handlers.open(event === 'open-file' ? { path: target } : { link: target });
    });
  }
  app.on('second-instance', (_event, secondArgv, secondCwd) => {
    if (handlers.isClosing) return relaunch(app, absoluteArguments(secondArgv, secondCwd));
    handlers.toFront();
    openRequests(secondArgv, { cwd: secondCwd, packaged: app.isPackaged }).forEach((request) => handlers.open(request));
  });
  return {
    serve(next) {
      handlers = next;
      waiting.forEach((request) => next.open(request));
    },
  };
}

/** Connects the workbench with the system: windows, menu, updates, quitting. */
class Shell implements RequestHandlers {
  readonly #workbench: ShellWorkbench;
  readonly #options: ShellOptions;
  readonly #windows: Windows;
  readonly #lifecycle: Lifecycle;
  readonly #updates: Updates;
  /** Resolves once what the system asked to open so far has been opened. */
  #opened: Promise<void> = Promise.resolve();

  constructor(workbench: ShellWorkbench, options: ShellOptions) {
    const { electron, platform, preloadFile, iconFile, loadUpdater, onSignal, onError } = options;
    const { clock = systemClock } = options;
    const { app, ipcMain, createChannel } = electron;
    const texts = (): ShellTexts => this.#texts;
    this.#workbench = workbench;
    this.#options = options;
    this.#windows = createWindows({
      electron,
      platform,
      clock,
      texts,
      onError,
      settings: workbench.settings,
      preloadFile,
      iconFile,
      handOver: createHandOver({ ipcMain, createChannel, servePort: (port) => workbench.servePort(port) }),
      isClosing: () => this.isClosing,
      onOpen: (window) => this.#lifecycle.follow(window),
    });
    const windows = this.#windows;
    this.#lifecycle = new Lifecycle({ electron, platform, clock, texts, onError, workbench, windows, onSignal });
    this.#updates = new Updates({
      loadUpdater,
      showMessage: windows.showMessage,
      texts,
      version: app.getVersion(),
      onError,
      beforeInstall: () => this.#lifecycle.closeWorkbench(),
      restart: () => {
        relaunch(app);
        app.quit();
      },
    });
  }

  start(requests: SystemRequests): void {
    const { electron, loadUpdater, onError } = this.#options;
    const { app, ipcMain } = electron;
    const { open, of: windowOf, count } = this.#windows;
    app.on('web-contents-created', (_event, contents) =>
      guardContents(contents, { electron, texts: () => this.#texts, onError }),
    );
    this.#followSettings();
    app.on('activate', () => {
      if (count() === 0) open();
    });
    open();
    requests.serve(this);
    const checkForUpdates = (): void => this.#checkForUpdates();
    onWindowCommands(ipcMain, {
      windowOf,
      app: {
        newWindow: open,
        checkForUpdates,
        // A copy without an update server says so.
        checkOnStart: loadUpdater ? () => this.#checkOnStart(!this.#checksOnStart) : checkForUpdates,
        quit: () => app.quit(),
      },
    });
    onDroppedPaths(ipcMain, (path) => this.open({ path }));
    followPower(this.#workbench, electron);
    if (loadUpdater && this.#checksOnStart) this.#checkForUpdates({ quiet: true });
  }

  get isClosing(): boolean {
    return this.#lifecycle.isClosing;
  }

  toFront(): void {
    this.#windows.toFront();
  }

  /** Opens a file or link after the ones before it. */
  open(request: OpenRequest): void {
    if (!this.isClosing) this.#opened = this.#opened.then(() => this.#openNext(request));
  }

  get #texts(): ShellTexts {
    return shellTexts(this.#workbench.settings.get().locale, this.#options.electron.app.getLocale());
  }

  get #checksOnStart(): boolean {
    return this.#workbench.settings.get().ui[updatesKey] === true;
  }

  #checkOnStart(checked: boolean): void {
    this.#workbench.settings.set({ ui: { [updatesKey]: checked } }).catch(this.#options.onError);
  }

  #checkForUpdates(options?: { quiet: boolean }): void {
    this.#updates.check(options).catch(this.#options.onError);
  }

  /** Keeps the menu and the colours of the window's frame in step with the settings, as the page does. */
  #followSettings(): void {
    const { nativeTheme, setMenu } = this.#options.electron;
    let applied: string | undefined;
    const apply = (): void => {
      if (this.isClosing) return;
      const { theme, locale } = this.#workbench.settings.get();
      const next = [theme, locale, this.#checksOnStart].join();
      // Pages save their state every few keystrokes; the menu does not depend on that.
      if (next === applied) return;
      applied = next;
      nativeTheme.themeSource = theme;
      setMenu(this.#menu());
    };
    apply();
    this.#workbench.onSettings(apply);
  }

  #menu(): ReturnType<typeof menuTemplate> {
    const { platform, loadUpdater } = this.#options;
    return menuTemplate({
      platform,
      texts: this.#texts,
      show: (opening) => this.#show(opening),
      newWindow: this.#windows.open,
      checkForUpdates: () => this.#checkForUpdates(),
      onStart: loadUpdater && { checked: this.#checksOnStart, change: (checked) => this.#checkOnStart(checked) },
    });
  }

  #show(opening: Opening): void {
    this.#workbench.show(opening);
    this.toFront();
  }

  /** A message box reports what cannot be opened. */
  async #openNext(request: OpenRequest): Promise<void> {
    const texts = this.#texts;
    const name = 'path' in request ? basename(request.path) : request.link.slice(0, 200);
    try {
      const opening = 'path' in request ? await this.#workbench.openFile(request.path) : readDeepLink(request.link);
      if (opening === undefined) throw new Error(texts.noLink);
      this.#show(opening);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      // Not awaited: the next file is opened while the box is shown.
      this.#windows
        .showMessage({ type: 'warning', message: texts.cannotOpen(name), detail, buttons: [texts.close] })
        .catch(this.#options.onError);
    }
  }
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
 * Opens the paths of files that the user dropped on one of our windows, which a page cannot read. Ignores messages of other
 * frames than the top frame of our page, and everything but absolute paths.
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
