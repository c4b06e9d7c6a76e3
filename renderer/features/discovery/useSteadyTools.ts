import { onActivated, shallowRef, watch, type ShallowRef, type WatchSource } from 'vue';

import type { ToolView } from '../../../src-core/contract/types.ts';

const mostGone = 24;

/**
 * The tools that left since the person last asked for a list: they stay in their place, marked, so that nothing moves
 * under the eyes. A new search, filter or order, or coming back to the pane, is a new list.
 */
export function useSteadyTools(list: WatchSource<readonly ToolView[]>, asked: WatchSource[]): ShallowRef<ToolView[]> {
  const gone = shallowRef<ToolView[]>([]);
  watch(list, (now, before) => {
    const present = new Set(now.map((tool) => tool.id));
    const known = [...gone.value, ...before].filter((tool) => !present.has(tool.id));
    gone.value = [...new Map(known.map((tool) => [tool.id, tool])).values()].slice(-mostGone);
  });
  const forget = (): void => {
    gone.value = [];
  };
  watch(asked, forget);
  onActivated(forget);
  return gone;
}
