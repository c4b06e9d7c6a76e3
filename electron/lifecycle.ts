import type { Clock } from '../src-core/base/clock.ts';
import type { ElectronParts, WindowPart } from './electronParts.ts';
import type { ShellWorkbench } from './shellWorkbench.ts';
import type { ShellTexts } from './texts.ts';
import type { Windows } from './windows.ts';

/** ms after which the app quits although the workbench has not closed. The database survives that: it is in WAL mode. */
const closeMs = 5_000;

interface LifecycleOptions {
  electron: Pick<ElectronParts, 'app' | 'powerMonitor'>;
  workbench: Pick<ShellWorkbench, 'close' | 'live'>;
  windows: Pick<Windows, 'count' | 'open' | 'saveBounds' | 'showMessage'>;
  platform: NodeJS.Platform;
  clock: Pick<Clock, 'after'>;
  texts: () => ShellTexts;
  /** Calls the listener if a signal asks the process to end. */
  onSignal: (listener: () => void) => void;
  onError: (error: unknown) => void;
}

/** Closes the workbench before the app quits, and asks first if that would interrupt something. */
export class Lifecycle {
  readonly #options: LifecycleOptions;
  #closing: Promise<void> | undefined;
  #closed = false;
  #asking = false;
  /** A signal or the system ends the app: the user is not asked. */
  #forced = false;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    const { app, powerMonitor } = options.electron;
    app.on('before-quit', (event) => {
      if (this.#closed) return;
      event.preventDefault();
      if (!this.isClosing) this.#quit();
    });
    app.on('window-all-closed', () => {
      if (options.platform !== 'darwin') app.quit();
    });
    powerMonitor.on('shutdown', (event) => {
      // The system waits until the app has quit, which takes at most `closeMs`.
      event.preventDefault();
      this.#forceQuit();
    });
    options.onSignal(() => this.#forceQuit());
  }

  /** The workbench is closing or has closed. */
  get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  /** Resolves once the workbench has closed, has failed to close or has taken 5 s. */
  closeWorkbench(): Promise<void> {
    if (this.#closing === undefined) {
      const { windows, workbench, clock, onError } = this.#options;
      windows.saveBounds();
      this.#closing = closeInTime(workbench, clock)
        .catch(onError)
        .then(() => void (this.#closed = true));
    }
    return this.#closing;
  }

  /** Asks before this window closes if it is the last one and quitting would interrupt something. */
  follow(window: WindowPart): void {
    const { windows, platform } = this.#options;
    window.on('close', (event) => {
      // On macOS the app keeps running without a window.
      if (platform === 'darwin' || windows.count() > 1 || this.#question() === undefined) return;
      event.preventDefault();
      this.#quit();
    });
    // Windows emits no `before-quit` when a session ends. `query-session-end` comes earlier, but another app may still
    // cancel the shutdown then.
    window.on('session-end', () => this.#forceQuit());
  }

  #quit(): void {
    const message = this.#question();
    if (message === undefined) this.#finish();
    else if (!this.#asking) this.#ask(message).catch(this.#options.onError);
  }

  #forceQuit(): void {
    this.#forced = true;
    this.#finish();
  }

  #finish(): void {
    void this.closeWorkbench().then(() => this.#options.electron.app.quit());
  }

  /** What quitting would interrupt, as a question; undefined if there is nothing to ask. */
  #question(): string | undefined {
    const { texts, workbench } = this.#options;
    return this.#forced || this.isClosing ? undefined : texts().quit.question(workbench.live());
  }

  async #ask(message: string): Promise<void> {
    const { windows, platform, texts } = this.#options;
    const { quit, cancel } = texts().quit;
    const buttons = [quit, cancel];
    this.#asking = true;
    try {
      const box = { type: 'warning', message, buttons, defaultId: 1, cancelId: 1, noLink: true } as const;
      const { response } = await windows.showMessage(box);
      if (response === 0) this.#finish();
      // Several windows that close at the same moment have all closed by now.
      else if (windows.count() === 0 && platform !== 'darwin') windows.open();
    } finally {
      this.#asking = false;
    }
  }
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
