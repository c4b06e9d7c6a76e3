import { Monitor, Moon, Sun } from '@lucide/vue';
import type { Component } from 'vue';

import type { Settings, ToolCallConfig, WorkbenchInfo } from '../../../src-core/contract/types.ts';
import { t, type MessageKey } from '../../i18n/index.ts';
import type { SectionName } from '../../window/settingsPlace.ts';

type KeysTo<T, V> = { [K in keyof T & string]: T[K] extends V ? K : never }[keyof T & string];

/** Path of a setting with a value of type V, such as `theme` or `toolCallConfig.timeout`. */
type PathTo<V> =
  | KeysTo<Settings, V>
  | `toolCallConfig.${KeysTo<ToolCallConfig, V>}`
  | `historyLimit.${KeysTo<Settings['historyLimit'], V>}`;

/** One row of the settings. `words`: what the search finds it by, beside its label, hint and options. */
export type Setting = { label: MessageKey; hint?: MessageKey; words?: () => { label: string }[] } & (
  | { kind: 'switch'; path: PathTo<boolean> }
  | { kind: 'origins'; path: PathTo<string[]> }
  /** `segments` shows all options, `select` only the chosen one. */
  | { kind: 'segments' | 'select'; path: PathTo<string>; options: () => Option[] }
  /** `per`: stored units in one displayed unit, such as 1000 for a time stored in ms and displayed in s. */
  | { kind: 'number'; path: PathTo<number>; min: number; max: number; step?: number; unit?: string; per?: number }
  /** A read-only path of the running workbench. */
  | { kind: 'folder'; info: KeysTo<WorkbenchInfo, string> }
  /** The control is in the slot of this name of its section. */
  | { kind: 'slot'; slot: string }
);

export interface SettingGroup {
  title: MessageKey;
  text?: MessageKey;
  /** What the search finds it by, too. */
  words?: MessageKey;
  settings: readonly Setting[];
  /** Rows that the section has besides, whose form depends on the engine's state. */
  others?: readonly Pick<Setting, 'label' | 'hint'>[];
}

interface Option {
  value: string;
  label: string;
  icon?: Component;
}

type WithHint = { [K in MessageKey]: `${K}Hint` extends MessageKey ? K : never }[MessageKey];

/** A label and its hint, for a message key that has both. */
const hinted = <K extends WithHint>(label: K) => ({ label, hint: `${label}Hint` as MessageKey });
const icons = { system: Monitor, light: Sun, dark: Moon };

