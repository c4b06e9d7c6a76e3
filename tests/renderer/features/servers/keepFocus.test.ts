import { afterEach, expect, it } from 'vitest';
import { nextTick } from 'vue';

import { keepFocus } from '../../../../renderer/features/servers/keepFocus.ts';

afterEach(() => document.body.replaceChildren());

const at = (selector: string): HTMLElement => document.querySelector<HTMLElement>(selector)!;

/** Focuses `#pressed` in this page, and removes what it is in. */
async function answerIn(html: string, between: () => void = () => undefined): Promise<Element | null> {
  document.body.innerHTML = html;
  at('#pressed').focus();
  keepFocus('.ask button');
  at('.gone').remove();
  between();
  await nextTick();
  return document.activeElement;
}
const gone = '<div class="ask gone"><button id="pressed"></button></div>';

it('passes the focus of a removed button to the next question, or else to the region', async () => {
  const other = '<div class="ask"><button id="next"></button></div>';
  expect((await answerIn(`<section data-region>${gone}${other}</section>`))?.id).toBe('next');
  expect((await answerIn(`<section data-region id="region">${gone}</section>${other}`))?.id).toBe('region');
});

it('leaves the focus to the user who has moved it, and to the queue', async () => {
  const page = `<section data-region>${gone}</section><input id="field" />`;
  expect((await answerIn(page, () => at('#field').focus()))?.id).toBe('field');
  expect(await answerIn(`<div class="waiting-queue"><section data-region>${gone}</section></div>`)).toBe(document.body);
});
