import {
  ArrowRightLeft,
  AudioLines,
  Columns2,
  Cpu,
  Footprints,
  Globe,
  Keyboard,
  Languages,
  SunMoon,
  Undo2,
} from '@lucide/vue';
import { computed, type Component, type ComputedRef } from 'vue';

import { useAddVirtualDevice } from '../composables/useAddVirtualDevice.ts';
import { language, t } from '../i18n/index.ts';
import { useClosed } from '../stores/closed.ts';
import { useNavigation } from '../stores/navigation.ts';
import { useSettings } from '../stores/settings.ts';
import { useCloseHalf } from './halves/useCloseHalf.ts';
import { useTour } from './tour/tourStore.ts';

/** Something that can be done from anywhere. */
export interface Command {
  id:
    | 'addVirtualDevice'
    | 'talk'
    | 'split'
    | 'otherHalf'
    | 'reopen'
    | 'toggleTheme'
    | 'toggleLanguage'
    | 'openToNetwork'
    | 'firstCall'
    | 'shortcuts';
  label: string;
  icon: Component;
  /** How it stands now. */
  hint?: string;
  keys?: string;
  run: () => void;
}

/** The commands of the window, worded for its language and state. */
export function useCommands(): { list: ComputedRef<Command[]>; run: (id: Command['id']) => void } {
  const navigation = useNavigation();
  const settings = useSettings();
  const tour = useTour();
  const virtualDevice = useAddVirtualDevice();
  const closeHalf = useCloseHalf();
  const closed = useClosed();

  const list = computed<Command[]>(() => {
    const { theme, openToNetwork } = settings.current;
    const { beside } = navigation;
    return [
      {
        id: 'addVirtualDevice',
        label: t('shell.commands.addVirtualDevice'),
        icon: Cpu,
        keys: 'mod+shift+d',
        run: () => void virtualDevice.add(),
      },
      {
        id: 'talk',
        label: t('realtime.commands.talk'),
        icon: AudioLines,
        keys: 'mod+7',
        run: () => navigation.open('realtime'),
      },
      {
        id: 'split',
        label: beside === undefined ? t('shell.commands.split') : t('shell.commands.unsplit'),
        icon: Columns2,
        keys: 'mod+\\',
        run: () => (beside === undefined ? navigation.openBeside() : closeHalf(beside)),
      },
      {
        id: 'otherHalf',
        label: t('shell.commands.otherHalf'),
        icon: ArrowRightLeft,
        keys: 'mod+f6',
        run: () => navigation.openBeside(beside),
      },
      {
        id: 'reopen',
        label: t('shell.commands.reopen'),
        icon: Undo2,
        hint: closed.last?.name ?? t('shell.closed.nothing'),
        keys: 'mod+shift+t',
        run: () => void closed.reopenLast(),
      },
      {
        id: 'openToNetwork',
        label: t('shell.commands.openToNetwork'),
        icon: Globe,
        hint: openToNetwork ? t('shell.commands.on') : t('shell.commands.off'),
        run: () => navigation.open('settings'),
      },
      {
        id: 'toggleTheme',
        label: t('shell.commands.theme'),
        icon: SunMoon,
        hint: t(`settings.themes.${theme}`),
        run: () => settings.change({ theme: theme === 'dark' ? 'light' : 'dark' }),
      },
      {
        id: 'toggleLanguage',
        label: t('shell.commands.language'),
        icon: Languages,
        hint: language.value === 'zh' ? '中文' : 'English',
        run: () => settings.change({ locale: language.value === 'zh' ? 'en' : 'zh' }),
      },
      {
        id: 'firstCall',
        label: t('shell.commands.firstCall'),
        icon: Footprints,
        run: () => tour.begin(),
      },
      {
        id: 'shortcuts',
        label: t('shell.shortcuts.title'),
        icon: Keyboard,
        keys: '?',
        run: () => (navigation.overlay = 'shortcuts'),
      },
    ];
  });
  return { list, run: (id) => list.value.find((command) => command.id === id)?.run() };
}
