import { ref, type Ref } from 'vue';

import { t } from '../../i18n/index.ts';
import { useDevices } from './devicesStore.ts';
import { useToasts } from '../../window/toasts.ts';

/** Starts a virtual device. It appears in the lists of devices and tools automatically, so only a failure is reported. */
export function useAddVirtualDevice(): { adding: Readonly<Ref<boolean>>; add: () => Promise<void> } {
  const devices = useDevices();
  const toasts = useToasts();
  const adding = ref(false);
  return {
    adding,
    async add() {
      if (adding.value) return;
      adding.value = true;
      try {
        await devices.addVirtual();
      } catch (cause) {
        toasts.fail(t('devices.addFailed'), cause);
      } finally {
        adding.value = false;
      }
    },
  };
}
