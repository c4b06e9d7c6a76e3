import { onScopeDispose, ref, watch, type Ref, type WatchSource } from 'vue';

/** Epoch ms, moving every `everyMs` while `active` holds. */
export function useNow(everyMs: number, active: WatchSource<boolean> = () => true): Readonly<Ref<number>> {
  const now = ref(Date.now());
  let timer: ReturnType<typeof setInterval> | undefined;
  watch(
    active,
    (on) => {
      clearInterval(timer);
      now.value = Date.now();
      if (on) timer = setInterval(() => (now.value = Date.now()), everyMs);
    },
    { immediate: true },
  );
  onScopeDispose(() => clearInterval(timer));
  return now;
}
