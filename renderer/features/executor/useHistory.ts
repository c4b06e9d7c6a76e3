import { onScopeDispose, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import type { CallRecord, RecentCall } from '../../../src-core/contract/types.ts';
import { useClient } from '../../client/useClient.ts';
import { useTopic } from '../../client/useTopic.ts';

/** As many as the percentiles are taken from. */
const limit = 50;
/** Rows of the list beside the form; a series is one of them. */
const listed = 10;
/** ms at most between two looks, while calls end all the time. */
const longestRestMs = 1_000;

/** The ended calls of one method, newest first, whoever made them, with the beginnings of their answers. */
export function useHistory(qualifiedName: Ref<string>): {
  calls: ShallowRef<CallRecord[]>;
  /** The last of them, a series as one; undefined until they are here. */
  recent: ShallowRef<RecentCall[] | undefined>;
  error: ShallowRef<string | undefined>;
} {
  const client = useClient();
  const calls = shallowRef<CallRecord[]>([]);
  const recent = shallowRef<RecentCall[]>();
  const error = shallowRef<string>();
  let wanted = false;
  let busy = false;
  let closed = false;

  /** One look at a time; after each it rests four times as long, so that a series is not slowed by being looked at. */
  async function fetch(): Promise<void> {
    wanted = true;
    if (busy) return;
    busy = true;
    while (wanted && !closed) {
      wanted = false;
      const startedAt = performance.now();
      await look(qualifiedName.value);
      const restMs = Math.min(longestRestMs, 4 * (performance.now() - startedAt));
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    busy = false;
  }

  async function look(name: string): Promise<void> {
    try {
      const [found, rows] =
        name === ''
          ? [[], []]
          : await Promise.all([
              client.calls.history({ limit, qualifiedName: name }),
              client.calls.recent({ limit: listed, qualifiedName: name }),
            ]);
      // Another tool is in front by now: its own look follows.
      if (name !== qualifiedName.value) return;
      calls.value = found.filter((call) => call.result !== undefined);
      recent.value = rows;
      error.value = undefined;
    } catch (cause) {
      if (name === qualifiedName.value) error.value = cause instanceof Error ? cause.message : String(cause);
    }
  }

  watch(qualifiedName, () => {
    calls.value = [];
    recent.value = undefined;
    void fetch();
  });
  useTopic(['history'], () => void fetch());
  void fetch();
  onScopeDispose(() => (closed = true));
  return { calls, recent, error };
}
