/** Keeps a click or a held key that was meant for what was there before from pressing a button that has just come into its place. */
import type { ObjectDirective } from 'vue';

/** How long new buttons take no press, in ms: longer than the time between the clicks of a double click. */
const settlingMs = 500;
/** Nothing comes under the pointer without layout, as in tests of components. */
const hasLayout = (): boolean => typeof matchMedia === 'function';

const timers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();
/** The last known place of each guarded element on the screen, in px. */
const tops = new Map<HTMLElement, number>();
const topOf = (element: HTMLElement): number => element.getBoundingClientRect().top;
/** What moves a guarded element is nearly always another one, in it or beside it, which changed its height or is gone. */
let sizes: ResizeObserver | undefined;

function settle(element: HTMLElement): void {
  clearTimeout(timers.get(element));
  if (!hasLayout()) return;
  element.dataset['settling'] = '';
  timers.set(
    element,
    setTimeout(() => delete element.dataset['settling'], settlingMs),
  );
}

function settleMoved(): void {
  for (const [element, before] of tops) {
    const top = topOf(element);
    if (top === before) continue;
    tops.set(element, top);
    settle(element);
  }
}

/** Enter in a field of a form arrives as a click on its button. */
function isEnterInForm(target: Element): boolean {
  const { activeElement } = document;
  const form = target.closest('button')?.form ?? null;
  return activeElement instanceof HTMLInputElement && form !== null && activeElement.form === form;
}

function guard(event: MouseEvent | KeyboardEvent): void {
  const { currentTarget, target } = event;
  if (!(currentTarget instanceof HTMLElement) || !(target instanceof Element) || !target.closest('button')) return;
  const isKey = event instanceof KeyboardEvent;
  if (isKey && event.key !== 'Enter' && event.key !== ' ') return;
  if (!isKey && isEnterInForm(target)) return;
  if (currentTarget.dataset['settling'] === undefined && !(isKey && event.repeat)) return;
  event.preventDefault();
  event.stopPropagation();
}

/**
 * The buttons in the element take no click and no key until half a second after it was shown, was moved by what changed its size, or
 * its value, what is shown in it, changed. A press that began earlier does not count either: the pointer does not reach them (base.css).
 */
export const vSettling: ObjectDirective<HTMLElement, string | boolean | undefined> = {
  mounted(element) {
    for (const type of ['click', 'keydown'] as const) element.addEventListener(type, guard, true);
    tops.set(element, topOf(element));
    settle(element);
    if (!hasLayout()) return;
    sizes ??= new ResizeObserver(settleMoved);
    sizes.observe(element);
    if (element.parentElement !== null) sizes.observe(element.parentElement);
  },
  updated(element, { value, oldValue }) {
    if (value !== oldValue) settle(element);
  },
  unmounted(element) {
    clearTimeout(timers.get(element));
    tops.delete(element);
    sizes?.unobserve(element);
    settleMoved();
  },
};
