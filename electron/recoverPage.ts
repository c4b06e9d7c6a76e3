import type { Clock } from '../src-core/base/clock.ts';
import type { ShowMessage, WindowPart } from './electronParts.ts';
import type { ShellTexts } from './texts.ts';

/** After a reload, a crash within this time asks the user instead of reloading again, in ms. */
const quietMs = 60_000;

/** Reloads the page after its process has ended: automatically at most once a minute, otherwise if the user agrees. */
export function recoverPage(
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
