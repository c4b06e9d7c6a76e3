/** The preload script: runs sandboxed in the page's process before the page does. Built as one CommonJS file. */
import { contextBridge, ipcRenderer, webUtils } from 'electron';

import { installBridge } from './preloadBridge.ts';

installBridge({
  contextBridge,
  ipcRenderer,
  window,
  platform: process.platform,
  pathOf: (file) => webUtils.getPathForFile(file),
});
