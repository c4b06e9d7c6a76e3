import type { BrowserWindowConstructorOptions, Rectangle } from 'electron';

export const minimumSize = { width: 960, height: 600 };

/** `--bg-pane` of renderer/styles/tokens.css: what shows until the page has painted. */
const background = { light: '#ffffff', dark: '#15181d' };

/** A window's options: Electron's security checklist, each point stated though some are defaults. */
export function windowOptions(options: {
  preloadFile: string;
  bounds: Partial<Rectangle>;
  dark: boolean;
}): BrowserWindowConstructorOptions {
  const { preloadFile, bounds, dark } = options;
  return {
    width: 1280,
    height: 800,
    ...bounds,
    minWidth: minimumSize.width,
    minHeight: minimumSize.height,
    title: 'Toolwire',
    backgroundColor: dark ? background.dark : background.light,
    autoHideMenuBar: true,
    show: false,
    webPreferences: {
      preload: preloadFile,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  };
}
