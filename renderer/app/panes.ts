import { AudioLines, Cpu, Library, MessageSquare, ScanText, Settings, SquareTerminal, Waypoints } from '@lucide/vue';
import { defineAsyncComponent, type Component } from 'vue';

import type { MessageKey } from '../i18n/index.ts';
import type { PaneId } from '../window/navigation.ts';
import DiscoveryPane from '../features/discovery/DiscoveryPane.vue';

/** A room of the window. */
export interface PaneEntry {
  id: PaneId;
  title: MessageKey;
  icon: Component;
  component: Component;
  /** Its shortcut. */
  keys: string;
  /** At the foot of the rail, apart from the panes of work. */
  atFoot?: boolean;
}

/** The panes that are not in the entry chunk. */
const loads = {
  executor: () => import('../features/executor/ExecutorPane.vue'),
  parser: () => import('../features/parser/ParserPane.vue'),
  devices: () => import('../features/devices/DevicesPane.vue'),
  gateway: () => import('../features/gateway/GatewayPane.vue'),
  chat: () => import('../features/chat/ChatPane.vue'),
  realtime: () => import('../features/realtime/RealtimePane.vue'),
  settings: () => import('../features/settings/SettingsPane.vue'),
};

/** The rail, in the order of work. Only the first is in the entry chunk. */
export const panes: readonly PaneEntry[] = [
  { id: 'discovery', title: 'discovery.title', icon: Library, component: DiscoveryPane, keys: 'mod+1' },
  {
    id: 'executor',
    title: 'executor.title',
    icon: SquareTerminal,
    component: defineAsyncComponent(loads.executor),
    keys: 'mod+2',
  },
  {
    id: 'parser',
    title: 'parser.title',
    icon: ScanText,
    component: defineAsyncComponent(loads.parser),
    keys: 'mod+3',
  },
  {
    id: 'devices',
    title: 'devices.title',
    icon: Cpu,
    component: defineAsyncComponent(loads.devices),
    keys: 'mod+4',
  },
  {
    id: 'gateway',
    title: 'gateway.title',
    icon: Waypoints,
    component: defineAsyncComponent(loads.gateway),
    keys: 'mod+5',
  },
  {
    id: 'chat',
    title: 'chat.title',
    icon: MessageSquare,
    component: defineAsyncComponent(loads.chat),
    keys: 'mod+6',
  },
  {
    id: 'realtime',
    title: 'realtime.title',
    icon: AudioLines,
    component: defineAsyncComponent(loads.realtime),
    keys: 'mod+7',
  },
  {
    id: 'settings',
    title: 'settings.title',
    icon: Settings,
    component: defineAsyncComponent(loads.settings),
    keys: 'mod+,',
    atFoot: true,
  },
];

/** Loads the code of all panes once the page is idle: an engine that has ended serves none. */
export function preloadPanes(): void {
  requestIdleCallback(() => {
    performance.mark('preload-panes');
    for (const load of Object.values(loads)) load().catch(reportError);
  });
}
