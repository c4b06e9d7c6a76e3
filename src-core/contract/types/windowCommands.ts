/** What a page of the desktop app may ask of its own window: what the system's menus have, for the palette. */
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
