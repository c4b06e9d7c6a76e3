/** How parts of the window close. What opens is a class or a state of its own (styles/base.css). */
import type { ObjectDirective } from 'vue';

/** Whether transitions may run. False without layout, as in tests of components. */
const mayMove = (): boolean =>
  typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: no-preference)').matches;

/** Attributes by which the window or a screen reader would find the copy, or by which it would open again. */
const found = ['id', 'role', 'tabindex', 'data-state', 'data-region', 'data-request'];

/**
 * A dialog, menu or notice fades out when it is removed. It is gone at once, with its focus and keys: what fades is a copy without
 * any function. So nothing waits for the end of a transition, whoever removes the part.
 */
export const vLeaving: ObjectDirective<HTMLElement> = {
  beforeUnmount(root) {
    // A menu is in a box that places it.
    const element = root.matches('[data-reka-popper-content-wrapper]') ? (root.firstElementChild as HTMLElement) : root;
    const { left, top, width, height } = element.getBoundingClientRect();
    if (width === 0 || !mayMove()) return;
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
