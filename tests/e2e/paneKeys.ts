/** The panes in the order of the rail. */
export const panes = [
  'discovery',
  'executor',
  'parser',
  'devices',
  'servers',
  'gateway',
  'hosts',
  'chat',
  'realtime',
  'settings',
] as const;

/** The shortcut of a pane of the rail's groups. */
export function paneKey(pane: Exclude<(typeof panes)[number], 'settings'>): string {
  return `Control+${panes.indexOf(pane) + 1}`;
}
