/** How parts of the window close, and how they change their height. What opens is a class or a state (styles/base.css). */
import type { ObjectDirective } from 'vue';

const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name);
/** ms that something takes to open. 0 with reduced motion, and without the styles, as in tests of components. */
function openingMs(): number {
  // The build writes 140 ms as .14s.
  const [, amount = '', unit] = /^([\d.]+)(m?s)$/.exec(token('--dur-2').trim()) ?? [];
  return Number(amount) * (unit === 's' ? 1_000 : 1);
}

/** Runs a transition with the time of what opens. Undefined if nothing may move. */
export function animate(element: HTMLElement, frames: PropertyIndexedKeyframes): Animation | undefined {
  return openingMs() > 0 ? element.animate(frames, { duration: openingMs(), easing: token('--ease') }) : undefined;
}

/** Attributes by which the window or a screen reader would find the copy, or by which it would open again. */
const found = ['id', 'role', 'tabindex', 'data-state', 'data-region', 'data-request'];

/**
 * A dialog, menu or notice fades out when it is removed. It is gone at once, with its focus and keys: what fades is a copy without
 * any function. So nothing waits for the end of the transition.
 */
export const vLeaving: ObjectDirective<HTMLElement> = {
  beforeUnmount(root) {
    // A menu is in a box that places it.
    const element = root.matches('[data-reka-popper-content-wrapper]') ? (root.firstElementChild as HTMLElement) : root;
    const { left, top, width, height } = element.getBoundingClientRect();
    if (width === 0 || openingMs() === 0) return;
    const copy = element.cloneNode(true) as HTMLElement;
    for (const part of [copy, ...copy.querySelectorAll(found.map((name) => `[${name}]`).join())])
      for (const name of found) part.removeAttribute(name);
    copy.classList.add('leaving');
    copy.inert = true;
    Object.assign(copy.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    document.body.append(copy);
    const scrolled = [...element.querySelectorAll('.scroll')];
    for (const [at, box] of [...copy.querySelectorAll('.scroll')].entries())
      box.scrollTop = scrolled[at]?.scrollTop ?? 0;
    copy.addEventListener('animationend', ({ target }) => target === copy && copy.remove());
  },
};

const heightBefore = new WeakMap<HTMLElement, number>();
const animations = new WeakMap<HTMLElement, Animation | undefined>();

/** A part that becomes higher or lower, as when something in it is folded, takes the time of what opens: what is below it does not jump. */
export const vUnfolding: ObjectDirective<HTMLElement> = {
  beforeUpdate: (element) => void heightBefore.set(element, element.offsetHeight),
  updated(element) {
    animations.get(element)?.cancel();
    const before = heightBefore.get(element);
    const after = element.offsetHeight;
    if (before === after || element.offsetWidth === 0) return;
    const height = [`${before}px`, `${after}px`];
    animations.set(element, animate(element, { height, minHeight: ['0', '0'], overflow: ['clip', 'clip'] }));
  },
};
