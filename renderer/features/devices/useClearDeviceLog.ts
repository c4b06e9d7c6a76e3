import type { DeviceInfo } from '../../../src-core/contract/types.ts';
import { useClient } from '../../client/useClient.ts';
import { t } from '../../i18n/index.ts';
import { failedTitle } from '../../window/failedTitle.ts';
import { useClosed } from '../trash/closedStore.ts';
import { useToasts } from '../../window/toasts.ts';

/** Empties a device's log; it can be restored. */
export function useClearDeviceLog(): (device: Pick<DeviceInfo, 'id' | 'name'>) => Promise<void> {
  const client = useClient();
  const closed = useClosed();
  const toasts = useToasts();
  return ({ id, name }) =>
    closed
      .remove('log', id, () => client.frames.clear({ source: 'device', connection: id }))
      .catch((cause: unknown) => toasts.fail(failedTitle(t('devices.log.clear'), name), cause));
}
