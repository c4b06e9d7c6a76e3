import { ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import type { JsonValue } from '../../../src-core/contract/types.ts';
import { useSettings } from '../../window/settingsStore.ts';

const key = 'executor.tabs';
const maxTabs = 12;

interface Tabs {
  /** Qualified names of tools; each has one tab. */
  list: ShallowRef<readonly string[]>;
  /** The tab that the next tool takes over, because nothing was done in it. */
  passing: Ref<string>;
  /** Adds a tab beside `front`, or in its place. Of too many, the first that `mayClose` closes, or else the oldest. */
  add: (tool: string, options: { front: string; replaces: boolean; mayClose: (tool: string) => boolean }) => void;
  /** Closes a tab. Returns the tool of the tab that takes its place, empty if there is none. */
  close: (tool: string) => string;
  /** The tool of the next or the previous tab. */
  beside: (tool: string, step: 1 | -1) => string;
}

/** The tabs of the Executor. The window keeps them across a reload. */
export function useExecutorTabs(): Tabs {
  const settings = useSettings();
  const list = shallowRef<readonly string[]>([]);
  const passing = ref('');
  watch(
    () => settings.loaded,
    (loaded) => loaded && list.value.length === 0 && (list.value = readTabs(settings.own[key])),
    { immediate: true, flush: 'sync' },
  );
  watch(list, (tabs) => settings.loaded && settings.remember(key, [...tabs]));

  return {
    list,
    passing,
    add(tool, { front, replaces, mayClose }) {
      if (list.value.includes(tool)) return;
      const at = list.value.indexOf(front);
      const tabs = list.value.toSpliced(replaces ? at : at + 1, replaces ? 1 : 0, tool);
      const others = tabs.filter((name) => name !== tool);
      const closed = tabs.length > maxTabs ? (others.find(mayClose) ?? others[0]) : undefined;
      list.value = tabs.filter((name) => name !== closed);
      passing.value = tool;
    },
    close(tool) {
      const at = list.value.indexOf(tool);
      list.value = list.value.filter((name) => name !== tool);
      return list.value[Math.min(Math.max(0, at), list.value.length - 1)] ?? '';
    },
    beside: (tool, step) => list.value.at((list.value.indexOf(tool) + step) % list.value.length) ?? tool,
  };
}

/** What was stored is not trusted to have any shape. */
function readTabs(stored: JsonValue | undefined): string[] {
  const names = Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : [];
  return [...new Set(names)].slice(0, maxTabs);
}
