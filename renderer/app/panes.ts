import {
  AppWindow,
  AudioLines,
  Cpu,
  Library,
  MessageSquare,
  Plug,
  ScanText,
  Settings,
  SquareTerminal,
  Waypoints,
} from '@lucide/vue';
import { h, type Component } from 'vue';

import type { MessageKey } from '../i18n/index.ts';
import type { PaneId } from '../window/navigation.ts';
import DiscoveryPane from '../features/discovery/DiscoveryPane.vue';
import LatePane from './halves/LatePane.vue';

/** A pane of the window. */
export interface PaneEntry {
  id: PaneId;
  title: MessageKey;
  icon: Component;
  component: Component;
  /** Its shortcut. */
  keys: string;
}

/** The panes that load after the first paint. */
const loads = {
  executor: () => import('../features/executor/ExecutorPane.vue'),
  parser: () => import('../features/parser/ParserPane.vue'),
  devices: () => import('../features/devices/DevicesPane.vue'),
  servers: () => import('../features/servers/ServersPane.vue'),
  gateway: () => import('../features/gateway/GatewayPane.vue'),
  hosts: () => import('../features/hosts/HostsPane.vue'),
  chat: () => import('../features/chat/ChatPane.vue'),
  realtime: () => import('../features/realtime/RealtimePane.vue'),
  settings: () => import('../features/settings/SettingsPane.vue'),
};

const icons: Record<PaneId, Component> = {
  discovery: Library,
  executor: SquareTerminal,
  parser: ScanText,
  devices: Cpu,
  servers: Plug,
  gateway: Waypoints,
  hosts: AppWindow,
  chat: MessageSquare,
  realtime: AudioLines,
  settings: Settings,
};

/** The groups of the rail, from top to bottom. `settings` has no title and is at the bottom. */
const groups = {
  tools: ['discovery', 'executor', 'parser'],
  connections: ['devices', 'servers', 'gateway', 'hosts'],
  models: ['chat', 'realtime'],
  settings: ['settings'],
} as const satisfies Record<string, readonly PaneId[]>;

/** All panes in the order of the rail. Only the first is loaded before the first paint. */
export const panes: readonly PaneEntry[] = Object.values(groups)
  .flat()
  .map((id, at) => ({
    id,
    title: `${id}.title`,
    icon: icons[id],
    component: id === 'discovery' ? DiscoveryPane : () => h(LatePane, { name: `${id}.title`, load: loads[id] }),
    keys: id === 'settings' ? 'mod+,' : `mod+${at + 1}`,
  }));

/** The rail's groups with their panes. */
export const paneGroups = (Object.keys(groups) as (keyof typeof groups)[]).map((name) => ({
  title: name === 'settings' ? undefined : (`shell.paneGroups.${name}` as const),
  panes: panes.filter(({ id }) => groups[name].some((member) => member === id)),
}));

/** Loads the code of all panes once the page is idle: an engine that has ended serves none. */
export function preloadPanes(): void {
  requestIdleCallback(() => {
    performance.mark('preload-panes');
    for (const load of Object.values(loads)) load().catch(reportError);
  });
}
