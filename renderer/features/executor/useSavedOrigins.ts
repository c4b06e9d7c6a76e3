import { shallowReactive } from 'vue';

import type { JsonValue } from '../../../src-core/contract/types.ts';
import { useRemembered } from '../../window/useRemembered.ts';

/** The saved call that was loaded into the form, and its arguments after its variables were filled in. */
// Not an interface: those are no JSON to the compiler.
export type SavedOrigin = { folder: string; file: string; argsJson: string };

/** Of forms that are remembered, and characters of the arguments of one. */
const maxKept = 20;
const maxText = 8_000;

/** The saved calls in the forms, by `toolId_methodName`. A form belongs to its saved call after a reload, too. */
export function useSavedOrigins(): {
  get(tool: string): SavedOrigin | undefined;
  set(tool: string, saved: SavedOrigin | undefined): void;
  /** The tools whose forms belong to a saved call. */
  toolsOf(saved: Pick<SavedOrigin, 'folder' | 'file'>): string[];
} {
  const kept = useRemembered<Record<string, SavedOrigin>>('executor.saved', {}, isOrigins);
  /** Of this window since it was opened; those that are too large, too. */
  const live = shallowReactive(new Map<string, SavedOrigin | undefined>());
  const get = (tool: string): SavedOrigin | undefined =>
    live.has(tool) || !Object.hasOwn(kept.value, tool) ? live.get(tool) : kept.value[tool];
  return {
    get,
    toolsOf: ({ folder, file }) =>
      [...new Set([...Object.keys(kept.value), ...live.keys()])].filter((tool) => {
        const saved = get(tool);
        return saved?.folder === folder && saved.file === file;
      }),
    set(tool, saved) {
      live.set(tool, saved);
      const others = Object.entries(kept.value).filter(([name]) => name !== tool);
      const isKept = saved !== undefined && saved.argsJson.length <= maxText;
      if (isKept) kept.value = Object.fromEntries([...others.slice(1 - maxKept), [tool, saved]]);
      else if (Object.hasOwn(kept.value, tool)) kept.value = Object.fromEntries(others);
    },
  };
}

function isOrigins(value: JsonValue): value is Record<string, SavedOrigin> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((one) => {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return false;
    return [one['folder'], one['file'], one['argsJson']].every((text) => typeof text === 'string');
  });
}