/** The sections of the settings with their rows, in their order. */
export const settingList = {
  window: {
    title: 'settings.section.window',
    settings: [
      {
        kind: 'segments',
        path: 'theme',
        label: 'settings.theme',
        options: () => optionsOf(['system', 'light', 'dark'], 'settings.themes', icons),
      },
      {
        kind: 'segments',
        path: 'density',
        ...hinted('settings.density'),
        options: () => optionsOf(['auto', 'compact', 'comfortable'], 'settings.densities'),
      },
      {
        kind: 'segments',
        path: 'locale',
        label: 'settings.language',
        options: () => optionsOf(['system', 'en', 'zh'], 'settings.languages'),
        // A language is found by its name in either language.
        words: () => [{ label: t('commands.english') }, { label: t('commands.chinese') }],
      },
      { kind: 'slot', slot: 'notices', label: 'settings.notices.label', hint: 'settings.notices.hint' },
    ],
  },
  tools: {
    title: 'settings.section.tools',
    settings: [
      { kind: 'slot', slot: 'root', ...hinted('settings.root') },
      { kind: 'folder', info: 'modulesDir', ...hinted('settings.modules') },
      { kind: 'number', path: 'mcpMessageMib', ...hinted('settings.mcpMessage'), min: 1, max: 256, unit: 'MiB' },
      {
        kind: 'select',
        path: 'dialect',
        ...hinted('settings.dialect'),
        options: () =>
          optionsOf(['auto', 'standard', 'vcptoolbox', 'vcptoolbox-fuzzy', 'aiohub', 'json'], 'settings.dialects'),
      },
    ],
  },
  calling: {
    title: 'settings.section.calling',
    text: 'settings.section.callingText',
    settings: [
      { kind: 'switch', path: 'toolCallConfig.enabled', ...hinted('settings.field.enabled') },
      {
        kind: 'segments',
        path: 'toolCallConfig.mode',
        ...hinted('settings.field.mode'),
        options: () => optionsOf(['auto', 'manual'], 'settings.field.modes'),
      },
      {
        kind: 'switch',
        path: 'toolCallConfig.requireConfirmation',
        ...hinted('settings.field.requireConfirmation'),
      },
      { kind: 'switch', path: 'toolCallConfig.parallelExecution', ...hinted('settings.field.parallelExecution') },
      {
        kind: 'number',
        path: 'toolCallConfig.timeout',
        ...hinted('settings.field.timeout'),
        min: 1,
        max: 3_600_000,
        unit: 's',
        per: 1_000,
      },
      { kind: 'slot', slot: 'timeouts', ...hinted('settings.field.toolTimeouts') },
      {
        kind: 'number',
        path: 'toolCallConfig.maxIterations',
        ...hinted('settings.field.maxIterations'),
        min: 1,
        max: 100,
      },
      { kind: 'slot', slot: 'protocol', ...hinted('settings.field.protocol') },
      { kind: 'switch', path: 'toolCallConfig.defaultToolEnabled', ...hinted('settings.field.defaultToolEnabled') },
      { kind: 'slot', slot: 'toggles', ...hinted('settings.field.toolToggles') },
    ],
  },
  askFirst: { title: 'settings.askFirst.title', text: 'settings.askFirst.text', settings: [] },
  devices: {
    title: 'settings.section.devices',
    text: 'settings.devices.text',
    settings: [
      { kind: 'switch', path: 'listUserTools', ...hinted('settings.devices.userTools') },
      { kind: 'origins', path: 'deviceOrigins', ...hinted('settings.devices.origins') },
      { kind: 'number', path: 'captureLimitMb', ...hinted('settings.devices.logs'), min: 1, max: 10_000, unit: 'MB' },
      {
        kind: 'slot',
        slot: 'vision',
        ...hinted('settings.devices.vision'),
        words: () => optionsOf(['model', 'hand', 'canned'], 'settings.devices.answers'),
      },
      { kind: 'slot', slot: 'canned', ...hinted('settings.devices.canned') },
    ],
    others: [{ label: 'devices.connect.reach' }, hinted('settings.devices.address'), hinted('settings.devices.port')],
  },
  cluster: { title: 'cluster.title', text: 'cluster.text', settings: [] },
  models: { title: 'models.title', text: 'models.text', words: 'settings.keyWords', settings: [] },
  realtime: {
    title: 'realtime.settings.title',
    text: 'realtime.settings.text',
    words: 'settings.keyWords',
    settings: [],
  },
  history: {
    title: 'saved.limit.title',
    text: 'saved.limit.text',
    settings: [
      { kind: 'number', path: 'historyLimit.calls', label: 'saved.limit.calls', min: 100, max: 1_000_000, step: 1_000 },
      { kind: 'number', path: 'historyLimit.mb', label: 'saved.limit.mb', min: 1, max: 10_000, unit: 'MB' },
    ],
  },
  bin: { title: 'settings.bin.title', text: 'settings.bin.text', settings: [] },
  about: {
    title: 'settings.section.about',
    settings: [
      { kind: 'slot', slot: 'version', label: 'settings.version' },
      { kind: 'slot', slot: 'runsOn', label: 'settings.runsOn' },
      { kind: 'folder', info: 'dataDir', label: 'settings.dataFolder' },
      { kind: 'folder', info: 'logFile', ...hinted('settings.logFile') },
      { kind: 'slot', slot: 'licences', label: 'settings.licences.label', hint: 'settings.licences.hint' },
    ],
  },
} satisfies Record<SectionName, SettingGroup>;

/** The sections in the groups of their list. */
export const sectionGroups: readonly { title?: MessageKey; sections: readonly SectionName[] }[] = [
  { sections: ['window'] },
  { title: 'shell.paneGroups.tools', sections: ['tools', 'calling', 'askFirst'] },
  { title: 'shell.paneGroups.connections', sections: ['devices', 'cluster'] },
  { title: 'shell.paneGroups.models', sections: ['models', 'realtime'] },
  { title: 'settings.data', sections: ['history', 'bin', 'about'] },
];

/** Options labelled by the message keys `group.value`. */
function optionsOf<V extends string, G extends string>(
  values: readonly V[],
  group: `${G}.${V}` extends MessageKey ? G : never,
  icons?: Record<V, Component>,
): Option[] {
  return values.map((value) => ({
    value,
    label: t(`${group}.${value}` as MessageKey),
    ...(icons && { icon: icons[value] }),
  }));
}
