import { computed, type Component, type ComputedRef } from 'vue';

import { commandList, paneOfCommand, type CommandId } from '../window/commands/commandList.ts';
import { useCommandStore } from '../window/commands/commandStore.ts';
import { useAddVirtualDevice } from '../features/devices/useAddVirtualDevice.ts';
import { language, t } from '../i18n/index.ts';
import { panes } from './panes.ts';
import { useSettingsPlace } from '../window/settingsPlace.ts';
import { useClosed } from '../features/trash/closedStore.ts';
import { useNavigation } from '../window/navigation.ts';
import { useSettings } from '../window/settingsStore.ts';
import { useCloseHalf } from './halves/useCloseHalf.ts';
import { useTour } from './tour/tourStore.ts';
import { windowCommands, type WindowCommand } from '../../src-core/contract/types.ts';

/** Something that can be done from anywhere, worded for the window's language and state. */
export interface Command {
  id: CommandId;
  label: string;
  icon: Component;
  /** How it stands now, why it cannot be done, or where it is. */
  hint: string;
  keys?: string;
  disabled: boolean;
  run: () => void;
}

/** The commands that the window itself carries out, and how each stands. */
type WindowCommands = Partial<Record<CommandId, { run: () => void; hint?: string; label?: string }>>;

/** Every command that can be asked for now. Those of the pane in front come first. */
export function useCommands(): {
  list: ComputedRef<Command[]>;
  run: (id: CommandId) => void;
  carriesOut: (id: CommandId) => boolean;
} {
  const navigation = useNavigation();
  const settings = useSettings();
  const settingsPlace = useSettingsPlace();
  const tour = useTour();
  const ofPanes = useCommandStore();
  const virtualDevice = useAddVirtualDevice();
  const closeHalf = useCloseHalf();
  const closed = useClosed();
  const shellWindow = useWindowCommands();

  const ofWindow = computed<WindowCommands>(() => {
    const { theme, openToNetwork } = settings.current;
    const { beside } = navigation;
    const chosen = (is: boolean): string => (is ? t('commands.chosen') : '');
    return {
      addVirtualDevice: { run: () => void virtualDevice.add() },
      split: {
        label: beside === undefined ? t('commands.split') : t('commands.unsplit'),
        run: () => (beside === undefined ? navigation.openBeside() : closeHalf(beside)),
      },
      otherHalf: { run: () => navigation.openBeside(beside) },
      reopen: { hint: closed.last?.name ?? t('shell.closed.nothing'), run: () => void closed.reopenLast() },
      openToNetwork: {
        hint: openToNetwork ? t('commands.on') : t('commands.off'),
        run: () => settingsPlace.show('devices'),
      },
      lightTheme: { hint: chosen(theme === 'light'), run: () => settings.change({ theme: 'light' }) },
      darkTheme: { hint: chosen(theme === 'dark'), run: () => settings.change({ theme: 'dark' }) },
      systemTheme: { hint: chosen(theme === 'system'), run: () => settings.change({ theme: 'system' }) },
      english: { hint: chosen(language.value === 'en'), run: () => settings.change({ locale: 'en' }) },
      chinese: { hint: chosen(language.value === 'zh'), run: () => settings.change({ locale: 'zh' }) },
      ...Object.fromEntries(shellWindow.offered.map((id) => [id, { run: () => shellWindow.ask(id) }])),
      firstCall: { run: () => tour.begin() },
      shortcuts: { run: () => (navigation.overlay = 'shortcuts') },
    };
  });

  const list = computed(() => {
    const all = commandList.flatMap(({ id, icon, keys }): Command[] => {
      if (icon === undefined) return [];
      const pane = panes.find((entry) => entry.id === paneOfCommand(id));
      const own = ofWindow.value[id];
      const reason = pane && ofPanes.reasonOf(id);
      if (pane ? !ofPanes.isOffered(id) : own === undefined) return [];
      return [
        {
          id,
          icon,
          label: own?.label ?? t(`commands.${id}`),
          hint: reason ?? (pane ? t(pane.title) : (own?.hint ?? '')),
          ...(keys !== undefined && { keys }),
          disabled: reason !== undefined,
          run: own?.run ?? (() => ofPanes.run(id)),
        },
      ];
    });
    const inFront = ({ id }: Command): boolean => paneOfCommand(id) === navigation.pane;
    return [...all.filter(inFront), ...all.filter((command) => !inFront(command))];
  });
  const run = (id: CommandId): unknown => (ofWindow.value[id] ?? { run: () => ofPanes.run(id) }).run();
  return { list, run, carriesOut: (id) => ofWindow.value[id] !== undefined };
}

/** The commands for the desktop window. A browser has menus of its own, so none are offered there. */
function useWindowCommands(host: Pick<Window, 'toolwireShell' | 'postMessage' | 'origin'> = window): {
  offered: readonly WindowCommand[];
  ask: (command: WindowCommand) => void;
} {
  return {
    offered: host.toolwireShell?.kind === 'electron' ? windowCommands : [],
    ask: (command) =>
      host.postMessage({ type: 'toolwire:window', command }, host.origin === 'null' ? '*' : host.origin),
  };
}
