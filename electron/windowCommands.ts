import { isWindowCommand, type WindowCommand } from '../src-core/contract/types.ts';
import type { ElectronParts, WebContentsPart, WindowPart } from './electronParts.ts';
import { isOurPage } from './handOver.ts';

/** The preload's word that the page asks something of its window. */
export const windowChannel = 'toolwire:window';

/** What one step of zooming is, as in Electron's own menu: 20 %. */
const zoomStep = 0.5;
/** From 25 % to 500 %, as in Chromium. */
const zoomRange = { least: -7.6, most: 8.8 };

/** What goes beyond one window. */
export interface AppCommands {
  newWindow(): void;
  checkForUpdates(): void;
  checkOnStart(): void;
  quit(): void;
}

/** Hears what the palette of a page asks of its window; only from the top frame of our page, and only what is listed. */
export function onWindowCommands(
  ipcMain: ElectronParts['ipcMain'],
  { windowOf, app }: { windowOf: (contents: WebContentsPart) => WindowPart | undefined; app: AppCommands },
): void {
  ipcMain.on(windowChannel, (event, command) => {
    const window = isOurPage(event) ? windowOf(event.sender) : undefined;
    if (window && isWindowCommand(command)) carryOut(command, { window, app });
  });
}

function carryOut(command: WindowCommand, { window, app }: { window: WindowPart; app: AppCommands }): void {
  const { webContents } = window;
  const zoomBy = (step: number): void => {
    const level = webContents.getZoomLevel() + step;
    webContents.setZoomLevel(Math.min(zoomRange.most, Math.max(zoomRange.least, level)));
  };
  const actions: Record<WindowCommand, () => void> = {
    zoomIn: () => zoomBy(zoomStep),
    zoomOut: () => zoomBy(-zoomStep),
    zoomReset: () => webContents.setZoomLevel(0),
    fullScreen: () => window.setFullScreen(!window.isFullScreen()),
    minimize: () => window.minimize(),
    closeWindow: () => window.close(),
    reload: () => webContents.reload(),
    devTools: () => webContents.toggleDevTools(),
    newWindow: () => app.newWindow(),
    checkForUpdates: () => app.checkForUpdates(),
    checkOnStart: () => app.checkOnStart(),
    quit: () => app.quit(),
  };
  actions[command]();
}
