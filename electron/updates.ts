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

export interface Updates {
  /** Asks for a newer version. `quiet`: shows nothing if there is none, and reports a failure to `onError` only. */
  check(options?: { quiet?: boolean }): Promise<void>;
}

/**
 * Updates a released package. Asks the user before the download and again before the installation. Without `loadUpdater` the
 * app has no update server, and a message says so.
 */
export function createUpdates(options: {
  loadUpdater: (() => Promise<UpdaterPart>) | undefined;
  showMessage: ShowMessage;
  /** Called for each text: the language may have changed. */
  texts(): ShellTexts;
  /** Of this app. */
  version: string;
  /** Ends the workbench; the app is quit by the updater after that. */
  beforeInstall: () => Promise<void>;
  /** Starts this version anew: the workbench has ended, and the updater did not take over. */
  restart: () => void;
  onError: (error: unknown) => void;
}): Updates {
  const { loadUpdater, showMessage, version, onError } = options;
  const texts = (): ShellTexts['updates'] => options.texts().updates;
  let running = false;

  /** True for the first button. */
  async function ask(message: string, detail: string, buttons: string[]): Promise<boolean> {
    const { response } = await showMessage({
      type: 'info',
      title: texts().title,
      message,
      detail,
      buttons,
      defaultId: 0,
      cancelId: buttons.length - 1,
    });
    return response === 0;
  }

  async function update(load: () => Promise<UpdaterPart>, quiet: boolean): Promise<void> {
    const updater = await load();
    updater.autoDownload = false;
    const found = await updater.checkForUpdates();
    if (!found?.isUpdateAvailable) {
      if (!quiet) await ask(texts().none(version), '', [options.texts().close]);
      return;
    }
    const next = found.updateInfo.version;
    if (!(await ask(texts().available(next), texts().ask, [texts().download, texts().later]))) return;
    await updater.downloadUpdate();
    if (!(await ask(texts().ready(next), texts().askRestart, [texts().restart, texts().later]))) return;
    await options.beforeInstall();
    let failed = false;
    const fail = (error: unknown): void => {
      if (!failed) void startAnew(error);
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
  async function startAnew(error: unknown): Promise<void> {
    onError(error);
    await ask(texts().failed, `${reason(error)}\n\n${texts().startsAnew}`, [texts().startAnew]).catch(onError);
    options.restart();
  }

  return {
    async check({ quiet = false } = {}) {
      if (running) return;
      if (loadUpdater === undefined) {
        if (!quiet) await ask(texts().elsewhere, texts().elsewhereWhy, [options.texts().close]);
        return;
      }
      running = true;
      try {
        await update(loadUpdater, quiet);
      } catch (error) {
        onError(error);
        if (!quiet) await ask(texts().failed, `${reason(error)}\n\n${texts().next}`, [options.texts().close]);
      } finally {
        running = false;
      }
    },
  };
}

/** The first line: electron-updater appends answers of servers and stacks. */
function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0]?.slice(0, 300) ?? '';
}
