import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { effectScope, ref, watchEffect } from 'vue';

import { useLateSearch } from '../../../../renderer/ui/search/useLateSearch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openSearch() {
  const typed = ref('');
  const items = ref(['clock', 'lamp', 'clamp']);
  const find = vi.fn((text: string) => items.value.filter((item) => item.includes(text)));
  const scope = effectScope();
  const late = scope.run(() => useLateSearch(typed, find))!;
  const shown: string[] = [];
  scope.run(() => watchEffect(() => shown.push(late.search.value.join(' ')), { flush: 'sync' }));
  return { typed, items, find, shown, scope, ...late };
}

it('searches in a task after that of the key, and shows what it found in the next one', () => {
  const { typed, find, search, text, shown } = openSearch();
  typed.value = 'la';
  expect([search.value, find.mock.calls]).toEqual([['clock', 'lamp', 'clamp'], [['']]]);
  vi.advanceTimersToNextTimer();
  expect([text.value, search.value, find.mock.calls]).toEqual(['', ['clock', 'lamp', 'clamp'], [[''], ['la']]]);
  vi.advanceTimersToNextTimer();
  expect([text.value, search.value]).toEqual(['la', ['lamp', 'clamp']]);
  expect(find).toHaveBeenCalledTimes(2);
  expect(shown).toEqual(['clock lamp clamp', 'lamp clamp']);
});

it.each([1, 2])('never shows what an earlier text finds, typed over before its task %i', (tasks) => {
  const { typed, shown } = openSearch();
  typed.value = 'la';
  for (let task = 1; task < tasks; task++) vi.advanceTimersToNextTimer();
  typed.value = 'lam';
  typed.value = 'clo';
  vi.runAllTimers();
  expect(shown).toEqual(['clock lamp clamp', 'clock']);
});

it('shows what the typed text finds at once if a key acts on it, and searches once', () => {
  const { typed, settle, search, text, find, shown } = openSearch();
  typed.value = 'clo';
  settle();
  expect([text.value, search.value]).toEqual(['clo', ['clock']]);
  vi.runAllTimers();
  expect(shown).toEqual(['clock lamp clamp', 'clock']);
  expect(find).toHaveBeenCalledTimes(2);
});

it('shows the whole list again once the text is cleared', () => {
  const { typed, search } = openSearch();
  typed.value = 'clo';
  vi.runAllTimers();
  typed.value = '';
  vi.runAllTimers();
  expect(search.value).toEqual(['clock', 'lamp', 'clamp']);
});

it('follows what is searched without a key, but not while a search is late', () => {
  const { typed, items, shown } = openSearch();
  items.value = ['clock'];
  typed.value = 'o';
  items.value = ['oven', 'lamp'];
  vi.runAllTimers();
  expect(shown).toEqual(['clock lamp clamp', 'clock', 'oven']);
});

it('does not search after it is gone', () => {
  const { typed, find, scope } = openSearch();
  typed.value = 'clo';
  scope.stop();
  vi.runAllTimers();
  expect(find).toHaveBeenCalledTimes(1);
});
