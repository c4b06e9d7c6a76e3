import { AudioLines, Cpu, Library, MessageSquare, ScanText, Settings, SquareTerminal, Waypoints } from '@lucide/vue';
import { defineAsyncComponent, type Component } from 'vue';

import type { MessageKey } from '../i18n/index.ts';
import type { PaneId } from '../stores/navigation.ts';
import DiscoveryPane from './discovery/DiscoveryPane.vue';

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

/** The rail, in the order of work. Only the first is in the entry chunk. */
export const panes: readonly PaneEntry[] = [
  { id: 'discovery', title: 'discovery.title', icon: Library, component: DiscoveryPane, keys: 'mod+1' },
  {
    id: 'executor',
    title: 'executor.title',
    icon: SquareTerminal,
    component: defineAsyncComponent(() => import('./executor/ExecutorPane.vue')),
    keys: 'mod+2',
  },
  {
    id: 'parser',
    title: 'parser.title',
    icon: ScanText,
    component: defineAsyncComponent(() => import('./parser/ParserPane.vue')),
    keys: 'mod+3',
  },
  {
    id: 'devices',
    title: 'devices.title',
    icon: Cpu,
    component: defineAsyncComponent(() => import('./devices/DevicesPane.vue')),
    keys: 'mod+4',
  },
  {
    id: 'gateway',
    title: 'gateway.title',
    icon: Waypoints,
    component: defineAsyncComponent(() => import('./gateway/GatewayPane.vue')),
    keys: 'mod+5',
  },
  {
    id: 'chat',
    title: 'chat.title',
    icon: MessageSquare,
    component: defineAsyncComponent(() => import('./chat/ChatPane.vue')),
    keys: 'mod+6',
  },
  {
    id: 'realtime',
    title: 'realtime.title',
    icon: AudioLines,
    component: defineAsyncComponent(() => import('./realtime/RealtimePane.vue')),
    keys: 'mod+7',
  },
  {
    id: 'settings',
    title: 'settings.title',
    icon: Settings,
    component: defineAsyncComponent(() => import('./settings/SettingsPane.vue')),
    keys: 'mod+,',
    atFoot: true,
  },
];
