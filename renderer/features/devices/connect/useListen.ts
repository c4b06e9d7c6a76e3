import type { Ref } from 'vue';

import { useClient } from '../../../client/useClient.ts';
import { useSaving } from '../../../window/useAttempt.ts';

/** Moves the device listener to another port, or tries the same one again. */
export function useListen(): {
  busy: Readonly<Ref<boolean>>;
  /** Why the last try failed. */
  error: Readonly<Ref<string | undefined>>;
  listen: (port: number) => Promise<unknown>;
  /** Another port is being entered. */
  forgetError: () => void;
} {
  const client = useClient();
  const { busy, failed, save } = useSaving();
  return {
    busy,
    error: failed,
    listen: (port) => save(() => client.devices.listen({ port })),
    forgetError: () => (failed.value = undefined),
  };
}
