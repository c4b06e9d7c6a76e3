import type { VueWrapper } from '@vue/test-utils';
import { nextTick } from 'vue';

/** Types into the search of a pane, and waits until what it finds is rendered. */
export async function searchFor(pane: VueWrapper, text: string): Promise<void> {
  await pane.get('input').setValue(text);
  await waitForSearch();
}

/** Waits until a typed text is searched for, and what it finds is rendered: each has a task of its own. */
export async function waitForSearch(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  await new Promise((resolve) => setTimeout(resolve));
  await nextTick();
}
