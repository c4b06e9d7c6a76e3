import { Check, CircleDot, Upload, Library, Pencil, PlugZap, Power, RefreshCw, Trash2, Unplug } from '@lucide/vue';

import type { Component } from 'vue';

import type { DeviceInfo } from '../../../src-core/contract/types.ts';
import type { MenuItem } from '../../ui/Menu.vue';
import { t } from '../../i18n/index.ts';
import { failedTitle } from '../../window/failedTitle.ts';
import { useConnection } from '../../client/connectionStore.ts';
import { useClosed } from '../trash/closedStore.ts';
import { useDevices } from './devicesStore.ts';
import { useNavigation } from '../../window/navigation.ts';
import { useSettings } from '../../window/settingsStore.ts';
import { useToasts } from '../../window/toasts.ts';
import { useExport } from '../captures/useExport.ts';

/** What can be done with a device in its state. A failure is said with the engine's reason. `rename` asks for its name. */
export function useDeviceActions(rename: () => void): (device: DeviceInfo) => MenuItem[] {
  const devices = useDevices();
  const navigation = useNavigation();
  const settings = useSettings();
  const toasts = useToasts();
  const closed = useClosed();
  const connection = useConnection();
  const { save } = useExport();

  return (device) => {
    const disabled = !connection.connected;
    const ready: MenuItem = {
      label: t('devices.action.showTools'),
      icon: Library,
      run: () => {
        settings.remember('discovery.tool', device.registryId ?? '');
        navigation.open('discovery');
      },
    };
    const act = (label: string, icon: Component, work: (id: string) => Promise<unknown>): MenuItem => ({
      label,
      icon,
      disabled,
      run: () => void work(device.id).catch((cause: unknown) => toasts.fail(failedTitle(label, device.name), cause)),
    });
    const refresh = act(t('devices.action.refresh'), RefreshCw, devices.refreshTools);
    const leave = act(t('devices.action.disconnect'), Unplug, devices.disconnect);
    const plug = { ...act(t('devices.action.pullPlug'), PlugZap, devices.pullPlug), danger: true };
    const press = {
      ...act(t('devices.action.press'), CircleDot, devices.press),
      hint: t('devices.action.pressHint'),
    };
    const offered = settings.current.offeredProtocols[device.deviceId] ?? 1;
    const protocols = ([1, 2, 3] as const).map((version): MenuItem => ({
      label: t('devices.action.offer', { version }),
      ...(version === offered && { icon: Check, hint: t('devices.action.offered') }),
      disabled,
      run: () =>
        settings.change({ offeredProtocols: { ...settings.current.offeredProtocols, [device.deviceId]: version } }),
    }));
    const name: MenuItem = { label: t('common.rename'), icon: Pencil, disabled, run: rename };
    const forget = (id: string): Promise<unknown> => closed.remove('device', id, () => devices.forget(id));
    const connected = devices.isConnected(device);
    // A device that names no Device-Id is not known again.
    const isNamed = device.deviceId === device.id;
    const isOurs = connected && device.ours === true;
    const powerOn = act(t('devices.action.powerOn'), Power, devices.press);
    return [
      ...(device.state === 'ready' ? [ready] : []),
      ...(isNamed ? [name] : []),
      ...(isOurs ? [press] : []),
      ...(!connected && device.ours === true ? [powerOn] : []),
      ...(connected && device.state !== 'hello' ? [refresh] : []),
      { label: t('devices.action.export'), icon: Upload, disabled, run: () => void save({ deviceId: device.id }) },
      // Virtual devices frame their audio as they were started; a board takes the version that OTA offers it.
      ...(device.virtual || !isNamed ? [] : protocols),
      ...(connected ? [leave] : []),
      ...(isOurs ? [plug] : []),
      ...(connected || device.state === 'approval'
        ? []
        : [{ ...act(t('devices.action.forget'), Trash2, forget), danger: true }]),
    ];
  };
}
