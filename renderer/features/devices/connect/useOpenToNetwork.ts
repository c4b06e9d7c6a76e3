import { computed } from 'vue';
import type { ComputedRef } from 'vue';

import { useConnection } from '../../../client/connectionStore.ts';
import { useSettings } from '../../../window/settingsStore.ts';

/** Whether devices of the network can connect: by the setting, or by the address that the workbench was started with. */
export function useOpenToNetwork(): ComputedRef<boolean> {
  const connection = useConnection();
  const settings = useSettings();
  return computed(() => {
    const device = connection.info?.device;
    return device?.isHostFixed === true ? !device.host.startsWith('127.') : settings.current.openToNetwork;
  });
}
