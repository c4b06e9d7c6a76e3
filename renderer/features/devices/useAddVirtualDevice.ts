import { ref, type Ref } from 'vue';

import { t } from '../../i18n/index.ts';
import { useDevices } from './devicesStore.ts';
import { useToasts } from '../../window/toasts.ts';

/** Starts a virtual device. It shows up by itself where devices and tools are listed; only a failure needs words. */
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
