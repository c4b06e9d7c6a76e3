import {
  ArrowLeftRight,
  ArrowRightLeft,
  AudioLines,
  Braces,
  Columns2,
  Copy,
  Cpu,
  FileCode,
  FolderOpen,
  FolderPlus,
  Footprints,
  GitCompare,
  Globe,
  History,
  Keyboard,
  Languages,
  ListPlus,
  MessageSquarePlus,
  Moon,
  Play,
  Repeat,
  Save,
  Search,
  Settings2,
  Square,
  Sun,
  SunMoon,
  Undo2,
  Upload,
  Waypoints,
} from '@lucide/vue';
import type { Component } from 'vue';

import { isPane, type PaneId } from '../stores/navigation.ts';

/**
 * Everything that a key does or that can be asked for by name: the palette, the sheet of shortcuts and the keys themselves are made
 * from it. `pane.name` belongs to a pane, a name without a dot to the window. What has an icon stands in the palette; what has none is
 * a key that only means something where the focus is. Its words are `commands.<id>`.
 */
const list = [
  { id: 'addVirtualDevice', icon: Cpu, keys: 'mod+shift+d' },
  { id: 'palette', keys: 'mod+k' },
  { id: 'search', keys: '/' },
  { id: 'close', keys: 'escape' },
  { id: 'region', keys: 'f6' },
  { id: 'regionBefore', keys: 'shift+f6' },
  { id: 'split', icon: Columns2, keys: 'mod+\\' },
  { id: 'otherHalf', icon: ArrowRightLeft, keys: 'mod+f6' },
  { id: 'reopen', icon: Undo2, keys: 'mod+shift+t' },
  { id: 'openToNetwork', icon: Globe },
  { id: 'lightTheme', icon: Sun },
  { id: 'darkTheme', icon: Moon },
  { id: 'systemTheme', icon: SunMoon },
  { id: 'english', icon: Languages },
  { id: 'chinese', icon: Languages },
  { id: 'firstCall', icon: Footprints },
  { id: 'shortcuts', icon: Keyboard, keys: '?' },
  { id: 'executor.run', icon: Play, keys: 'mod+enter' },
  { id: 'executor.cancel', icon: Square, keys: 'escape' },
  { id: 'executor.repeat', icon: Repeat, keys: 'mod+shift+enter' },
  { id: 'executor.pick', icon: Search, keys: 'mod+o' },
  { id: 'executor.save', icon: Save, keys: 'mod+s' },
  { id: 'executor.wire', icon: ArrowLeftRight, keys: 'mod+j' },
  { id: 'executor.history', icon: History },
  { id: 'executor.compare', icon: GitCompare },
  { id: 'executor.schema', icon: Braces },
  { id: 'executor.form', icon: ListPlus },
  { id: 'executor.json', icon: FileCode },
  { id: 'executor.copyVcp', icon: Copy },
  { id: 'executor.copyRpc', icon: Copy },
  { id: 'executor.copyCli', icon: Copy },
  { id: 'executor.copyCode', icon: Copy },
  { id: 'executor.copyArguments', icon: Copy },
  { id: 'executor.copyName', icon: Copy },
  { id: 'executor.newCollection', icon: FolderPlus },
  { id: 'executor.openCollection', icon: FolderOpen },
  { id: 'executor.environments', icon: Settings2 },
  { id: 'executor.nextDifference', keys: 'f7' },
  { id: 'executor.differenceBefore', keys: 'shift+f7' },
  { id: 'parser.runAll', icon: Play, keys: 'mod+enter' },
  { id: 'parser.cancel', icon: Square, keys: 'escape' },
  { id: 'parser.nextDiagnostic', icon: Search, keys: 'f8' },
  { id: 'parser.quickFix', keys: 'mod+.' },
  { id: 'parser.openFile', icon: FolderOpen },
  { id: 'parser.compare', icon: GitCompare },
  { id: 'parser.replay', icon: Repeat },
  { id: 'devices.connect', icon: Cpu },
  { id: 'devices.importCapture', icon: Upload },
  { id: 'devices.exportCapture', icon: Save },
  { id: 'devices.send', keys: 'mod+enter' },
  { id: 'gateway.try', icon: Waypoints },
  { id: 'gateway.send', keys: 'mod+enter' },
  { id: 'chat.start', icon: MessageSquarePlus },
  { id: 'chat.stop', keys: 'escape' },
  { id: 'realtime.talk', icon: AudioLines },
  { id: 'realtime.demo', icon: AudioLines },
  { id: 'realtime.interrupt', keys: 'escape' },
  { id: 'realtime.follow', keys: 'f' },
  { id: 'logs.fold', keys: 'enter' },
  { id: 'logs.hitBefore', keys: 'shift+enter' },
  { id: 'logs.pin', keys: 'p' },
  { id: 'logs.copy', keys: 'c' },
] as const satisfies readonly { id: string; icon?: Component; keys?: string }[];

export type CommandId = (typeof list)[number]['id'];

export const commandList: readonly { id: CommandId; icon?: Component; keys?: string }[] = list;

const byId = new Map(commandList.map((command) => [command.id, command]));

/** The key that a command has. */
export function keysOf(id: CommandId): string | undefined {
  return byId.get(id)?.keys;
}

/** The pane that a command belongs to; undefined for one of the window. */
export function paneOfCommand(id: CommandId): PaneId | undefined {
  const [before = ''] = id.split('.');
  return isPane(before) ? before : undefined;
}
