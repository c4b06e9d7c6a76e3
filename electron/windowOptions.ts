import type { BrowserWindowConstructorOptions, Rectangle } from 'electron';

export const minimumSize = { width: 960, height: 600 };

/** `--bg-pane` of renderer/ui/styles/tokens.css, shown until the page has painted. */
const background = { light: '#ffffff', dark: '#15181d' };

/** A window's options. Every point of Electron's security checklist is written out, including the defaults. */
export function windowOptions(options: {
  preloadFile: string;
  iconFile: string;
  platform: NodeJS.Platform;
  bounds: Partial<Rectangle>;
  dark: boolean;
}): BrowserWindowConstructorOptions {
  const { preloadFile, iconFile, platform, bounds, dark } = options;
  return {
    width: 1280,
    height: 800,
    ...bounds,
    minWidth: minimumSize.width,
    minHeight: minimumSize.height,
    title: 'Toolwire',
    // On the other systems the icon comes from the package.
    ...(platform === 'linux' && { icon: iconFile }),
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
