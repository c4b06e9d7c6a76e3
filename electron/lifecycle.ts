import type { Clock } from '../src-core/base/clock.ts';
import type { ElectronParts, WindowPart } from './electronParts.ts';
import type { ShellWorkbench } from './shellWorkbench.ts';
import type { ShellTexts } from './texts.ts';
import type { Windows } from './windows.ts';

/** ms after which the app quits although the workbench has not closed. The database survives that: it is in WAL mode. */
const closeMs = 5_000;

/** Quits the app after the workbench has closed. */
export interface Lifecycle {
  /** The workbench is closing or has closed. */
  isClosing(): boolean;
  /** Resolves once the workbench has closed, has failed to close or has taken 5 s. */
  closeWorkbench(): Promise<void>;
  /** Asks before this window closes if it is the last one and quitting would interrupt something. */
  follow(window: WindowPart): void;
}

/** Closes the workbench before the app quits, and asks first if that would interrupt something. */
export function createLifecycle(options: {
  electron: Pick<ElectronParts, 'app' | 'powerMonitor'>;
  workbench: Pick<ShellWorkbench, 'close' | 'live'>;
  windows: Pick<Windows, 'count' | 'open' | 'saveBounds' | 'showMessage'>;
  platform: NodeJS.Platform;
  clock: Pick<Clock, 'after'>;
  texts: () => ShellTexts;
  /** Calls the listener if a signal asks the process to end. */
  onSignal: (listener: () => void) => void;
  onError: (error: unknown) => void;
}): Lifecycle {
  const { workbench, windows, platform, clock, onError } = options;
  const { app, powerMonitor } = options.electron;
  let closing: Promise<void> | undefined;
  let closed = false;
  let asking = false;
  /** A signal or the system ends the app: the user is not asked. */
  let forced = false;

  function closeWorkbench(): Promise<void> {
    if (closing === undefined) {
      windows.saveBounds();
      closing = closeInTime(workbench, clock)
        .catch(onError)
        .then(() => void (closed = true));
    }
    return closing;
  }

  function finish(): void {
    void closeWorkbench().then(() => app.quit());
  }

  /** What quitting would interrupt, as a question; undefined if there is nothing to ask. */
  function question(): string | undefined {
    return forced || closing !== undefined ? undefined : options.texts().quit.question(workbench.live());
  }

  async function ask(message: string): Promise<void> {
    const { quit } = options.texts();
    asking = true;
    try {
      const buttons = [quit.quit, quit.cancel];
      const box = { type: 'warning', message, buttons, defaultId: 1, cancelId: 1, noLink: true } as const;
      const { response } = await windows.showMessage(box);
      if (response === 0) finish();
      // Several windows that close at the same moment have all closed by now.
      else if (windows.count() === 0 && platform !== 'darwin') windows.open();
    } finally {
      asking = false;
    }
  }

  function quit(): void {
    const message = question();
    if (message === undefined) finish();
    else if (!asking) ask(message).catch(onError);
  }

  function forceQuit(): void {
    forced = true;
    finish();
  }

  app.on('before-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    if (closing === undefined) quit();
  });
  app.on('window-all-closed', () => {
    if (platform !== 'darwin') app.quit();
  });
  powerMonitor.on('shutdown', (event) => {
    // The system waits until the app has quit, which takes at most `closeMs`.
    event.preventDefault();
    forceQuit();
  });
  options.onSignal(forceQuit);

  return {
    isClosing: () => closing !== undefined,
    closeWorkbench,
    follow(window) {
      window.on('close', (event) => {
        // On macOS the app keeps running without a window.
        if (platform === 'darwin' || windows.count() > 1 || question() === undefined) return;
        event.preventDefault();
        quit();
      });
      // Windows emits no `before-quit` when a session ends. `query-session-end` comes earlier, but another app may still
      // cancel the shutdown then.
      window.on('session-end', forceQuit);
    },
  };
}

/** Rejects if the workbench fails to close, or has not closed after `closeMs`. */
function closeInTime(workbench: Pick<ShellWorkbench, 'close'>, clock: Pick<Clock, 'after'>): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopTimer = clock.after(closeMs, () =>
      reject(
        new Error(`The workbench did not close within ${closeMs / 1_000} s. Toolwire quits without waiting for it.`),
      ),
    );
    workbench.close().then(resolve, reject).finally(stopTimer);
  });
}
