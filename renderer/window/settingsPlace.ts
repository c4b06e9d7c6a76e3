import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

import type { MessageKey } from '../i18n/index.ts';
import { useNavigation } from './navigation.ts';
import { isOneOf, useRemembered } from './useRemembered.ts';

/** The sections of the settings in their order. */
export const sectionNames = [
  'window',
  'tools',
  'calling',
  'askFirst',
  'devices',
  'cluster',
  'models',
  'realtime',
  'history',
  'bin',
  'about',
] as const;
export type SectionName = (typeof sectionNames)[number];

export const isSection = isOneOf(...sectionNames);

/** Shows a section of the settings, or one of its rows. */
export const useSettingsPlace = defineStore('settingsPlace', () => {
  const navigation = useNavigation();
  const section = useRemembered<SectionName>('settings.section', 'window', isSection);
  /** The label of the row that is wanted; the pane takes it. */
  const row = shallowRef<MessageKey>();
  return {
    section,
    row,
    show(name: SectionName, label?: MessageKey): void {
      section.value = name;
      row.value = label;
      navigation.open('settings');
    },
  };
});
