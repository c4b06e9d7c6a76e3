import { useEventListener, useResizeObserver } from '@vueuse/core';
import { nextTick, ref, watch, type Ref, type ShallowRef, type WatchSource } from 'vue';

import { liftOver } from './liftOver.ts';

/** What the user may be about to press, in the pane or in the dialog over it. */
const actions = '.btn.primary, .btn.danger, .foot .btn, [role$="dialog"] footer .btn';
/** Keeps the boxes in `root` clear of the actions of the window: px by which to move it up. It is measured again when `changes` do, and after each input. */
export function useClearOfActions(root: Readonly<ShallowRef<HTMLElement | null>>, changes: WatchSource): Ref<number> {
  const lift = ref(0);
  function measure(): void {
    const boxes = [...(root.value?.children ?? [])].map((each) => each.getBoundingClientRect());
    if (boxes.length === 0) return;
    const box = {
      left: Math.min(...boxes.map(({ left }) => left)),
      top: Math.min(...boxes.map(({ top }) => top)) + lift.value,
      right: Math.max(...boxes.map(({ right }) => right)),
      bottom: Math.max(...boxes.map(({ bottom }) => bottom)) + lift.value,
    };
    const over = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].at(-1);
    const found = [...(over ?? document).querySelectorAll(actions)].filter(
      (each) => root.value?.contains(each) !== true,
    );
    lift.value = liftOver(
      box,
      found.map((each) => each.getBoundingClientRect()).filter(({ width }) => width > 0),
    );
  }
  const soon = (): number => requestAnimationFrame(measure);
  watch(changes, () => void nextTick(soon), { flush: 'post' });
  useResizeObserver(root, soon);
  useEventListener(window, 'resize', soon);
  useEventListener(document, ['click', 'keyup'], () => void nextTick(soon));
  return lift;
}
