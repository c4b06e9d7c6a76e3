import { expect, test, vi } from 'vitest';
import { effectScope, nextTick, ref } from 'vue';

import { useByteLength } from '../../../../renderer/ui/composables/useByteLength.ts';

test('counts the bytes of UTF-8: at once where the text is short, in turns where it is long', async () => {
  const text = ref('aé说😀\n');
  const scope = effectScope();
  const bytes = scope.run(() => useByteLength(() => text.value));
  expect(bytes?.value).toBe(new TextEncoder().encode(text.value).length);
  text.value = 'aé说😀'.repeat(2_000_000);
  await vi.waitUntil(() => bytes?.value === 10 * 2_000_000);
  text.value = '';
  await nextTick();
  expect(bytes?.value).toBe(0);
  scope.stop();
});
