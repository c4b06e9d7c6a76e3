import type { Clock } from '../src-core/base/clock.ts';
import type { WindowPart } from './electronParts.ts';

/** ms after which a window is shown although nothing has reported that its page has painted. */
const revealMs = 3_000;

/** A window that is created hidden and shown once. */
export interface Reveal {
  /** Shows the window now, also if it was shown before and is hidden. */
  now(): void;
  isShown(): boolean;
}

/**
 * Shows a hidden window as soon as it has painted. `ready-to-show` alone is not enough: Wayland never paints a hidden window,
 * a page that fails to load or crashes does not paint either, and some releases of Electron do not emit the event.
 */
export function revealWindow(
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
