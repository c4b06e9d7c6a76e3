import { shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import type { Frame } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { useLate } from '../../ui/composables/useLate.ts';
import { followFrames } from './followFrames.ts';

/** What went over the wire for one call, oldest first; follows the call while it runs. */
export function useCallFrames(callId: Ref<string | undefined>): {
  frames: ShallowRef<readonly Frame[]>;
  /** The frames, or the error, are those of this call. */
  loaded: ShallowRef<boolean>;
  error: ShallowRef<string | undefined>;
} {
  const connection = injectConnection();
  const { client } = connection;
  const frames = shallowRef<readonly Frame[]>([]);
  const loaded = shallowRef(false);
  const error = shallowRef<string>();

  async function read(id: string, signal: AbortSignal): Promise<true> {
    const found = await client.frames
      .ofCall({ callId: id }, { signal })
      .catch((cause: unknown) => (cause instanceof Error ? cause.message : String(cause)));
    if (signal.aborted) return true;
    frames.value = typeof found === 'string' ? [] : found;
    error.value = typeof found === 'string' ? found : undefined;
    loaded.value = true;
    return true;
  }

  // Those of the last call stay until others come.
  const clear = (): void => void (frames.value = []);
  const isLate = useLate(() => !loaded.value);
  watch(isLate, (late) => late && clear());
  watch(
    callId,
    (id, _before, onCleanup) => {
      error.value = undefined;
      loaded.value = id === undefined;
      if (id === undefined) return clear();
      const reading = new AbortController();
      onCleanup(() => reading.abort());
      const { signal } = reading;
      void followFrames({
        connection,
        open: (options) => client.frames.follow({ source: 'device', callId: id }, options),
        take: ({ more }) => more || read(id, signal),
        onError: () => void read(id, signal),
        signal,
      });
    },
    { immediate: true },
  );
  return { frames, loaded, error };
}
