import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import type { JsonValue } from '../../src-core/contract/types.ts';
import { useRemembered } from './useRemembered.ts';

/** All panes. A new pane needs an id here and an entry in `app/panes.ts`. */
const paneIds = [
  ...(['discovery', 'executor', 'parser', 'devices', 'servers'] as const),
  ...(['gateway', 'hosts', 'chat', 'realtime', 'settings'] as const),
];
export type PaneId = (typeof paneIds)[number];

/** The visible panes, from left to right: one, or two in a split window. */
type Halves = readonly [PaneId] | readonly [PaneId, PaneId];

/** Whether a value is the id of a pane. */
export const isPane = (value: JsonValue): value is PaneId => paneIds.some((id) => id === value);
const areTwo = (value: JsonValue): value is PaneId[] =>
  Array.isArray(value) && value.length <= 2 && value.every(isPane);

/**
 * The visible panes, the one in front (both remembered), and the open overlay. A pane is shown in only one half,
 * because it has a single state: opening a pane that is shown in the other half brings that half to the front.
 */
export const useNavigation = defineStore('navigation', () => {
  const pane = useRemembered<PaneId>('pane', 'discovery', isPane);
  /** The two halves; empty if the window is not split. */
  const pair = useRemembered<PaneId[]>('halves', [], areTwo);
  const halves = computed<Halves>(() => {
    const [left, right] = pair.value;
    if (left === undefined || right === undefined || left === right) return [pane.value];
    return left === pane.value || right === pane.value ? [left, right] : [pane.value];
  });
  const beside = computed(() => halves.value.find((id) => id !== pane.value));
  const overlay = shallowRef<'palette' | 'shortcuts' | null>(null);
  /** Counted up by what wants the pane in front to take the focus. */
  const focusWanted = ref(0);
  /** The last visible pane that is hidden now. A split without a choice shows it. */
  const before = shallowRef<PaneId>();

  function show(now: Halves, front: PaneId): void {
    overlay.value = null;
    before.value = halves.value.findLast((id) => !now.includes(id)) ?? before.value;
    pane.value = front;
    pair.value = now.length === 2 ? [...now] : [];
  }

  /** Shows a pane in the front half, or switches to the half that already shows it. */
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
    focusWanted,
    show,
    open,
    /** Opens a pane in the other half and brings that to the front. The default is the previously visible pane. */
    openBeside(id?: PaneId): void {
      const [left, right] = halves.value;
      const fallback = pane.value === 'executor' ? 'devices' : 'executor';
      const wanted = id ?? (before.value === undefined || before.value === pane.value ? fallback : before.value);
      if (halves.value.includes(wanted)) open(wanted);
      else show(right === pane.value ? [wanted, right] : [left, wanted], wanted);
    },
    /** Closes a half. The other one fills the window. */
    closeHalf(id: PaneId): void {
      const rest = halves.value.find((half) => half !== id);
      if (rest !== undefined) show([rest], rest);
    },
  };
});
