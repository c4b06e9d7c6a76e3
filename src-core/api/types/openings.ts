/** What the system asked the window to show: a file that was opened, or a `toolwire://` link. Nothing runs by it. */
export type Opening =
  | { kind: 'pane'; pane: string }
  | { kind: 'device'; deviceId: string }
  | { kind: 'tool'; qualifiedName: string }
  | { kind: 'capture'; captureId: string }
  | { kind: 'collection'; folder: string };
