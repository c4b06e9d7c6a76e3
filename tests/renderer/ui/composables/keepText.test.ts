import { expect, it, vi } from 'vitest';
import { effectScope, nextTick } from 'vue';

import { keepText } from '../../../../renderer/ui/composables/keepText.ts';

it('stores a text that still waits when its owner ends, and nothing after that', async () => {
  vi.useFakeTimers();
  const scope = effectScope();
  const { text } = scope.run(() => keepText('draft'))!;
  text.value = 'half a line';
  await nextTick();
  scope.stop();
  expect(sessionStorage.getItem('draft')).toBe('half a line');

  sessionStorage.removeItem('draft');
  vi.runAllTimers();
  expect(sessionStorage.getItem('draft')).toBeNull();
});
