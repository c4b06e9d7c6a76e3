import { onScopeDispose, shallowRef, watch, type ShallowRef } from 'vue';

import { useServers } from '../serversStore.ts';
import { useClient } from '../../../client/useClient.ts';

/** What a server offers or was set to, fetched now and each time the server changes. */
export function useOfServer<T>(
  id: string,
  fetch: (client: ReturnType<typeof useClient>['servers'], id: string) => Promise<T>,
): { data: ShallowRef<T | undefined>; error: ShallowRef<string | undefined>; refresh: () => Promise<void> } {
  const { servers } = useClient();
  const store = useServers();
  const data = shallowRef<T>();
  const error = shallowRef<string>();
  let turn = 0;
  onScopeDispose(() => (turn = -1));

  async function refresh(): Promise<void> {
    const mine = ++turn;
    try {
      const now = await fetch(servers, id);
      if (mine === turn) [data.value, error.value] = [now, undefined];
    } catch (cause) {
      if (mine === turn) error.value = cause instanceof Error ? cause.message : String(cause);
    }
  }
  // Each answer of the engine is a new list.
  watch(
    () => store.list,
    () => void refresh(),
    { immediate: true },
  );
  return { data, error, refresh };
}
