import { useEventListener } from '@vueuse/core';

import { useHotkeys } from '../ui/composables/useHotkeys.ts';

const focusable = 'button:not([disabled]), a[href], input:not([disabled]), textarea, [tabindex="0"]';

/**
 * F6 and Shift+F6 go from region to region (`[data-region]`, in the order of the page). A region gets the focus back
 * where it was in it.
 */
export function useRegions(): void {
  const last = new WeakMap<Element, HTMLElement>();
  const regionOf = (element: Element | null): Element | null => element?.closest('[data-region]') ?? null;

  useEventListener(document, 'focusin', (event) => {
    if (!(event.target instanceof HTMLElement)) return;
    const region = regionOf(event.target);
    if (region) last.set(region, event.target);
  });

  const move = (step: 1 | -1): void => {
    const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter((region) =>
      region.checkVisibility(),
    );
    if (regions.length === 0) return;
    const current = regionOf(document.activeElement);
    const at = regions.findIndex((region) => region === current);
    const start = at === -1 && step === -1 ? 0 : at;
    const region = regions[(start + step + regions.length) % regions.length];
    if (!region) return;
    const before = last.get(region);
    const target = before && region.contains(before) ? before : region.querySelector<HTMLElement>(focusable);
    (target ?? region).focus({ preventScroll: false });
  };
  useHotkeys({ f6: () => move(1), 'shift+f6': () => move(-1) });
}
