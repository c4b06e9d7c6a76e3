import { ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import type { WireFrame } from '../../../src-core/api/types.ts';
import { useClient } from '../../composables/useClient.ts';
import { useTopic } from '../../composables/useTopic.ts';
import { useDevices } from '../../stores/devices.ts';

/** Frames kept in the window for one device. */
export const mostFrames = 5_000;

/** The frames of a device, followed while it is chosen: only what is new is fetched. */
export function useDeviceFrames(id: Ref<string | undefined>): {
  frames: ShallowRef<WireFrame[]>;
  loaded: Ref<boolean>;
  error: Ref<string | undefined>;
} {
  const client = useClient();
  const devices = useDevices();
  const frames = shallowRef<WireFrame[]>([]);
  const loaded = ref(false);
  const error = ref<string>();
  let fetching = false;
  let again = false;

  const fetchNew = async (): Promise<void> => {
    if (fetching) {
      again = true;
      return;
    }
    fetching = true;
    do {
      again = false;
      const device = id.value;
      if (device === undefined) break;
      try {
        const afterSeq = frames.value.at(-1)?.seq;
        const fresh = await client.devices.frames({
          id: device,
          limit: mostFrames,
          ...(afterSeq === undefined ? {} : { afterSeq }),
        });
        if (id.value !== device) again = true;
        else {
          if (fresh.length > 0) frames.value = [...frames.value, ...fresh].slice(-mostFrames);
          loaded.value = true;
          error.value = undefined;
        }
      } catch (cause) {
        error.value = cause instanceof Error ? cause.message : String(cause);
      }
    } while (again);
    fetching = false;
  };

  watch(
    id,
    () => {
      frames.value = [];
      loaded.value = false;
      void fetchNew();
    },
    { immediate: true },
  );
  // After the list, which says whether the device is still there to be asked about.
  watch(
    () => devices.list,
    () => void fetchNew(),
  );
  useTopic(['calls'], () => void fetchNew());
  return { frames, loaded, error };
}
