import { watchDebounced } from '@vueuse/core';
import { computed, onScopeDispose, reactive, ref, shallowRef } from 'vue';

import type { CallPage, HistoryFound, HistoryStatus, ToolSourceKind } from '../../../../src-core/contract/types.ts';
import { useClient } from '../../../client/useClient.ts';
import { useTopic } from '../../../client/useTopic.ts';

/** Rows per request. */
const pageSize = 100;
/** ms after the last key before a search is sent. */
const restMs = 120;

/** The search criteria; empty texts are ignored. */
export interface CallFilter {
  text: string;
  tool: string;
  source: ToolSourceKind | '';
  status: HistoryStatus | '';
  /** ms back from now; 0 means any time. */
  within: number;
}

/** Searches the history while the user types, page by page. Further typing cancels the previous search. */
export function useAllCalls() {
  const client = useClient();
  const filter = reactive<CallFilter>({ text: '', tool: '', source: '', status: '', within: 0 });
  const rows = shallowRef<readonly HistoryFound[]>([]);
  /** Of all tools with calls in the history. */
  const names = shallowRef<readonly string[]>([]);
  const next = ref<CallPage['next']>();
  const nodes = ref<CallPage['nodes']>([]);
  const loaded = ref(false);
  const error = ref<string>();
  let running: AbortController | undefined;
  let busy = false;

  async function fetch(before: CallPage['next'], limit = pageSize): Promise<void> {
    running?.abort();
    const turn = new AbortController();
    running = turn;
    busy = true;
    const { text, tool, source, status, within } = filter;
    try {
      const page = await client.calls.search(
        {
          limit,
          ...(text !== '' && { text }),
          ...(tool !== '' && { qualifiedName: tool }),
          ...(source !== '' && { source }),
          ...(status !== '' && { status }),
          ...(within > 0 && { from: Date.now() - within }),
          ...(before !== undefined && { before }),
        },
        { signal: turn.signal },
      );
      if (turn.signal.aborted) return;
      rows.value = before === undefined ? page.rows : [...rows.value, ...page.rows];
      next.value = page.next;
      nodes.value = before === undefined ? page.nodes : later(nodes.value, page.nodes);
      loaded.value = true;
      error.value = undefined;
    } catch (cause) {
      if (!turn.signal.aborted) error.value = cause instanceof Error ? cause.message : String(cause);
    } finally {
      if (running === turn) busy = false;
    }
  }

  async function fetchNames(): Promise<void> {
    try {
      names.value = await client.calls.names();
    } catch (cause) {
      error.value = cause instanceof Error ? cause.message : String(cause);
    }
  }

  /** Adds new calls. Fetches as many rows as are loaded, so that no row disappears under the pointer. */
  function refresh(): void {
    if (busy) return;
    void fetch(undefined, Math.min(500, Math.max(pageSize, rows.value.length)));
  }

  watchDebounced(filter, () => void fetch(undefined), { debounce: restMs });
  useTopic(['history'], refresh);
  void fetch(undefined);
  void fetchNames();
  onScopeDispose(() => running?.abort());
  return {
    filter,
    rows,
    nodes,
    names,
    loaded,
    error,
    hasMore: computed(() => next.value !== undefined),
    /** Fetches the next page if there is one and no page is being fetched. */
    more(): void {
      if (!busy && next.value !== undefined) void fetch(next.value);
    },
  };
}

/** Only the nodes that have more are asked for a later page. */
function later(before: CallPage['nodes'], now: CallPage['nodes']): CallPage['nodes'] {
  return before.map((node) => now.find(({ id }) => id === node.id) ?? node);
}
