import type { ShowMessage } from './electronParts.ts';
import type { ShellTexts } from './texts.ts';

/** The part of electron-updater that we use; tests have a fake of it, so that nothing asks the network. */
export interface UpdaterPart {
  autoDownload: boolean;
  checkForUpdates(): Promise<{ isUpdateAvailable: boolean; updateInfo: { version: string } } | null>;
  downloadUpdate(): Promise<unknown>;
  /** Reports a failure only by an `error` event, possibly later. */
  quitAndInstall(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

interface UpdatesOptions {
  loadUpdater: (() => Promise<UpdaterPart>) | undefined;
  showMessage: ShowMessage;
  /** Called for each text: the language may have changed. */
  texts: () => ShellTexts;
  /** Of this app. */
  version: string;
  /** Ends the workbench; the app is quit by the updater after that. */
  beforeInstall: () => Promise<void>;
  /** Restarts this version: the workbench has closed, and the updater failed to install. */
  restart: () => void;
  onError: (error: unknown) => void;
}

/**
 * Updates a released package. Asks the user before the download and again before the installation. Without `loadUpdater` the
 * app has no update server, and a message says so.
 */
export class Updates {
  readonly #options: UpdatesOptions;
  #running = false;

  constructor(options: UpdatesOptions) {
    this.#options = options;
  }

  get #texts(): ShellTexts['updates'] {
    return this.#options.texts().updates;
  }

  /** Asks for a newer version. `quiet`: shows nothing if there is none, and reports a failure to `onError` only. */
  async check({ quiet = false } = {}): Promise<void> {
    if (this.#running) return;
    const { loadUpdater, onError } = this.#options;
    if (loadUpdater === undefined) {
      if (!quiet) await this.#tell(this.#texts.elsewhere, this.#texts.elsewhereWhy);
      return;
    }
    this.#running = true;
    try {
      await this.#update(await loadUpdater(), quiet);
    } catch (error) {
      onError(error);
      if (!quiet) await this.#tell(this.#texts.failed, `${reason(error)}\n\n${this.#texts.next}`);
    } finally {
      this.#running = false;
    }
  }

  async #update(updater: UpdaterPart, quiet: boolean): Promise<void> {
    updater.autoDownload = false;
    const found = await updater.checkForUpdates();
    if (!found?.isUpdateAvailable) {
      if (!quiet) await this.#tell(this.#texts.none(this.#options.version), '');
      return;
    }
    const { version } = found.updateInfo;
    const { available, ask, download, later } = this.#texts;
    if (!(await this.#ask(available(version), ask, [download, later]))) return;
    await updater.downloadUpdate();
    const { ready, askRestart, restart } = this.#texts;
    if (!(await this.#ask(ready(version), askRestart, [restart, this.#texts.later]))) return;
    await this.#options.beforeInstall();
    this.#install(updater);
  }

  #install(updater: UpdaterPart): void {
    let failed = false;
    const fail = (error: unknown): void => {
      if (!failed) void this.#restart(error);
      failed = true;
    };
    updater.on('error', fail);
    try {
      updater.quitAndInstall();
    } catch (error) {
      fail(error);
    }
  }

  /** Without this the window would stay, with no engine behind it. */
  async #restart(error: unknown): Promise<void> {
    const { onError, restart } = this.#options;
    const { failed, startsAnew, startAnew } = this.#texts;
    onError(error);
    await this.#ask(failed, `${reason(error)}\n\n${startsAnew}`, [startAnew]).catch(onError);
    restart();
  }

  async #tell(message: string, detail: string): Promise<void> {
    await this.#ask(message, detail, [this.#options.texts().close]);
  }

  /** True for the first button. */
  async #ask(message: string, detail: string, buttons: string[]): Promise<boolean> {
    const { title } = this.#texts;
    const cancelId = buttons.length - 1;
    const box = { type: 'info', title, message, detail, buttons, defaultId: 0, cancelId } as const;
    const { response } = await this.#options.showMessage(box);
    return response === 0;
  }
}

/** The first line: electron-updater appends answers of servers and stacks. */
function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0]?.slice(0, 300) ?? '';
}
