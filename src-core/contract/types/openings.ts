/** What the system asked the window to show: a file that was opened, a `toolwire://` link, or an item of the Help menu. Nothing runs by it. */
export type Opening =
  | { kind: 'pane'; pane: string }
  | { kind: 'device'; deviceId: string }
  | { kind: 'tool'; qualifiedName: string }
  | { kind: 'capture'; captureId: string }
  | { kind: 'collection'; folder: string }
  | { kind: 'help'; topic: 'tour' | 'shortcuts' };
