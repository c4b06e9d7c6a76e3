import { computed, type WritableComputedRef } from 'vue';

import type { JsonValue } from '../../src-core/contract/types.ts';
import { useSettings } from './settingsStore.ts';

/**
 * A value that the window remembers across restarts, under `key` in the settings; two open windows each have theirs. `accept` says whether what was saved
 * still makes sense; otherwise `fallback` holds.
 */
export function useRemembered<T extends JsonValue>(
  key: string,
  fallback: T,
  accept: (value: JsonValue) => value is T,
): WritableComputedRef<T> {
  const settings = useSettings();
  return computed({
    get() {
      const saved = Object.hasOwn(settings.own, key) ? settings.own[key] : undefined;
      return saved !== undefined && accept(saved) ? saved : fallback;
    },
    set: (value) => settings.remember(key, value),
  });
}

export const isText = (value: JsonValue): value is string => typeof value === 'string';
export const areTexts = (value: JsonValue): value is string[] => Array.isArray(value) && value.every(isText);
export const isFlag = (value: JsonValue): value is boolean => typeof value === 'boolean';
export const isAmount = (value: JsonValue): value is number => typeof value === 'number' && Number.isFinite(value);
/** Accepts only the given words. */
export const isOneOf =
  <T extends string>(...words: readonly T[]) =>
  (value: JsonValue): value is T =>
    words.some((word) => word === value);
