import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';

import type { JsonValue } from '../../src-core/contract/types.ts';
import { useRemembered } from './useRemembered.ts';

/** Every pane there is. A new room is a word here and an entry in `app/panes.ts`. */
const paneIds = ['discovery', 'executor', 'parser', 'devices', 'gateway', 'chat', 'realtime', 'settings'] as const;
export type PaneId = (typeof paneIds)[number];

/** The panes that are seen, from left to right: one, or two in a split window. */
type Halves = readonly [PaneId] | readonly [PaneId, PaneId];

/** Whether a word names a pane. */
export const isPane = (value: JsonValue): value is PaneId => paneIds.some((id) => id === value);
const areTwo = (value: JsonValue): value is PaneId[] =>
  Array.isArray(value) && value.length <= 2 && value.every(isPane);

/**
 * Which panes are seen and which of them is in front (both remembered), and which overlay is open. A pane stands in one
 * half only, for its state is one: what opens a pane that stands in the other half goes to that half.
 */
export const useNavigation = defineStore('navigation', () => {
  const pane = useRemembered<PaneId>('pane', 'discovery', isPane);
  /** The two halves; empty where the window is whole. */
  const pair = useRemembered<PaneId[]>('halves', [], areTwo);
  const halves = computed<Halves>(() => {
    const [left, right] = pair.value;
    if (left === undefined || right === undefined || left === right) return [pane.value];
    return left === pane.value || right === pane.value ? [left, right] : [pane.value];
  });
  const beside = computed(() => halves.value.find((id) => id !== pane.value));
  const overlay = shallowRef<'palette' | 'shortcuts' | null>(null);
  /** What was last to be seen and is not now: what a split without a choice shows. */
  const before = shallowRef<PaneId>();

  function show(now: Halves, front: PaneId): void {
    overlay.value = null;
    before.value = halves.value.findLast((id) => !now.includes(id)) ?? before.value;
    pane.value = front;
    pair.value = now.length === 2 ? [...now] : [];
  }

  /** Shows a pane in the half that is in front, or goes to the half where it stands. */
  function open(id: PaneId): void {
    const [left, right] = halves.value;
    if (right === undefined) show([id], id);
    else if (id === left || id === right) show([left, right], id);
    else show(left === pane.value ? [id, right] : [left, id], id);
  }

  return {
    pane,
    beside,
    halves,
    overlay,
    show,
    open,
    /** Opens a pane in the other half, which comes to the front. Without a choice it is the one that was seen before. */
    openBeside(id?: PaneId): void {
      const [left, right] = halves.value;
      const fallback = pane.value === 'executor' ? 'devices' : 'executor';
      const wanted = id ?? (before.value === undefined || before.value === pane.value ? fallback : before.value);
      if (halves.value.includes(wanted)) open(wanted);
      else show(right === pane.value ? [wanted, right] : [left, wanted], wanted);
    },
    /** Leaves the window to the other half. */
    closeHalf(id: PaneId): void {
      const rest = halves.value.find((half) => half !== id);
      if (rest !== undefined) show([rest], rest);
    },
  };
});
