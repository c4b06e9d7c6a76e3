import { Check, CircleDot, Download, Library, Pencil, PlugZap, RefreshCw, Trash2, Unplug } from '@lucide/vue';

import type { DeviceInfo } from '../../../src-core/contract/types.ts';
import type { MenuItem } from '../../ui/Menu.vue';
import { t } from '../../i18n/index.ts';
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
    const attempt = (work: (id: string) => Promise<unknown>) => (): void => {
      work(device.id).catch((cause: unknown) => toasts.fail(t('devices.actionFailed', { name: device.name }), cause));
    };
    const ready: MenuItem[] = [
      {
        label: t('devices.action.showTools'),
        icon: Library,
        run: () => {
          settings.remember('discovery.tool', device.registryId ?? '');
          navigation.open('discovery');
        },
      },
    ];
    const refresh: MenuItem[] = [
      { label: t('devices.action.refresh'), icon: RefreshCw, disabled, run: attempt(devices.refreshTools) },
    ];
    const leave: MenuItem[] = [
      { label: t('devices.action.disconnect'), icon: Unplug, disabled, run: attempt(devices.disconnect) },
    ];
    const plug: MenuItem[] = [
      { label: t('devices.action.pullPlug'), icon: PlugZap, disabled, danger: true, run: attempt(devices.pullPlug) },
    ];
    const press: MenuItem[] = [
      {
        label: t('devices.action.press'),
        hint: t('devices.action.pressHint'),
        icon: CircleDot,
        disabled,
        run: attempt(devices.press),
      },
    ];
    const offered = settings.current.offeredProtocols[device.deviceId] ?? 1;
    const protocols = ([1, 2, 3] as const).map((version): MenuItem => ({
      label: t('devices.action.offer', { version }),
      ...(version === offered && { icon: Check, hint: t('devices.action.offered') }),
      disabled,
      run: () =>
        settings.change({ offeredProtocols: { ...settings.current.offeredProtocols, [device.deviceId]: version } }),
    }));
    const name: MenuItem[] = [{ label: t('common.rename'), icon: Pencil, disabled, run: rename }];
    const forget: MenuItem[] = [
      {
        label: t('devices.action.forget'),
        icon: Trash2,
        disabled,
        danger: true,
        run: attempt((id) => closed.remove('device', id, () => devices.forget(id))),
      },
    ];
    const connected = devices.isConnected(device);
    // A device that names no Device-Id is not known again.
    const isNamed = device.deviceId === device.id;
    return [
      ...(device.state === 'ready' ? ready : []),
      ...(isNamed ? name : []),
      ...(connected && device.ours === true ? press : []),
      ...(connected && device.state !== 'hello' ? refresh : []),
      { label: t('devices.action.export'), icon: Download, disabled, run: () => void save({ deviceId: device.id }) },
      // Virtual devices frame their audio as they were started; a board takes the version that OTA offers it.
      ...(device.virtual || !isNamed ? [] : protocols),
      ...(connected ? leave : []),
      ...(connected && device.ours === true ? plug : []),
      ...(connected || device.state === 'approval' ? [] : forget),
    ];
  };
}
