import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

import type { MessageKey } from '../../i18n/index.ts';
import { useNavigation } from '../../window/navigation.ts';
import { isOneOf, useRemembered } from '../../window/useRemembered.ts';
import { sectionNames, type SectionName } from './settingList.ts';

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
