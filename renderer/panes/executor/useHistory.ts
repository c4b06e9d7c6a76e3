import { shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import type { CallRecord } from '../../../src-core/api/types.ts';
import { useClient } from '../../composables/useClient.ts';
import { useTopic } from '../../composables/useTopic.ts';

/** As many as the percentiles are taken from. */
const limit = 50;

/** The ended calls of one method, newest first, whoever made them. */
export function useHistory(qualifiedName: Ref<string>): {
  calls: ShallowRef<CallRecord[]>;
  error: ShallowRef<string | undefined>;
} {
  const client = useClient();
  const calls = shallowRef<CallRecord[]>([]);
  const error = shallowRef<string>();
  let asked = 0;

  async function fetch(): Promise<void> {
    const name = qualifiedName.value;
    const turn = ++asked;
    try {
      const found = name === '' ? [] : await client.calls.history({ limit, qualifiedName: name });
      if (turn !== asked) return;
      calls.value = found.filter((call) => call.result !== undefined);
      error.value = undefined;
    } catch (cause) {
      if (turn === asked) error.value = cause instanceof Error ? cause.message : String(cause);
    }
  }

  watch(qualifiedName, () => {
    calls.value = [];
    void fetch();
  });
  useTopic(['calls'], () => void fetch());
  void fetch();
  return { calls, error };
}
