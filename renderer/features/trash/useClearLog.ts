import type { DeviceInfo } from '../../../src-core/contract/types.ts';
import { useClient } from '../../client/useClient.ts';
import { t } from '../../i18n/index.ts';
import { failedTitle } from '../../window/failedTitle.ts';
import { useClosed } from './closedStore.ts';
import { useToasts } from '../../window/toasts.ts';

/** Empties the log of a device, or else that of the gateway's clients; it can be restored. */
export function useClearLog(): (device?: Pick<DeviceInfo, 'id' | 'name'>) => Promise<void> {
  const { frames } = useClient();
  const { remove } = useClosed();
  const toasts = useToasts();
  return (device) =>
    (device === undefined
      ? remove('gatewayLog', 'gateway', () => frames.clear({ source: 'gateway' }))
      : remove('log', device.id, () => frames.clear({ source: 'device', connection: device.id }))
    ).catch((cause: unknown) => toasts.fail(failedTitle(t('devices.log.clear'), device?.name), cause));
}
