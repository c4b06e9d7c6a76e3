import { CircleDot, Download, Library, PlugZap, RefreshCw, Trash2, Unplug } from '@lucide/vue';

import type { DeviceInfo } from '../../../src-core/api/types.ts';
import type { MenuItem } from '../../components/Menu.vue';
import { t } from '../../i18n/index.ts';
import { useClosed } from '../../stores/closed.ts';
import { useDevices } from '../../stores/devices.ts';
import { useNavigation } from '../../stores/navigation.ts';
import { useSettings } from '../../stores/settings.ts';
import { useToasts } from '../../stores/toasts.ts';
import { useExport } from './captures/useExport.ts';

/** What can be done with a device in its state. A failure is said with the engine's reason. */
export function useDeviceActions(): (device: DeviceInfo) => MenuItem[] {
  const devices = useDevices();
  const navigation = useNavigation();
  const settings = useSettings();
  const toasts = useToasts();
  const closed = useClosed();
  const { save } = useExport();

  return (device) => {
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
      { label: t('devices.action.refresh'), icon: RefreshCw, run: attempt(devices.refreshTools) },
    ];
    const leave: MenuItem[] = [
      { label: t('devices.action.disconnect'), icon: Unplug, run: attempt(devices.disconnect) },
    ];
    const plug: MenuItem[] = [
      { label: t('devices.action.pullPlug'), icon: PlugZap, danger: true, run: attempt(devices.pullPlug) },
    ];
    const press: MenuItem[] = [
      {
        label: t('devices.action.press'),
        hint: t('devices.action.pressHint'),
        icon: CircleDot,
        run: attempt(devices.press),
      },
    ];
    const forget: MenuItem[] = [
      {
        ...{ label: t('devices.action.forget'), icon: Trash2, danger: true },
        run: attempt((id) => closed.remove('device', id, () => devices.forget(id))),
      },
    ];
    const connected = devices.isConnected(device);
    return [
      ...(device.state === 'ready' ? ready : []),
      ...(connected && device.virtual ? press : []),
      ...(connected && device.state !== 'hello' ? refresh : []),
      { label: t('devices.action.export'), icon: Download, run: () => void save({ deviceId: device.id }) },
      ...(connected ? leave : []),
      ...(connected && device.virtual ? plug : []),
      ...(connected || device.state === 'approval' ? [] : forget),
    ];
  };
}
