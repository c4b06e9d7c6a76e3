/** The systems and defects that the fake Electron imitates, each as Electron's documentation, source or issues describe it. */

/** What differs between two environments. */
export interface EnvironmentTraits {
  platform: 'linux' | 'darwin' | 'win32';
  /** When a window that was created hidden emits `ready-to-show`: once it has painted, or only after `show()`. */
  readyToShow: 'painted' | 'afterShow';
  /** What happens to the page that a window loads. */
  load: 'succeeds' | 'fails' | 'crashes';
  /** Switches of Chromium's command line. */
  switches: readonly string[];
  /** What macOS answers if it is asked for the microphone. */
  microphone: boolean;
  /** The instance lock cannot be created, although no other instance has it. */
  lockFails: boolean;
  /** Windows: another app cancels the shutdown after `query-session-end`. */
  shutdownCancelled: boolean;
}

const usual = {
  readyToShow: 'painted',
  load: 'succeeds',
  switches: [],
  microphone: true,
  lockFails: false,
  shutdownCancelled: false,
} as const;

export const environments = {
  linux: { ...usual, platform: 'linux' },
  darwin: { ...usual, platform: 'darwin' },
  win32: { ...usual, platform: 'win32' },
  /** Wayland does not paint a hidden window (electron/electron#48859). */
  wayland: { ...usual, platform: 'linux', readyToShow: 'afterShow' },
  /** The user has refused the microphone in the system's settings. */
  microphoneDenied: { ...usual, platform: 'darwin', microphone: false },
  /** On Windows, Electron 44.4 did not emit `ready-to-show` for a hidden window (electron/electron#54025). */
  win32Hidden: { ...usual, platform: 'win32', readyToShow: 'afterShow' },
  /** The start script of an AppImage adds the switch if user namespaces are not available. */
  noSandbox: { ...usual, platform: 'linux', switches: ['no-sandbox'] },
  /** Windows asks all apps whether the session may end, and another app refuses. */
  cancelledShutdown: { ...usual, platform: 'win32', shutdownCancelled: true },
  /** Chromium cannot create the socket of its lock, for example because /tmp is full: the lock is then refused. */
  failedLock: { ...usual, platform: 'linux', lockFails: true },
  /** The page cannot be loaded. */
  failedLoad: { ...usual, platform: 'linux', load: 'fails' },
  /** The page's process crashes before it paints. */
  crashOnLoad: { ...usual, platform: 'linux', load: 'crashes' },
} satisfies Record<string, EnvironmentTraits>;

export type FakeEnvironment = keyof typeof environments;
