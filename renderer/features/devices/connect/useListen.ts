import { ref, type Ref } from 'vue';

import { useClient } from '../../../client/useClient.ts';

/** Moves the device listener to another port, or tries the same one again. */
export function useListen(): {
  busy: Readonly<Ref<boolean>>;
  /** Why the last try failed. */
  error: Readonly<Ref<string | undefined>>;
  listen: (port: number) => Promise<void>;
} {
  const client = useClient();
  const busy = ref(false);
  const error = ref<string>();
  return {
    busy,
    error,
    async listen(port) {
      busy.value = true;
      error.value = undefined;
      try {
        await client.devices.listen({ port });
      } catch (cause) {
        error.value = cause instanceof Error ? cause.message : String(cause);
      } finally {
        busy.value = false;
      }
    },
  };
}
