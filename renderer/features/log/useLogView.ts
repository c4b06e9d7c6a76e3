import { computed, onScopeDispose, ref, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';

import { isShown, type LogFilter } from './logFilter.ts';
import type { FollowedLog } from './useWireRows.ts';
import { placeOf, type LogEntry } from './wireRows.ts';

/** ms of work between two yields to the page: half a frame. */
const sliceMs = 8;

/** Minimum ms between two updates of the list. At 60 frames per second, a frame has 16 ms. */
const restMs = 80;
const manyRows = 5_000;

/** The listed part of a log. */
export interface LogView {
  /** Oldest first; a new array after every change. */
  items: ShallowRef<readonly LogEntry[]>;
  /** A filter is being applied. The previous result is still shown. */
  working: Ref<boolean>;
  /** Number of rows received since the pause. */
  missed: ComputedRef<number>;
}

/** Follows a log through a filter. Only new rows are checked; a new filter checks all rows, in slices. */
export function useLogView(log: FollowedLog, filter: Ref<LogFilter>, paused: Ref<boolean>): LogView {
  const items = shallowRef<readonly LogEntry[]>([]);
  const working = ref(false);
  /** Number of rows that may be listed: those before the pause. */
  const reach = ref(0);
  /** seq of the last checked entry. */
  let done = -1;
  let pass = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const refilter = async (): Promise<void> => {
    const mine = ++pass;
    const { entries } = log.rows.value;
    const upTo = paused.value ? reach.value : entries.length;
    const seen = entries.slice(0, upTo);
    const found: LogEntry[] = [];
    working.value = true;
    const current = filter.value;
    const look = (index: number): void => {
      const entry = seen[index];
      if (entry && isShown(entry, current)) found.push(entry);
    };
    if (!(await inSlices(seen.length, look, () => mine !== pass))) return;
    items.value = found;
    done = seen.at(-1)?.row.seq ?? -1;
    working.value = false;
    if (!paused.value) takeNew();
  };

  const takeNew = (): void => {
    if (paused.value || working.value) return;
    const { entries } = log.rows.value;
    const kept = items.value.slice(placeOf(items.value, entries[0]?.row.seq ?? Infinity));
    addNew(kept, entries.slice(placeOf(entries, done + 1)), filter.value);
    done = entries.at(-1)?.row.seq ?? -1;
    reach.value = entries.length;
    items.value = kept;
  };

  const soon = (): void => {
    if (log.rows.value.entries.length < manyRows) takeNew();
    else
      timer ??= setTimeout(() => {
        timer = undefined;
        takeNew();
      }, restMs);
  };

  watch(log.rows, () => {
    if (log.rows.value.entries.length > 0) soon();
    else {
      done = -1;
      reach.value = 0;
      pass += 1;
      working.value = false;
      items.value = [];
    }
  });
  watch(filter, () => void refilter());
  watch(paused, (on) => {
    log.keep.value = on;
    if (on) reach.value = log.rows.value.entries.length;
    else takeNew();
  });
  onScopeDispose(() => {
    pass += 1;
    clearTimeout(timer);
  });
  takeNew();

  return {
    items,
    working,
    missed: computed(() => (paused.value ? log.rows.value.entries.length - reach.value : 0)),
  };
}

/** Adds what a filter shows of the new entries to `listed`. */
function addNew(listed: LogEntry[], entries: readonly LogEntry[], filter: LogFilter): void {
  const late: LogEntry[] = [];
  for (const entry of entries) {
    if (isShown(entry, filter)) listed.push(entry);
    // A request may match although it did not before, by its answer or by losing it: it is inserted at its position.
    for (const request of entry.ends ?? (entry.request ? [entry.request] : []))
      if (isShown(request, filter)) late.push(request);
  }
  for (const entry of late) {
    const at = placeOf(listed, entry.row.seq);
    if (listed[at] !== entry) listed.splice(at, 0, entry);
  }
}

/**
 * Runs `work` for every index below `count` and yields to the page every few milliseconds. Resolves with false if
 * `isStale` reports that the result is no longer needed.
 */
async function inSlices(count: number, work: (index: number) => void, isStale: () => boolean): Promise<boolean> {
  let until = performance.now() + sliceMs;
  for (let index = 0; index < count; index += 1) {
    work(index);
    if (index % 256 !== 255 || performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve));
    if (isStale()) return false;
    until = performance.now() + sliceMs;
  }
  return !isStale();
}
