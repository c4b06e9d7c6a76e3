import { shallowRef, watch, type Ref } from 'vue';

/** Longer than a short text takes to read, so nothing flickers while it is typed. */
const lateMs = 150;

/** Whether `waits` has been true for more than that many milliseconds. */
export function useLate(waits: () => boolean, ms = lateMs): Ref<boolean> {
  const late = shallowRef(false);
  watch(
    waits,
    (now, _before, onCleanup) => {
      late.value = false;
      if (!now) return;
      const timer = setTimeout(() => (late.value = true), ms);
      onCleanup(() => clearTimeout(timer));
    },
    { immediate: true },
  );
  return late;
}
