import { isAbsolute } from 'node:path';

import type { ElectronParts } from './electronParts.ts';
import { isOurPage } from './handOver.ts';

/** The preload's word that folders or files of a collection were dropped on a window. */
const droppedChannel = 'toolwire:dropped';

/** Paths of one drop, and characters of one. */
const maxPaths = 16;
const maxLength = 4_096;

/**
 * Hears of the paths that a person dropped on a window of ours: a collection is a folder, and a page is not told where a
 * file lies. Only from the top frame of our page; anything but whole paths is passed over.
 */
export function onDroppedPaths(ipcMain: ElectronParts['ipcMain'], open: (path: string) => void): void {
  ipcMain.on(droppedChannel, (event, message) => {
    if (!isOurPage(event) || !Array.isArray(message)) return;
    message
      .slice(0, maxPaths)
      .filter((path): path is string => typeof path === 'string' && path.length <= maxLength && isAbsolute(path))
      .forEach(open);
  });
}
