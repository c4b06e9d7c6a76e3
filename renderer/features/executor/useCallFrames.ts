import { useThrottleFn } from '@vueuse/core';
import { shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import type { WireFrame } from '../../../src-core/contract/types.ts';
import { useClient } from '../../client/useClient.ts';
import { useTopic } from '../../client/useTopic.ts';

/** What went over the wire for one call, oldest first; follows the call while it runs. */
export function useCallFrames(callId: Ref<string | undefined>): {
  frames: ShallowRef<readonly WireFrame[]>;
  /** The frames, or the error, are those of this call. */
  loaded: ShallowRef<boolean>;
  error: ShallowRef<string | undefined>;
} {
  const client = useClient();
  const frames = shallowRef<readonly WireFrame[]>([]);
  const loaded = shallowRef(false);
  const error = shallowRef<string>();
  let asked = 0;

  async function fetch(): Promise<void> {
    const id = callId.value;
    const turn = ++asked;
    try {
      const found = id === undefined ? [] : await client.devices.callFrames({ callId: id });
      if (turn !== asked) return;
      frames.value = found;
      error.value = undefined;
    } catch (cause) {
      if (turn === asked) error.value = cause instanceof Error ? cause.message : String(cause);
    }
    if (turn === asked) loaded.value = true;
  }

  watch(callId, () => {
    frames.value = [];
    error.value = undefined;
    loaded.value = false;
    void fetch();
  });
  useTopic(['calls'], () => void fetch());
  // Other devices write to the log all the time.
  const fetchNow = useThrottleFn(() => void fetch(), 250, true);
  useTopic(['log'], () => void fetchNow());
  void fetch();
  return { frames, loaded, error };
}
