import type { Clock } from '../src-core/base/clock.ts';
import { pageUrl } from './appScheme.ts';
import type { ElectronParts, ShowMessage, WebContentsPart, WindowPart } from './electronParts.ts';
import type { HandOver } from './handOver.ts';
import { recoverPage } from './recoverPage.ts';
import { revealWindow, type Reveal } from './revealWindow.ts';
import type { ShellWorkbench } from './shellWorkbench.ts';
import type { ShellTexts } from './texts.ts';
import { keepBounds, rememberedBounds } from './windowBounds.ts';
import { windowOptions } from './windowOptions.ts';

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
