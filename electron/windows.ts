import type { Rectangle, BrowserWindowConstructorOptions } from 'electron';

import type { Clock } from '../src-core/base/clock.ts';
import { pageUrl } from './appScheme.ts';
import type { ElectronParts, ShowMessage, WebContentsPart, WindowPart } from './electronParts.ts';
import type { HandOver } from './handOver.ts';
import type { ShellWorkbench } from './shellWorkbench.ts';
import type { ShellTexts } from './texts.ts';
import type { JsonValue } from '../src-core/base/json.ts';

const minimumSize = { width: 960, height: 600 };

/** `--bg-pane` of renderer/ui/styles/tokens.css, shown until the page has painted. */
const background = { light: '#ffffff', dark: '#15181d' };

/** After a reload, a crash within this time asks the user instead of reloading again, in ms. */
const quietMs = 60_000;

/** Milliseconds of rest after which a moved window is remembered. */
const restMs = 400;

/** ms after which a window is shown although nothing has reported that its page has painted. */
const revealMs = 3_000;

/** The `ui` setting that holds the position and size of the last window. */
const boundsKey = 'electron.bounds';
/** px by which a further window is shifted from the window used last. */
const shiftPx = 28;

/** The app's open windows. */
export interface Windows {
  open(): void;
  /** Shows and focuses the window used last. Opens one if there is none. */
  toFront(): void;
  count(): number;
  of(contents: WebContentsPart): WindowPart | undefined;
  showMessage: ShowMessage;
  /** Saves the position of the window used last. */
  saveBounds(): void;
}

export interface WindowsOptions {
  electron: Pick<ElectronParts, 'app' | 'createWindow' | 'dialog' | 'nativeTheme' | 'screen'>;
  settings: ShellWorkbench['settings'];
  handOver: HandOver;
  preloadFile: string;
  iconFile: string;
  platform: NodeJS.Platform;
  clock: Clock;
  texts: () => ShellTexts;
  /** The engine is closing: no window opens, and nothing is saved any more. */
  isClosing: () => boolean;
  onOpen: (window: WindowPart) => void;
  onError: (error: unknown) => void;
}

/** Opens the app's windows and tracks which one was used last. */
export function createWindows(options: WindowsOptions): Windows {
  const { electron, settings, platform, clock, isClosing, onError } = options;
  /** In the order of use: the window used last is the last. */
  const windows = new Map<WindowPart, { reveal: Reveal; saveBounds: () => void }>();
  const last = (): WindowPart | undefined => [...windows.keys()].at(-1);

  /** Where the last window was. A further window is shifted from the one used last. */
  function nextBounds(): ReturnType<typeof rememberedBounds> {
    const front = last();
    if (!front) return rememberedBounds(settings.get().ui[boundsKey], electron.screen);
    const { x, y, ...size } = front.getNormalBounds();
    return rememberedBounds({ ...size, x: x + shiftPx, y: y + shiftPx }, electron.screen);
  }

  function open(): void {
    if (isClosing()) return;
    const { bounds, maximized } = nextBounds();
    const { preloadFile, iconFile } = options;
    const window = electron.createWindow(
      windowOptions({ preloadFile, iconFile, platform, bounds, dark: electron.nativeTheme.shouldUseDarkColors }),
    );
    options.handOver.admit(window.webContents);
    const saveBounds = keepBounds(window, (value) => {
      // The settings are closed by then; closing has saved the position.
      if (!isClosing()) settings.set({ ui: { [boundsKey]: value } }).catch(onError);
    });
    const entry = { reveal: revealWindow(window, { clock, platform, maximized }), saveBounds };
    windows.set(window, entry);
    window.on('focus', () => {
      windows.delete(window);
      windows.set(window, entry);
    });
    window.on('closed', () => void windows.delete(window));
    const quit = (): void => electron.app.quit();
    recoverPage(window, { clock, texts: options.texts, showMessage, isClosing, quit, onError });
    options.onOpen(window);
    window.loadURL(pageUrl).catch(onError);
  }

  function showMessage(box: Parameters<ShowMessage>[0]): ReturnType<ShowMessage> {
    const front = last();
    // A box that is modal to a window that is not visible would not be visible either.
    const visible = front && windows.get(front)?.reveal.isShown() === true && !front.isMinimized();
    return electron.dialog.showMessageBox(box, visible ? front : undefined);
  }

  return {
    open,
    toFront() {
      const front = last();
      if (!front) return open();
      if (front.isMinimized()) front.restore();
      windows.get(front)?.reveal.now();
      front.focus();
    },
    count: () => windows.size,
    of: (contents) => [...windows.keys()].find(({ webContents }) => webContents === contents),
    showMessage,
    saveBounds: () => [...windows.values()].at(-1)?.saveBounds(),
  };
}

/** A window that is created hidden and shown once. */
interface Reveal {
  /** Shows the window now, also if it was shown before and is hidden. */
  now(): void;
  isShown(): boolean;
}

