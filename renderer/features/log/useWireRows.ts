import {
  onActivated,
  onDeactivated,
  onScopeDispose,
  ref,
  shallowRef,
  triggerRef,
  type Ref,
  type ShallowRef,
} from 'vue';

import { useTopic } from '../../client/useTopic.ts';
import type { LogSource } from './logSource.ts';
import { WireRows } from './wireRows.ts';

/** Rows a request brings: some 200 kB, read in a few milliseconds. */
const pageRows = 1_000;

/** A log followed as it grows: only what is new is fetched, page by page. */
export interface FollowedLog {
  /** Always the same object; triggered when rows came or went. */
  rows: ShallowRef<WireRows>;
  /** False until the first page. */
  loaded: Ref<boolean>;
  /** More pages are on their way. */
  filling: Ref<boolean>;
  error: Ref<string | undefined>;
  jsonRpc: boolean;
  /** Set while rows that the engine has dropped are kept all the same. */
  keep: Ref<boolean>;
}

/** Follows one log for as long as the component lives; another log is another component. */
export function useWireRows(source: LogSource): FollowedLog {
  const rows = shallowRef(new WireRows());
  const loaded = ref(false);
  const filling = ref(false);
  const error = ref<string>();
  const keep = ref(false);
  let running = false;
  let again = false;
  let ended = false;
  let inFront = true;
  let firstSeq = Infinity;

  const takePage = async (): Promise<void> => {
    const afterSeq = rows.value.lastSeq;
    const page = await source.page({ limit: pageRows, ...(afterSeq >= 0 && { afterSeq }) });
    if (ended) return;
    // A cleared log was restored: its frames come before those that are shown.
    if (page.firstSeq < firstSeq && afterSeq >= 0) {
      rows.value.clear();
      again = true;
    } else rows.value.add(page.rows);
    firstSeq = page.firstSeq;
    // An empty log was emptied by somebody: then nothing is kept, not even over a pause.
    if (page.firstSeq > page.lastSeq) rows.value.clear();
    else if (!keep.value) rows.value.dropBefore(page.firstSeq);
    if (page.rows.length === pageRows) again = true;
    loaded.value = true;
    error.value = undefined;
    triggerRef(rows);
  };

  const fetchNew = async (): Promise<void> => {
    again = true;
    if (running || !inFront) return;
    running = true;
    while (again && !ended) {
      again = false;
      try {
        await takePage();
      } catch (cause) {
        error.value = cause instanceof Error ? cause.message : String(cause);
      }
      filling.value = again;
    }
    running = false;
  };

  useTopic([source.topic], () => void fetchNew());
  // Rows that arrive while another pane is in front are fetched on the return.
  onDeactivated(() => (inFront = false));
  onActivated(() => {
    if (inFront) return;
    inFront = true;
    void fetchNew();
  });
  onScopeDispose(() => (ended = true));
  void fetchNew();
  return { rows, loaded, filling, error, jsonRpc: source.jsonRpc, keep };
}
