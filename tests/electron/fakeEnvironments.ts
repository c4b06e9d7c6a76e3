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
}

const usual = { readyToShow: 'painted', load: 'succeeds', switches: [], microphone: true } as const;

export const environments = {
  linux: { ...usual, platform: 'linux' },
  darwin: { ...usual, platform: 'darwin' },
  win32: { ...usual, platform: 'win32' },
  /** Wayland paints no hidden window (electron/electron#48859). */
  wayland: { ...usual, platform: 'linux', readyToShow: 'afterShow' },
  /** The user has refused the microphone in the system's settings. */
  microphoneDenied: { ...usual, platform: 'darwin', microphone: false },
  /** As on Wayland, but on Windows, where 44.4 had it (electron/electron#54025). */
  win32Hidden: { ...usual, platform: 'win32', readyToShow: 'afterShow' },
  /** An AppImage's start script adds the switch where user namespaces are not available. */
  noSandbox: { ...usual, platform: 'linux', switches: ['no-sandbox'] },
  /** The page cannot be loaded. */
  failedLoad: { ...usual, platform: 'linux', load: 'fails' },
  /** The page's process crashes before it paints. */
  crashOnLoad: { ...usual, platform: 'linux', load: 'crashes' },
} satisfies Record<string, EnvironmentTraits>;

export type FakeEnvironment = keyof typeof environments;