/**
 * Shows a hidden window as soon as it has painted. `ready-to-show` alone is not enough: Wayland never paints a hidden window,
 * a page that fails to load or crashes does not paint either, and some releases of Electron do not emit the event.
 */
function revealWindow(
  window: WindowPart,
  options: { clock: Pick<Clock, 'after'>; platform: NodeJS.Platform; maximized: boolean },
): Reveal {
  let shown = false;
  let closed = false;
  const now = (): void => {
    if (closed) return;
    stopTimer();
    if (!shown && options.maximized) window.maximize();
    shown = true;
    window.show();
  };
  const once = (): void => {
    if (!shown) now();
  };
  const stopTimer = options.clock.after(revealMs, once);
  window.once('ready-to-show', once);
  const { webContents } = window;
  if (options.platform === 'linux') webContents.on('did-finish-load', once);
  webContents.on('did-fail-load', once);
  webContents.on('render-process-gone', once);
  window.on('closed', () => {
    closed = true;
    stopTimer();
  });
  return { now, isShown: () => shown };
}

/** The remembered place, if it still makes sense: whole numbers, not too small, on a screen that is there. */
function rememberedBounds(
  stored: JsonValue | undefined,
  screen: ElectronParts['screen'],
): { bounds: Partial<Rectangle>; maximized: boolean } {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return { bounds: {}, maximized: false };
  const maximized = stored['maximized'] === true;
  const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((key) => stored[key]);
  if (!isWhole(x) || !isWhole(y) || !isWhole(width) || !isWhole(height)) return { bounds: {}, maximized };
  const bounds = { x, y, width: Math.max(width, minimumSize.width), height: Math.max(height, minimumSize.height) };
  const { workArea } = screen.getDisplayMatching(bounds);
  const visible =
    bounds.x < workArea.x + workArea.width - 100 &&
    bounds.x + bounds.width > workArea.x + 100 &&
    bounds.y >= workArea.y - 10 &&
    bounds.y < workArea.y + workArea.height - 50;
  const { width: keptWidth, height: keptHeight } = bounds;
  return { bounds: visible ? bounds : { width: keptWidth, height: keptHeight }, maximized };
}

/** Remembers a window's place whenever it rests and when it closes. Gives the function that remembers it at once. */
function keepBounds(window: WindowPart, write: (bounds: JsonValue) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const save = (): void => {
    clearTimeout(timer);
    if (!closed) write({ ...window.getNormalBounds(), maximized: window.isMaximized() });
  };
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(save, restMs);
  };
  window.on('resize', later);
  window.on('move', later);
  window.on('close', save);
  window.on('closed', () => {
    clearTimeout(timer);
    closed = true;
  });
  return save;
}

function isWhole(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 100_000;
}

/** Reloads the page after its process has ended: automatically at most once a minute, otherwise if the user agrees. */
function recoverPage(
  window: WindowPart,
  options: {
    clock: Pick<Clock, 'now' | 'after'>;
    texts: () => ShellTexts;
    showMessage: ShowMessage;
    /** Whether the engine is closing. The page is not reloaded then. */
    isClosing: () => boolean;
    quit: () => void;
    onError: (error: unknown) => void;
  },
): void {
  const { clock, texts, onError } = options;
  let reloadedAt = -Infinity;
  let open = true;
  window.on('closed', () => (open = false));

  // Deferred: Chromium may crash if a page loads while `render-process-gone` is still being handled.
  function reload(): void {
    reloadedAt = clock.now();
    clock.after(0, () => {
      if (open) window.webContents.reload();
    });
  }

  async function ask(reason: string): Promise<void> {
    const { crashed } = texts();
    const { response } = await options.showMessage({
      type: 'error',
      message: crashed.message,
      detail: crashed.detail(reason),
      buttons: [crashed.reload, texts().quit.quit],
      defaultId: 0,
      cancelId: 0,
    });
    if (response === 0) reload();
    else options.quit();
  }

  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    onError(new Error(`The page's process ended: ${reason}, exit code ${exitCode}.`));
    if (options.isClosing()) return;
    if (clock.now() - reloadedAt >= quietMs) reload();
    else ask(reason).catch(onError);
  });
}

/** A window's options. Every point of Electron's security checklist is written out, including the defaults. */
function windowOptions(options: {
  preloadFile: string;
  iconFile: string;
  platform: NodeJS.Platform;
  bounds: Partial<Rectangle>;
  dark: boolean;
}): BrowserWindowConstructorOptions {
  const { preloadFile, iconFile, platform, bounds, dark } = options;
  return {
    width: 1280,
    height: 800,
    ...bounds,
    minWidth: minimumSize.width,
    minHeight: minimumSize.height,
    title: 'Toolwire',
    // On the other systems the icon comes from the package.
    ...(platform === 'linux' && { icon: iconFile }),
    backgroundColor: dark ? background.dark : background.light,
    autoHideMenuBar: true,
    show: false,
    webPreferences: {
      preload: preloadFile,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  };
}
