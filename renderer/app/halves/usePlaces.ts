import { computed, type ComputedRef } from 'vue';

import type { PaneId } from '../../window/navigation.ts';

/** A place that a pane stands in, by a key that stays. */
export interface Place {
  key: number;
  pane: PaneId;
}

/**
 * Gives every pane that is seen a place from left to right. A pane that stays keeps its place, so that its elements need
 * not move; a new one takes the place that the pane before it left.
 */
export function usePlaces(seen: () => readonly PaneId[]): ComputedRef<Place[]> {
  let nextKey = 0;
  return computed<Place[]>((before = []) => {
    const now = seen();
    const free = before.filter(({ pane }) => !now.includes(pane));
    return now.map((pane) => {
      const kept = before.find((place) => place.pane === pane);
      return kept ?? { key: free.shift()?.key ?? nextKey++, pane };
    });
  });
}
