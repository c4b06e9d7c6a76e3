import { useTimeoutFn } from '@vueuse/core';
import { shallowRef, watch } from 'vue';

/** More new rows at once have no transition. */
const most = 3;
/** ms for which a row is new: its transition ends before. */
const newMs = 300;

/** Returns whether a row was just added to a list that was not empty. Such rows get the class `new-row`. */
export function useNewRows<K>(keys: () => readonly K[]): (key: K) => boolean {
  const added = shallowRef<readonly K[]>([]);
  const { isPending, start } = useTimeoutFn(() => (added.value = []), newMs, { immediate: false });
  watch(keys, (now, before) => {
    const old = new Set(before);
    const fresh = now.filter((key) => !old.has(key));
    // Rows that follow one another quickly would flicker.
    added.value = before.length === 0 || fresh.length > most || isPending.value ? [] : fresh;
    if (fresh.length > 0) start();
  });
  return (key) => added.value.includes(key);
}
