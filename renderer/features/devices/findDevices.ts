import { Cpu } from '@lucide/vue';
import type { Component } from 'vue';

import type { DeviceInfo } from '../../../src-core/contract/types.ts';
import { t } from '../../i18n/index.ts';
import { foldText, hasWords } from '../../ui/search/matchWords.ts';
import type { SearchTexts } from '../../ui/search/rankMatches.ts';
import { useNavigation } from '../../window/navigation.ts';
import { useSettings } from '../../window/settingsStore.ts';
import { deviceHealth } from './deviceHealth.ts';
import { useDevices } from './devicesStore.ts';

/** A line of the palette. */
interface DeviceEntry {
  key: string;
  label: string;
  icon: Component;
  hint: string;
  run: () => void;
}

/** Shorter words are in the ids of most devices: they are looked for in names only. */
const idPartLength = 3;

/** What the palette searches of the devices, also those that left, and the line of each, which shows the device in its pane. */
export function useDeviceEntries() {
  const devices = useDevices();
  const navigation = useNavigation();
  const settings = useSettings();
  const isTwin = ({ id, name }: DeviceInfo): boolean =>
    devices.list.some((other) => other.id !== id && other.name === name);
  return (words: readonly string[]) => ({
    /** None before the first word. */
    list: words.length === 0 ? [] : devices.list,
    limit: 5,
    texts({ name, deviceId, lastRegistryId = '', registryId = lastRegistryId }: DeviceInfo): SearchTexts {
      const isId = words.every((word) => word.length >= idPartLength || hasWords(name, [word]));
      return { names: [foldText(name)], about: isId ? foldText(`${deviceId} ${registryId}`) : '' };
    },
    entry(device: DeviceInfo): DeviceEntry {
      const id = isTwin(device) || !hasWords(device.name, words) ? [device.deviceId] : [];
      return {
        key: `device:${device.id}`,
        label: device.name,
        icon: Cpu,
        hint: [t('devices.title'), deviceHealth(device).text, ...id].join(' · '),
        run: () => {
          settings.remember('devices.chosen', `device:${device.id}`);
          navigation.open('devices');
        },
      };
    },
  });
}
