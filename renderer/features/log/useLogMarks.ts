import { computed, ref, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';

import type { FollowedLog } from './useWireRows.ts';
import type { LogEntry } from './wireRows.ts';

/** What a person marked in a log: the chosen row, pinned rows, pairs that are laid out. */
export interface LogMarks {
  /** seq. */
  selected: Ref<number | null>;
  pinned: ShallowRef<readonly LogEntry[]>;
  /** seq of the pinned rows. */
  pins: ComputedRef<ReadonlySet<number>>;
  /** seq of the requests whose answer is a row of its own. */
  unfolded: ShallowRef<ReadonlySet<number>>;
  togglePin(entry: LogEntry): void;
  toggleFold(entry: LogEntry): void;
}

export function useLogMarks(log: FollowedLog): LogMarks {
  const selected = ref<number | null>(null);
  const pinned = shallowRef<readonly LogEntry[]>([]);
  const unfolded = shallowRef<ReadonlySet<number>>(new Set());

  // They are of rows that are gone once the log was emptied.
  watch(log.rows, ({ entries }) => {
    if (entries.length > 0) return;
    pinned.value = [];
    selected.value = null;
  });

  return {
    selected,
    pinned,
    pins: computed(() => new Set(pinned.value.map((entry) => entry.row.seq))),
    unfolded,
    togglePin(entry) {
      const rest = pinned.value.filter((other) => other.row.seq !== entry.row.seq);
      if (rest.length < pinned.value.length) pinned.value = rest;
      else pinned.value = [...rest, entry].sort((a, b) => a.row.seq - b.row.seq);
    },
    toggleFold(entry) {
      if (!entry.answer) return;
      const next = new Set(unfolded.value);
      if (!next.delete(entry.row.seq)) next.add(entry.row.seq);
      unfolded.value = next;
    },
  };
}
