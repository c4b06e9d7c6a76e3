import { onScopeDispose, ref, watch, type Ref } from 'vue';

/** Rows of one frame: about 40 ms of a processor at most, so that a key pressed meanwhile is not kept waiting. */
const slice = 20;

/** Follows `wanted` upwards by a few rows a frame: a hundred rows drawn at once stop the window. */
export function useSlices(wanted: () => number): Readonly<Ref<number>> {
  const ready = ref(Math.min(slice, wanted()));
  let frame = 0;
  function grow(): void {
    frame = 0;
    ready.value = Math.min(wanted(), ready.value + slice);
    if (ready.value < wanted()) frame = requestAnimationFrame(grow);
  }
  watch(
    wanted,
    (now) => {
      if (now < ready.value) ready.value = Math.max(now, slice);
      else if (now > ready.value && frame === 0) frame = requestAnimationFrame(grow);
    },
    { immediate: true },
  );
  onScopeDispose(() => cancelAnimationFrame(frame));
  return ready;
}
