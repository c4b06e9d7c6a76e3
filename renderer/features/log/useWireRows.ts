import {
  nextTick,
  onActivated,
  onDeactivated,
  onScopeDispose,
  ref,
  shallowRef,
  triggerRef,
  type Ref,
  type ShallowRef,
} from 'vue';

import type { FrameBatch } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { followFrames } from './followFrames.ts';
import type { LogSource } from './logSource.ts';
import { WireRows } from './wireRows.ts';

/** A log followed as it grows. */
export interface FollowedLog {
  /** Always the same object; triggered when rows were added or removed. */
  rows: ShallowRef<WireRows>;
  /** False until the first rows. */
  loaded: Ref<boolean>;
  error: Ref<string | undefined>;
  /** Set while rows that the engine has dropped are kept all the same. */
  keep: Ref<boolean>;
}

/** Follows one log for as long as the component lives; another log is another component. */
export function useWireRows(source: LogSource): FollowedLog {
  const connection = injectConnection();
  const rows = shallowRef(new WireRows());
  const loaded = ref(false);
  const error = ref<string>();
  const keep = ref(false);
  let lastSeq = -1;
  let firstSeq = -1;
  let reading: AbortController | undefined;

  /** False if frames before the first one were restored: the log is to be read again. */
  async function take(batch: FrameBatch): Promise<boolean> {
    if (batch.firstSeq < firstSeq) {
      rows.value.clear();
      lastSeq = -1;
      firstSeq = -1;
      triggerRef(rows);
      // The views forget the old rows before they see the restored ones.
      await nextTick();
      return false;
    }
    ({ firstSeq } = batch);
    lastSeq = batch.rows.at(-1)?.seq ?? lastSeq;
    rows.value.add(batch.rows.flatMap((row) => source.layOut(row) ?? []));
    // An empty log was emptied by somebody: then nothing is kept, not even over a pause.
    if (batch.firstSeq > batch.lastSeq) rows.value.clear();
    else if (!keep.value) rows.value.dropBefore(batch.firstSeq);
    loaded.value = true;
    error.value = undefined;
    triggerRef(rows);
    return true;
  }

  const start = (): void => {
    if (reading !== undefined) return;
    reading = new AbortController();
    void followFrames({
      connection,
      open: (options) => source.follow(lastSeq < 0 ? {} : { afterSeq: lastSeq }, options),
      take,
      onError: (message) => (error.value = message),
      signal: reading.signal,
    });
  };
  const stop = (): void => {
    reading?.abort();
    reading = undefined;
  };
  // Rows that are recorded while another pane is in front are read on the return.
  onDeactivated(stop);
  onActivated(start);
  onScopeDispose(stop);
  start();
  return { rows, loaded, error, keep };
}
