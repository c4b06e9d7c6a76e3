import { afterEach, expect, it, vi } from 'vitest';

import { useToasts } from '../../../../renderer/window/toasts.ts';
import { useCopy } from '../../../../renderer/ui/composables/useCopy.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));
afterEach(() => vi.unstubAllGlobals());

it('names the remedy if the browser refuses the clipboard to the page', async () => {
  const writeText = () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'));
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
  document.execCommand = () => false;
  const { copied, copy } = window.use(() => useCopy());
  await copy('a');
  expect(copied.value).toBe(false);
  const [toast] = window.use(() => useToasts()).list;
  expect(toast).toMatchObject({ title: 'Could not copy to the clipboard' });
  expect(toast?.text).toContain('Allow it in the browser’s settings');
});
