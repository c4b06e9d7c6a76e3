/** Commands of the system's menus that a page of the desktop app can run on its own window, for the palette. */
export const windowCommands = [
  'zoomIn',
  'zoomOut',
  'zoomReset',
  'fullScreen',
  'minimize',
  'newWindow',
  'closeWindow',
  'reload',
  'devTools',
  'checkForUpdates',
  'checkOnStart',
  'quit',
] as const;

export type WindowCommand = (typeof windowCommands)[number];

/** Whether this is one of them. */
export function isWindowCommand(value: unknown): value is WindowCommand {
  return windowCommands.some((command) => command === value);
}
