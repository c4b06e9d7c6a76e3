import { useEventListener, useResizeObserver } from '@vueuse/core';
import { nextTick, onActivated, onMounted, watch, type Ref } from 'vue';

import { isSection, useSettingsPlace, type SectionName } from '../../window/settingsPlace.ts';

/** px below the top edge at which a section begins to be the one in view. */
const edge = 48;

/** Keeps the section that is in view and the one that is asked for the same. Returns what scrolls to a section. */
export function useSectionInView(body: Readonly<Ref<HTMLElement | null>>): (name: SectionName) => void {
  const place = useSettingsPlace();
  /** A section was jumped to, and the user has not scrolled since: the last sections cannot reach the top, and are in view all the same. */
  let jumped = false;
  let inView = place.section;

  const find = (selector: string): HTMLElement | null => body.value?.querySelector<HTMLElement>(selector) ?? null;

  function jump(name: SectionName): void {
    const section = find(`[data-section="${name}"]`);
    if (!section) return;
    section.scrollIntoView({ block: 'start' });
    jumped = true;
    inView = place.section = name;
  }

  async function showRow(): Promise<void> {
    const { row } = place;
    if (row === undefined) return;
    place.row = undefined;
    await nextTick();
    const shown = find(`[data-setting="${row}"]`);
    shown?.scrollIntoView({ block: 'center' });
    shown?.querySelector<HTMLElement>('input, button, [tabindex]')?.focus({ preventScroll: true });
  }

  useEventListener(body, 'scroll', () => {
    if (jumped) return;
    const top = (body.value?.getBoundingClientRect().top ?? 0) + edge;
    const sections = [...(body.value?.querySelectorAll<HTMLElement>('[data-section]') ?? [])];
    const shown = sections.filter((each) => each.offsetParent !== null).sort((a, b) => a.offsetTop - b.offsetTop);
    const now = (shown.findLast((each) => each.getBoundingClientRect().top <= top) ?? shown[0])?.dataset['section'];
    if (now !== undefined && isSection(now)) inView = place.section = now;
  });
  useEventListener(['wheel', 'touchmove', 'keydown', 'pointerdown'], () => (jumped = false));
  const column = (): HTMLElement | null => find('.settings-column');
  // What loads late moves the section away.
  useResizeObserver(column, () => jumped && jump(place.section));
  const wanted = (): unknown[] => [place.section, place.row];
  watch(wanted, () => (place.section === inView ? showRow() : restore()), { flush: 'post' });
  // A pane that was out of view has lost how far it was scrolled.
  const restore = (): void => {
    jump(place.section);
    void showRow();
  };
  onMounted(restore);
  onActivated(restore);
  return jump;
}
